import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
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

/** Random bytes of an id: 74 bits, which UUIDv7 has room for. */
const RANDOM_BYTES = 10;

/** An id of this kind that sorts by `at`. Its other part derives from `bits`: the same input gives the same id. */
export function idFrom(kind: IdKind, at: Date, bits: Uint8Array): string {
  const bytes = new Uint8Array(16);
  new DataView(bytes.buffer).setBigUint64(0, BigInt(at.getTime()) << 16n);
  bytes.set(bits.subarray(0, RANDOM_BYTES), 6);
  bytes[6] = 0x70 | ((bytes[6] ?? 0) & 0x0f);
  bytes[8] = 0x80 | ((bytes[8] ?? 0) & 0x3f);
  return TypeID.fromUUIDBytes(ID_PREFIX[kind], bytes).toString();
}

/** An id derived from `from`: the same input gives the same id. */
export const derivedId = (kind: IdKind, at: Date, ...from: readonly string[]): string =>
  idFrom(kind, at, createHash('sha256').update(from.join('|')).digest());

/**
 * Like `derivedId`, but ordered: of ids from the same source and millisecond, one with a higher `n` (up to 4,095) sorts
 * later.
 */
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

/** The time-independent part of an id, as hex. */
export function randomBits(id: string): string {
  const bytes = TypeID.fromString(id).toUUIDBytes();
  return Buffer.from(bytes.subarray(6)).toString('hex');
}

/** The smallest id of this time: a bound for lists. */
export const minId = (kind: IdKind, at: Date): string => idFrom(kind, at, new Uint8Array(RANDOM_BYTES));

/** HMAC-SHA256 over separated parts: ('ab','c') and ('a','bc') differ. */
export function keyedHash(secret: string, ...parts: readonly string[]): Buffer {
  const hmac = createHmac('sha256', secret);
  for (const part of parts) hmac.update(`${Buffer.byteLength(part)}:`).update(part);
  return hmac.digest();
}

/**
 * SHA-256 in hex. For generated random text, such as keys, tokens and cookies: only the hash is stored, and it cannot
 * be guessed.
 */
export const sha256Hex = (text: string): string => createHash('sha256').update(text).digest('hex');

/** A number from 0 to `shards` - 1: the same for the same text, and spread evenly. */
export function shardOf(text: string, shards: number): number {
  return createHash('sha256').update(text).digest().readUInt32BE(0) % shards;
}

export const LETTERS_AND_DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';

/** Random text for secrets: 62 letters and digits, about 5.95 bits a character. */
export function randomText(length: number): string {
  let text = '';
  while (text.length < length) {
    for (const byte of randomBytes(length))
      if (byte < 248 && text.length < length) text += LETTERS_AND_DIGITS[byte % 62];
  }
  return text;
}

/** The first `length` letters and digits of the bytes as a number in base 62. */
export function lettersAndDigits(bytes: Buffer, length: number): string {
  let number = BigInt(`0x${bytes.toString('hex')}`);
  let text = '';
  for (; text.length < length; number /= 62n) text += LETTERS_AND_DIGITS[Number(number % 62n)];
  return text;
}

/** Letters and digits of a tag: 47 bits. */
const TAG_LENGTH = 8;

/** The text with a keyed tag at its end. */
export const withTag = (text: string, secret: string): string =>
  `${text}${lettersAndDigits(keyedHash(secret, 'tag', text), TAG_LENGTH)}`;

/** Whether `withTag` made the text. That does not prove that the thing it names exists. */
export function hasTag(tagged: string, secret: string): boolean {
  const [given, expected] = [Buffer.from(tagged), Buffer.from(withTag(tagged.slice(0, -TAG_LENGTH), secret))];
  return given.length === expected.length && timingSafeEqual(given, expected);
}
