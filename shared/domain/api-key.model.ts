import { createHash } from 'node:crypto';
import type { Scope } from '#shared/domain/scopes.catalog.ts';

export type Stage = 'sandbox' | 'live';
export type KeyKind = 'service' | 'secret' | 'public';

export type ApiKey = {
  readonly id: string;
  readonly org_id: string;
  readonly name: string;
  readonly kind: KeyKind;
  readonly scopes: readonly Scope[];
  readonly created_at: string;
};

/** How a key begins: its kind and the stage it belongs to. */
const KEY_PREFIX: Record<Stage, Record<KeyKind, string>> = {
  sandbox: { service: 'pfk_test_', secret: 'sk_sandbox_', public: 'pk_sandbox_' },
  live: { service: 'pfk_live_', secret: 'sk_live_', public: 'pk_live_' },
};

/** A key is its own proof, so only this is stored. It is random text, which no list of words finds: a plain hash will do. */
export const hashOfKey = (text: string): string => createHash('sha256').update(text).digest('hex');

const SECRET_LENGTH = 32;
const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';

/** The key's text. 32 bytes hold 65 bits more than 32 letters and digits do, so that no character is likelier than another. */
export function keyText(parts: KeyParts, bytes: Buffer): string {
  let number = BigInt(`0x${bytes.toString('hex')}`);
  let secret = '';
  for (; secret.length < SECRET_LENGTH; number /= 62n) secret += ALPHABET[Number(number % 62n)];
  return `${KEY_PREFIX[parts.stage][parts.kind]}${parts.orgId.slice('org_'.length)}${secret}`;
}

export type KeyParts = { readonly stage: Stage; readonly kind: KeyKind; readonly orgId: string };

/**
 * What a key says of itself: its organization stands in it, so that the organization's data can be read while the key is
 * still being checked. Nothing of this is believed before the key's hash was found.
 */
export function readKey(text: string): KeyParts | undefined {
  for (const stage of ['sandbox', 'live'] as const) {
    for (const kind of ['service', 'secret', 'public'] as const) {
      const prefix = KEY_PREFIX[stage][kind];
      const match = text.startsWith(prefix) ? /^([0-9a-z]{26})[A-Za-z0-9]{32}$/.exec(text.slice(prefix.length)) : null;
      if (match) return { stage, kind, orgId: `org_${match[1]}` };
    }
  }
  return undefined;
}
