import { INDEXES, type Item } from '#shared/ports/table.port.ts';
import { itemSize } from '#shared/store/size.rules.ts';

const WRITE_BYTES = 1_024;
const READ_BYTES = 4_096;

/**
 * Write request units of one write, with its index entries. A write that fails its condition, and a check, cost as if
 * they left the item as it is. A transaction doubles the item, not the entries, which follow later by themselves.
 */
export function writeUnits(old: Item | undefined, next: Item | undefined, { transaction = false } = {}): number {
  const item = unitsOf(Math.max(sizeOf(old), sizeOf(next)), WRITE_BYTES) * (transaction ? 2 : 1);
  return item + Object.values(INDEXES).reduce((sum, pair) => sum + entryUnits(entryIn(pair, old), entryIn(pair, next)), 0);
}

/** Read request units of one call over this many bytes; a query adds up what it reads before it rounds, a batch rounds each item. */
export const readUnits = (bytes: number, { consistent = false } = {}): number => unitsOf(bytes, READ_BYTES) * (consistent ? 1 : 0.5);

/** What an index holds of an item: the two keys, nothing more. */
export function entryIn([partition, sort]: readonly [string, string], item: Item | undefined): Item | undefined {
  const [part, at] = [item?.[partition], item?.[sort]];
  return item && typeof part === 'string' && typeof at === 'string' ? { pk: item.pk, sk: item.sk, [partition]: part, [sort]: at } : undefined;
}

/** An entry that moves is taken out and put in; one that stays costs nothing, since nothing else is in it. */
function entryUnits(old: Item | undefined, next: Item | undefined): number {
  if (JSON.stringify(old) === JSON.stringify(next)) return 0;
  return [old, next].reduce((sum, entry) => sum + (entry ? unitsOf(itemSize(entry), WRITE_BYTES) : 0), 0);
}

const sizeOf = (item: Item | undefined): number => (item ? itemSize(item) : 0);

/** Reading or writing nothing costs one as well. */
const unitsOf = (bytes: number, each: number): number => Math.max(1, Math.ceil(bytes / each));
