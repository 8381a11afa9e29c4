import type { Secret } from '#shared/kernel/secret.ts';

/**
 * Where a sealed text belongs. It opens only there: the organization (a user, for what is the user's own) is bound to the
 * data key (KMS encryption context), the whole place to the ciphertext (additional data).
 */
export type SealedPlace = {
  readonly orgId: string;
  readonly purpose: 'credentials' | 'payment_method' | 'signing_secret' | 'answer' | 'totp_secret' | 'integration';
  readonly id: string;
};

/** Text in, an opaque string out; nothing else of ours knows what lies in it. */
export interface VaultPort {
  seal(text: Secret<string>, place: SealedPlace): Promise<string>;
  /** Throws `VaultRefused` for what was tampered with, moved to another place, or sealed under a key we don't have. */
  open(sealed: string, place: SealedPlace): Promise<Secret<string>>;
}

/** Makes and unwraps data keys of 32 bytes, bound to an organization: KMS, or a local master key. */
export interface KeyWrapper {
  generate(orgId: string): Promise<{ readonly plain: Buffer; readonly wrapped: string }>;
  unwrap(wrapped: string, orgId: string): Promise<Buffer>;
}

export class VaultRefused extends Error {
  override readonly name = 'VaultRefused';
}
