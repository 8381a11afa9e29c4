import { createHash, createHmac, randomBytes } from 'node:crypto';
import { TypeID } from 'typeid-js';

/** Every kind of id: prefix, underscore, and a UUIDv7 in 26 characters of Crockford's base 32. */
export const ID_PREFIX = {
  organization: 'org',
  key: 'key',
  connection: 'conn',
  rule: 'rule',
  abTest: 'abt',
  payment: 'pay',
  attempt: 'att',
  refund: 're',
  subscription: 'sub',
  invoice: 'inv',
  event: 'evt',
  link: 'plink',
  integration: 'wfi',
  template: 'wft',
  workflowRule: 'wfr',
  execution: 'wfx',
  user: 'usr',
  session: 'sess',
  act: 'act',
  request: 'req',
} as const;

export type IdKind = keyof typeof ID_PREFIX;

/** How many bytes an id takes at random: 74 bits, of which UUIDv7 leaves room for. */
const RANDOM_BYTES = 10;

/** An id of this kind that sorts by `at` and is otherwise determined by `bits`: the same two give the same id again. */
export function idFrom(kind: IdKind, at: Date, bits: Uint8Array): string {
  const bytes = new Uint8Array(16);
  new DataView(bytes.buffer).setBigUint64(0, BigInt(at.getTime()) << 16n);
  bytes.set(bits.subarray(0, RANDOM_BYTES), 6);
  bytes[6] = 0x70 | ((bytes[6] ?? 0) & 0x0f);
  bytes[8] = 0x80 | ((bytes[8] ?? 0) & 0x3f);
  return TypeID.fromUUIDBytes(ID_PREFIX[kind], bytes).toString();
}

/** An id that follows from what it stands for: whoever makes it again makes the same one. */
export const derivedId = (kind: IdKind, at: Date, ...from: readonly string[]): string => idFrom(kind, at, createHash('sha256').update(from.join('|')).digest());

/** The same, in order: of those that are made from one thing in the same millisecond the later number, up to 4,095, sorts behind the earlier one. */
export function nthId(kind: IdKind, at: Date, n: number, ...from: readonly string[]): string {
  const bits = createHash('sha256')
    .update([...from, String(n)].join('|'))
    .digest();
  bits.writeUInt16BE(n % 4_096, 0);
  return idFrom(kind, at, bits);
}

export const newId = (kind: IdKind, at: Date): string => idFrom(kind, at, randomBytes(RANDOM_BYTES));

/** Whether `text` is an id of this kind; a client's text never reaches a key unchecked. */
export function isId(kind: IdKind, text: string): boolean {
  return new RegExp(`^${ID_PREFIX[kind]}_[0-7][0-9a-hjkmnp-tv-z]{25}$`).test(text);
}

/** The part of an id that does not depend on its time, as hex. */
export function randomBits(id: string): string {
  const bytes = TypeID.fromString(id).toUUIDBytes();
  return Buffer.from(bytes.subarray(6)).toString('hex');
}

/** The smallest id (without prefix) that a thing made at this time can have: where a list starts or ends. */
export const idFloor = (kind: IdKind, at: Date): string => idFrom(kind, at, new Uint8Array(RANDOM_BYTES));

/** HMAC-SHA256 over parts that can't run into each other: ('ab','c') and ('a','bc') differ. */
export function keyedHash(secret: string, ...parts: readonly string[]): Buffer {
  const hmac = createHmac('sha256', secret);
  for (const part of parts) hmac.update(`${Buffer.byteLength(part)}:`).update(part);
  return hmac.digest();
}

/** A number from 0 to `shards` - 1, spread evenly over texts and the same for the same text. */
export function shardOf(text: string, shards: number): number {
  return createHash('sha256').update(text).digest().readUInt32BE(0) % shards;
}

/** Random text for secrets: 62 letters and digits, about 5.95 bits a character. */
export function randomText(length: number): string {
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
  let text = '';
  while (text.length < length) {
    for (const byte of randomBytes(length)) if (byte < 248 && text.length < length) text += alphabet[byte % 62];
  }
  return text;
}
