import type { Secret } from '#shared/kernel/secret.ts';

/**
 * What a sealed text belongs to. It can be opened only with the same context. The organization (or user, for a user's
 * own secrets) is bound to the data key (KMS encryption context), the whole context to the ciphertext (additional
 * data).
 */
export type SealContext = {
  readonly orgId: string;
  readonly purpose: 'credentials' | 'payment_method' | 'signing_secret' | 'answer' | 'totp_secret' | 'integration';
  readonly id: string;
};

/**
 * The kinds of secrets that a function can be allowed one by one. `psp`: PSP credentials and customers' payment methods.
 * `integration`: credentials of other servers, for workflows. `signing`: secrets that webhooks are signed with. `answer`:
 * stored responses that contain a secret. `totp`: secrets of authenticator apps.
 */
export const SEALED_KINDS = ['psp', 'integration', 'signing', 'answer', 'totp'] as const;
export type SealedKind = (typeof SEALED_KINDS)[number];

export type SealingKey = 'psp' | 'secrets';

/** The key that seals each kind. Kinds with the same key are told apart by the context of their data keys (ADR 8). */
export const KEY_OF_KIND: Readonly<Record<SealedKind, SealingKey>> = {
  psp: 'psp',
  integration: 'secrets',
  signing: 'secrets',
  answer: 'secrets',
  totp: 'secrets',
};

/** Turns text into an opaque string that only the vault can read. */
export interface VaultPort {
  seal(text: Secret<string>, context: SealContext): Promise<string>;
  /**
   * Throws `UnsealError` for text that was tampered with, is of another context, or was sealed with an unknown key.
   */
  open(sealed: string, context: SealContext): Promise<Secret<string>>;
}

/** Makes and unwraps data keys of 32 bytes, bound to an organization: KMS, or a local master key. */
export interface KeyWrapper {
  generate(orgId: string): Promise<{ readonly plain: Buffer; readonly wrapped: string }>;
  unwrap(wrapped: string, orgId: string): Promise<Buffer>;
}

export class UnsealError extends Error {
  override readonly name = 'UnsealError';
}
