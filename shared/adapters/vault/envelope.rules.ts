import { createCipheriv, createDecipheriv, createSecretKey, type KeyObject } from 'node:crypto';

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

/** Node ignores invalid characters and spare bits; here only one text is valid for the same bytes. */
export function fromBase64Url(text: string): Buffer | undefined {
  const bytes = Buffer.from(text, 'base64url');
  return bytes.toString('base64url') === text ? bytes : undefined;
}

/** Joins parts unambiguously: ('ab','c') and ('a','bc') differ. */
export function bind(...parts: readonly string[]): Buffer {
  return Buffer.from(parts.map((part) => `${Buffer.byteLength(part)}:${part}`).join(''));
}

/**
 * The key in Node's own form, made once for each buffer: with the buffer, or a new form each time, a use takes several
 * times as long.
 */
function keyObject(key: Buffer): KeyObject {
  const known = keyObjects.get(key) ?? createSecretKey(key);
  keyObjects.set(key, known);
  return known;
}
const keyObjects = new WeakMap<Buffer, KeyObject>();

/** AES-256-GCM. The nonce must never have been used with this key. */
export function encrypt(key: Buffer, nonce: Buffer, plain: Buffer, bound: Buffer): Buffer {
  const cipher = createCipheriv('aes-256-gcm', keyObject(key), nonce, { authTagLength: TAG_BYTES }).setAAD(bound);
  return Buffer.concat([nonce, cipher.update(plain), cipher.final(), cipher.getAuthTag()]);
}

/** `undefined` unless it was encrypted with exactly this key, and bound to exactly this data. */
export function decrypt(key: Buffer, box: Buffer, bound: Buffer): Buffer | undefined {
  if (key.length !== 32 || box.length < NONCE_BYTES + TAG_BYTES) return undefined;
  const nonce = box.subarray(0, NONCE_BYTES);
  const decipher = createDecipheriv('aes-256-gcm', keyObject(key), nonce, { authTagLength: TAG_BYTES });
  decipher.setAAD(bound).setAuthTag(box.subarray(-TAG_BYTES));
  const plain = decipher.update(box.subarray(NONCE_BYTES, -TAG_BYTES));
  try {
    return Buffer.concat([plain, decipher.final()]);
  } catch {
    return undefined;
  }
}
