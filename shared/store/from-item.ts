import { INDEXES, type Item } from '#shared/store/table/table.port.ts';

/**
 * Attributes that the store adds to a record: keys of the item and of its indexes, and the nonce of the write.
 */
const TABLE_ATTRIBUTES: ReadonlySet<string> = new Set([
  'pk',
  'sk',
  'item_type',
  'nonce',
  ...Object.values(INDEXES).flat(),
]);

/** The record in an item. Nothing checks that it is a `T`: callers pass items that they have written as one. */
export function fromItem<T>(item: Item): T {
  const record: Record<string, unknown> = {};
  for (const name of Object.keys(item)) if (!TABLE_ATTRIBUTES.has(name)) record[name] = item[name];
  return record as T;
}
