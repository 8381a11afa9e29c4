import { INDEXES, type Item } from '#shared/ports/table.port.ts';

/**
 * Attributes that the table adds to a record: keys of the item and of its indexes, and the nonce that tells a write
 * from its repeat.
 */
const TABLE_FIELDS: ReadonlySet<string> = new Set(['pk', 'sk', 'item_type', 'nonce', ...Object.values(INDEXES).flat()]);

/** The record that an item holds. `T` is what was written: only this and the entities vouch for that. */
export const recordIn = <T>(item: Item): T =>
  Object.fromEntries(Object.entries(item).filter(([name]) => !TABLE_FIELDS.has(name))) as T;
