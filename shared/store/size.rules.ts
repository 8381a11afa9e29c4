import type { Item, Json } from '#shared/ports/table.port.ts';
import { TableError } from '#shared/ports/table.port.ts';
import { utf8Length } from '#shared/store/refuse.rules.ts';

export const MAX_ITEM_BYTES = 409_600;

/** A list or map costs three bytes, and one per element. */
const COLLECTION_BYTES = 3;

/** DynamoDB's size rules: names and values in UTF-8, about one byte per two digits of a number. */
export function itemSize(item: { readonly [name: string]: Json }): number {
  return Object.entries(item).reduce((sum, [name, value]) => sum + utf8Length(name) + valueSize(value), 0);
}

export function checkSize(item: Item): void {
  if (itemSize(item) > MAX_ITEM_BYTES)
    throw new TableError('too_large', 'not_done', `Item ${item.pk} ${item.sk} is over ${MAX_ITEM_BYTES} bytes.`);
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
