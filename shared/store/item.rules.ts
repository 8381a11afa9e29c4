import { INDEXES, type Item, type Json, type Key, type Where } from '#shared/ports/table.port.ts';
import { demand, utf8Length } from '#shared/store/refuse.rules.ts';
import { checkSize } from '#shared/store/size.rules.ts';

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
  demand(isPlain(item), 'An item is a plain object.');
  checkKey(item);
  for (const [name, value] of Object.entries(item)) checkAttribute(name, value);
  checkSize(item);
}

export function checkKey(key: Key): void {
  demand(typeof key === 'object' && key !== null, 'A key has a pk and an sk.');
  checkKeyText('pk', key.pk, MAX_PK_BYTES);
  checkKeyText('sk', key.sk, MAX_SK_BYTES);
}

export function checkKeys(keys: readonly Key[]): void {
  demand(keys.length <= MAX_KEYS, `At most ${MAX_KEYS} keys at once.`);
  for (const key of keys) checkKey(key);
  demand(new Set(keys.map(keyText)).size === keys.length, 'The same key is asked for twice.');
}

/** A key as one text, for sets and maps. */
export const keyText = (key: Key): string => JSON.stringify([key.pk, key.sk]);

export function checkWhere(where: Where): void {
  checkKeyText('pk', where.pk, MAX_PK_BYTES);
  demand(Number.isSafeInteger(where.limit) && where.limit > 0, 'A limit is a whole number above 0.');
}

/** A top-level attribute. An index key, where present, must be a text, or the item could not be written. */
export function checkAttribute(name: string, value: Json): void {
  checkName(name);
  const bytes = INDEX_ATTRIBUTES.get(name);
  if (bytes !== undefined) checkKeyText(name, value, bytes);
  else checkValue(name, value, 1);
}

export function checkName(name: unknown): asserts name is string {
  demand(
    typeof name === 'string' && name !== '' && name.isWellFormed() && name !== '__proto__',
    `No attribute can be called ${name}.`,
  );
}

export const isIndexKey = (name: string): boolean => INDEX_ATTRIBUTES.has(name);

export function checkKeyText(name: string, value: unknown, bytes = MAX_SK_BYTES): asserts value is string {
  demand(typeof value === 'string' && value !== '', `${name} is a text that is not empty.`);
  demand(value.isWellFormed(), `${name} holds half a surrogate pair.`);
  demand(utf8Length(value) <= bytes, `${name} has more than ${bytes} bytes.`);
}

export function checkValue(path: string, value: unknown, depth = 1): asserts value is Json {
  if (value === null || typeof value === 'boolean') return;
  if (typeof value === 'string') demand(value.isWellFormed(), `${path} holds half a surrogate pair.`);
  else if (typeof value === 'number') checkNumber(path, value);
  else {
    demand(typeof value === 'object', `${path} is a ${typeof value}, which JSON does not have.`);
    demand(depth < MAX_DEPTH, `${path} is nested deeper than ${MAX_DEPTH}.`);
    checkElements(path, value, depth + 1);
  }
}

function checkElements(path: string, value: object, depth: number): void {
  if (Array.isArray(value)) {
    for (const [index, element] of value.entries()) checkValue(`${path}[${index}]`, element, depth);
    return;
  }
  demand(isPlain(value), `${path} is not a plain object.`);
  for (const [name, element] of Object.entries(value)) {
    checkName(name);
    checkValue(`${path}.${name}`, element, depth);
  }
}

function checkNumber(path: string, value: number): void {
  demand(Number.isFinite(value), `${path} is not a finite number.`);
  demand(
    !Number.isInteger(value) || Number.isSafeInteger(value),
    `${path} is beyond the whole numbers that are exact.`,
  );
  demand(value === 0 || Math.abs(value) >= MIN_NUMBER, `${path} is too near to zero.`);
}

function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}
