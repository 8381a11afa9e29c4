import { createHmac, hash, randomBytes, randomFillSync, timingSafeEqual } from 'node:crypto';

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
  capture: 'cap',
  subscription: 'sub',
  invoice: 'inv',
  dispute: 'disp',
  event: 'evt',
  link: 'plink',
  paymentMethod: 'pm',
  erasure: 'era',
  integration: 'wfi',
  template: 'wft',
  workflowRule: 'wfr',
  execution: 'wfx',
  user: 'usr',
  session: 'sess',
  act: 'act',
  approval: 'apr',
  request: 'req',
  run: 'run',
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
  return `${ID_PREFIX[kind]}_${toBase32(bytes)}`;
}

/** Crockford's alphabet: without i, l, o and u. */
const BASE_32 = '0123456789abcdefghjkmnpqrstvwxyz';
/** 26 characters have room for 130 bits, two more than a UUID has: these come first, and are zero. */
const SPARE_BITS = 2;

function toBase32(bytes: Uint8Array): string {
  let [text, bits, count] = ['', 0, SPARE_BITS];
  for (const byte of bytes) {
    bits = (bits << 8) | byte;
    for (count += 8; count >= 5; ) {
      count -= 5;
      text += BASE_32[(bits >> count) & 0x1f];
    }
    bits &= 0x1f;
  }
  return text;
}

function fromBase32(text: string): Buffer {
  const bytes = Buffer.alloc(16);
  let [bits, count, at] = [0, -SPARE_BITS, 0];
  for (const character of text) {
    bits = ((bits & 0xff) << 5) | BASE_32.indexOf(character);
    count += 5;
    if (count < 8) continue;
    count -= 8;
    bytes[at] = bits >> count;
    at += 1;
  }
  return bytes;
}

/** An id derived from `from`: the same input gives the same id. */
export const derivedId = (kind: IdKind, at: Date, ...from: readonly string[]): string =>
  idFrom(kind, at, hash('sha256', from.join('|'), 'buffer'));

/**
 * Like `derivedId`, but ordered: of ids from the same source and millisecond, one with a higher `n` (up to 4,095) sorts
 * later.
 */
export function nthId(kind: IdKind, at: Date, n: number, ...from: readonly string[]): string {
  const bits = hash('sha256', [...from, String(n)].join('|'), 'buffer');
  bits.writeUInt16BE(n % 4_096, 0);
  return idFrom(kind, at, bits);
}

export const newId = (kind: IdKind, at: Date): string => idFrom(kind, at, randomOnce(RANDOM_BYTES));

/** Small amounts are taken from a larger one: asking for each takes longer than all that is done with it. */
const RANDOM_SUPPLY = Buffer.alloc(4_096);
let taken = RANDOM_SUPPLY.length;

/** Random bytes to be used before the next call. For ids and nonces; secrets are not kept in a supply. */
export function randomOnce(length: number): Buffer {
  if (taken + length > RANDOM_SUPPLY.length) {
    randomFillSync(RANDOM_SUPPLY);
    taken = 0;
  }
  taken += length;
  return RANDOM_SUPPLY.subarray(taken - length, taken);
}

const ID_SUFFIX = /^[0-7][0-9a-hjkmnp-tv-z]{25}$/;

/** Whether `text` is an id of this kind; a client's text never reaches a key unchecked. */
export function isId(kind: IdKind, text: string): boolean {
  const prefix = `${ID_PREFIX[kind]}_`;
  return text.startsWith(prefix) && ID_SUFFIX.test(text.slice(prefix.length));
}

/** The time-independent part of an id, as hex. */
export function randomBits(id: string): string {
  const suffix = id.slice(id.lastIndexOf('_') + 1);
  if (!ID_SUFFIX.test(suffix)) throw new Error(`${id} is no id.`);
  return fromBase32(suffix).toString('hex', 6);
}

/** When an id was made: its other part. */
export function idTime(id: string): Date {
  const suffix = id.slice(id.lastIndexOf('_') + 1);
  if (!ID_SUFFIX.test(suffix)) throw new Error(`${id} is no id.`);
  return new Date(fromBase32(suffix).readUIntBE(0, 6));
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
export const sha256Hex = (content: string | Uint8Array): string => hash('sha256', content);

/** A number from 0 to `shards` - 1: the same for the same text, and spread evenly. */
export function shardOf(text: string, shards: number): number {
  return hash('sha256', text, 'buffer').readUInt32BE(0) % shards;
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
export const TAG_LENGTH = 8;

/** The text with a keyed tag at its end. */
export const withTag = (text: string, secret: string): string =>
  `${text}${lettersAndDigits(keyedHash(secret, 'tag', text), TAG_LENGTH)}`;

/** Whether `withTag` made the text. That does not prove that the thing it names exists. */
export function hasTag(tagged: string, secret: string): boolean {
  const [given, expected] = [Buffer.from(tagged), Buffer.from(withTag(tagged.slice(0, -TAG_LENGTH), secret))];
  return given.length === expected.length && timingSafeEqual(given, expected);
}
