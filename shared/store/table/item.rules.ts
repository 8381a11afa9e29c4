import { INDEXES, type Item, type Json, type Key, type PageQuery, TableError } from '#shared/store/table/table.port.ts';

const MAX_PK_BYTES = 2_048;
const MAX_SK_BYTES = 1_024;
const MAX_DEPTH = 32;
const MAX_KEYS = 100;
/** The smallest magnitude of a DynamoDB number. */
const MIN_NUMBER = 1e-130;

/** Index sort keys by attribute name, with the bytes each may have. */
const INDEX_ATTRIBUTES = new Map<string, number>(
  Object.values(INDEXES).flatMap(([pk, sk]) => [
    [pk, MAX_PK_BYTES],
    [sk, MAX_SK_BYTES],
  ]),
);

export function checkItem(item: Item): void {
  ensure(isPlain(item), 'An item is a plain object.');
  checkKey(item);
  for (const [name, value] of Object.entries(item)) checkAttribute(name, value);
  checkSize(item);
}

export function checkKey(key: Key): void {
  ensure(typeof key === 'object' && key !== null, 'A key has a pk and an sk.');
  checkKeyText('pk', key.pk, MAX_PK_BYTES);
  checkKeyText('sk', key.sk, MAX_SK_BYTES);
}

export function checkKeys(keys: readonly Key[]): void {
  ensure(keys.length <= MAX_KEYS, `At most ${MAX_KEYS} keys at once.`);
  for (const key of keys) checkKey(key);
  ensure(new Set(keys.map(keyText)).size === keys.length, 'A key is requested twice.');
}

/** A key as one text, for sets and maps. */
export const keyText = (key: Key): string => JSON.stringify([key.pk, key.sk]);

export function checkPageQuery(where: PageQuery): void {
  checkKeyText('pk', where.pk, MAX_PK_BYTES);
  ensure(Number.isSafeInteger(where.limit) && where.limit > 0, 'A limit is a whole number above 0.');
}

/** A top-level attribute. An index key, where present, must be a text, or the item could not be written. */
export function checkAttribute(name: string, value: Json): void {
  checkName(name);
  const bytes = INDEX_ATTRIBUTES.get(name);
  if (bytes !== undefined) checkKeyText(name, value, bytes);
  else checkValue(name, value, 1);
}

export function checkName(name: unknown): asserts name is string {
  ensure(
    typeof name === 'string' && name !== '' && name.isWellFormed() && name !== '__proto__',
    `No attribute can be called ${name}.`,
  );
}

export const isIndexKey = (name: string): boolean => INDEX_ATTRIBUTES.has(name);

export function checkKeyText(name: string, value: unknown, bytes = MAX_SK_BYTES): asserts value is string {
  ensure(typeof value === 'string' && value !== '', `${name} is a text that is not empty.`);
  ensure(value.isWellFormed(), `${name} holds half a surrogate pair.`);
  ensure(utf8Length(value) <= bytes, `${name} has more than ${bytes} bytes.`);
}

export function checkValue(path: string, value: unknown, depth = 1): asserts value is Json {
  if (value === null || typeof value === 'boolean') return;
  if (typeof value === 'string') ensure(value.isWellFormed(), `${path} holds half a surrogate pair.`);
  else if (typeof value === 'number') checkNumber(path, value);
  else {
    ensure(typeof value === 'object', `${path} is a ${typeof value}, which JSON does not have.`);
    ensure(depth < MAX_DEPTH, `${path} is nested deeper than ${MAX_DEPTH}.`);
    checkElements(path, value, depth + 1);
  }
}

function checkElements(path: string, value: object, depth: number): void {
  if (Array.isArray(value)) {
    for (const [index, element] of value.entries()) checkValue(`${path}[${index}]`, element, depth);
    return;
  }
  ensure(isPlain(value), `${path} is not a plain object.`);
  for (const [name, element] of Object.entries(value)) {
    checkName(name);
    checkValue(`${path}.${name}`, element, depth);
  }
}

function checkNumber(path: string, value: number): void {
  ensure(Number.isFinite(value), `${path} is not a finite number.`);
  ensure(
    !Number.isInteger(value) || Number.isSafeInteger(value),
    `${path} is beyond the whole numbers that are exact.`,
  );
  ensure(value === 0 || Math.abs(value) >= MIN_NUMBER, `${path} is too near to zero.`);
}

function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

/** An error of the caller, found before anything was written. */
export const invalidCall = (message: string): TableError => new TableError('invalid', 'not_done', message);

export function ensure(holds: boolean, message: string): asserts holds {
  if (!holds) throw invalidCall(message);
}

/** Length in UTF-8 bytes, which DynamoDB's limits and key order are based on. */
const utf8Length = (text: string): number => Buffer.byteLength(text);

export const MAX_ITEM_BYTES = 409_600;

/** A list or map costs three bytes, and one per element. */
const COLLECTION_BYTES = 3;

/** DynamoDB's size rules: names and values in UTF-8, about one byte per two digits of a number. */
export function itemSize(item: { readonly [name: string]: Json }): number {
  return Object.entries(item).reduce((sum, [name, value]) => sum + utf8Length(name) + valueSize(value), 0);
}

export function checkSize(item: Item): void {
  if (sizeBound(item) > MAX_ITEM_BYTES && itemSize(item) > MAX_ITEM_BYTES)
    throw new TableError('too_large', 'not_done', `Item ${item.pk} ${item.sk} is over ${MAX_ITEM_BYTES} bytes.`);
}

/** No UTF-16 unit takes more bytes in UTF-8. */
const MAX_UNIT_BYTES = 3;
/** No number takes more: 17 digits, a half pair at each end, and a sign. */
const MAX_NUMBER_BYTES = 21;

/** At least the size, for a fraction of its price: nearly all items are far below the limit. */
export function sizeBound(value: Json): number {
  if (typeof value === 'string') return value.length * MAX_UNIT_BYTES;
  if (typeof value !== 'object' || value === null) return MAX_NUMBER_BYTES;
  let sum = COLLECTION_BYTES;
  if (isList(value)) for (const element of value) sum += 1 + sizeBound(element);
  else for (const name of Object.keys(value)) sum += 1 + name.length * MAX_UNIT_BYTES + sizeBound(value[name] ?? null);
  return sum;
}

function valueSize(value: Json): number {
  if (value === null || typeof value === 'boolean') return 1;
  if (typeof value === 'string') return utf8Length(value);
  if (typeof value === 'number') return numberSize(value);
  if (isList(value)) return value.reduce<number>((sum, element) => sum + 1 + valueSize(element), COLLECTION_BYTES);
  return COLLECTION_BYTES + Object.keys(value).length + itemSize(value);
}

/**
 * Leading and trailing zeros are free; digit pairs are counted from the decimal point, so 100 takes one pair and 1.5
 * two.
 */
function numberSize(value: number): number {
  if (value === 0) return 1;
  const [digits = '', exponent = '0'] = Math.abs(value).toExponential().split('e');
  const significant = digits.replace('.', '');
  const before = Number(exponent) + 1;
  const odd = Math.abs(before) % 2;
  return 1 + Math.ceil((significant.length + odd) / 2) + (value < 0 ? 1 : 0);
}

export const isList = (value: Json): value is readonly Json[] => Array.isArray(value);
