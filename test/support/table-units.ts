import { itemSize } from '#shared/store/table/item.rules.ts';
import { INDEXES, type Item } from '#shared/store/table/table.port.ts';

const WRITE_BYTES = 1_024;
const READ_BYTES = 4_096;

/**
 * Write units of one write, with its index entries. A failed condition or a check costs as if the item stayed the same.
 * A transaction doubles the item's cost, not its entries', which follow asynchronously.
 */
export function writeUnits(old: Item | undefined, next: Item | undefined, { transaction = false } = {}): number {
  const item = unitsOf(Math.max(sizeOf(old), sizeOf(next)), WRITE_BYTES) * (transaction ? 2 : 1);
  return (
    item + Object.values(INDEXES).reduce((sum, pair) => sum + entryUnits(entryIn(pair, old), entryIn(pair, next)), 0)
  );
}

/** Read units of a call over this many bytes; a query rounds the sum, a batch each item. */
export const readUnits = (bytes: number, { consistent = false } = {}): number =>
  unitsOf(bytes, READ_BYTES) * (consistent ? 1 : 0.5);

/** An index entry's size: the two keys, nothing more. */
export function entryIn([partition, sort]: readonly [string, string], item: Item | undefined): Item | undefined {
  const [part, at] = [item?.[partition], item?.[sort]];
  return item && typeof part === 'string' && typeof at === 'string'
    ? { pk: item.pk, sk: item.sk, [partition]: part, [sort]: at }
    : undefined;
}

/** A moved entry is deleted and added; an unchanged one costs nothing, as it holds only keys. */
function entryUnits(old: Item | undefined, next: Item | undefined): number {
  if (JSON.stringify(old) === JSON.stringify(next)) return 0;
  return [old, next].reduce((sum, entry) => sum + (entry ? unitsOf(itemSize(entry), WRITE_BYTES) : 0), 0);
}

const sizeOf = (item: Item | undefined): number => (item ? itemSize(item) : 0);

/** Reading or writing nothing costs one unit too. */
const unitsOf = (bytes: number, each: number): number => Math.max(1, Math.ceil(bytes / each));
