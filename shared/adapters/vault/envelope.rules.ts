import { createCipheriv, createDecipheriv } from 'node:crypto';

const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** `v1.<wrapped data key>.<nonce, ciphertext, tag>`, both in base64url, so that a text has one form only. */
export type Envelope = { readonly wrapped: string; readonly box: Buffer };

export function formatEnvelope({ wrapped, box }: Envelope): string {
  return `v1.${wrapped}.${box.toString('base64url')}`;
}

export function parseEnvelope(text: string): Envelope | undefined {
  const [version, wrapped, boxed, ...more] = text.split('.');
  if (version !== 'v1' || !wrapped || !boxed || more.length > 0) return undefined;
  const box = fromBase64Url(boxed);
  return fromBase64Url(wrapped) && box ? { wrapped, box } : undefined;
}

/** Node skips what is not base64 and ignores spare bits; a second spelling of the same bytes is refused here. */
export function fromBase64Url(text: string): Buffer | undefined {
  const bytes = Buffer.from(text, 'base64url');
  return bytes.toString('base64url') === text ? bytes : undefined;
}

/** Parts that can't run into each other: ('ab','c') and ('a','bc') differ. */
export function bind(...parts: readonly string[]): Buffer {
  return Buffer.from(parts.map((part) => `${Buffer.byteLength(part)}:${part}`).join(''));
}

/** AES-256-GCM. The nonce must never have been used with this key. */
export function encrypt(key: Buffer, nonce: Buffer, plain: Buffer, bound: Buffer): Buffer {
  const cipher = createCipheriv('aes-256-gcm', key, nonce, { authTagLength: TAG_BYTES }).setAAD(bound);
  return Buffer.concat([nonce, cipher.update(plain), cipher.final(), cipher.getAuthTag()]);
}

/** `undefined` for whatever was not encrypted with exactly this key, for exactly this place. */
export function decrypt(key: Buffer, box: Buffer, bound: Buffer): Buffer | undefined {
  if (key.length !== 32 || box.length < NONCE_BYTES + TAG_BYTES) return undefined;
  const decipher = createDecipheriv('aes-256-gcm', key, box.subarray(0, NONCE_BYTES), { authTagLength: TAG_BYTES });
  decipher.setAAD(bound).setAuthTag(box.subarray(-TAG_BYTES));
  const plain = decipher.update(box.subarray(NONCE_BYTES, -TAG_BYTES));
  try {
    return Buffer.concat([plain, decipher.final()]);
  } catch {
    return undefined;
  }
}
