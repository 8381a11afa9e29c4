import { AppError } from '#shared/kernel/errors.ts';
import type { Item, TablePort } from '#shared/ports/table.port.ts';
import { certainPut } from '#shared/store/certain-put.ts';
import type { NeedRoom } from '#shared/store/room.ts';

/** More lost races than this mean that the decision itself is at fault. */
const MOST_TRIES = 50;

type Versioned = { readonly id: string; readonly version: number };

export type Entity<T> = {
  readonly toItem: (record: T) => Item;
  readonly fromItem: (item: Item) => T;
  /** For records with an outbox. */
  readonly needRoom?: NeedRoom<T>;
};

/** This record, or the one that an earlier try stored in its place. */
export async function createOnce<T>(
  table: TablePort,
  { toItem, fromItem, needRoom }: Entity<T>,
  record: T,
): Promise<T> {
  const item = toItem(record);
  needRoom?.(item, record, undefined);
  const written = await certainPut(table, item, { absent: 'pk' });
  return written.ok || !written.old ? record : fromItem(written.old);
}

/**
 * Decides on the stored record and writes on its version; a lost race decides again on the newer one. `name`: for error
 * messages.
 */
export async function changeVersioned<T extends Versioned>(
  table: TablePort,
  { toItem, fromItem, needRoom }: Entity<T>,
  record: T,
  decide: (record: T) => T | undefined,
  name: string,
): Promise<T> {
  let current = record;
  for (let tries = 0; tries < MOST_TRIES; tries += 1) {
    const after = decide(current);
    if (!after) return current;
    const item = toItem({ ...after, version: current.version + 1 });
    needRoom?.(item, after, current);
    const written = await certainPut(table, item, { eq: ['version', current.version] });
    if (written.ok) return fromItem(written.item);
    if (!written.old) throw new AppError('not_found', `No ${name} ${record.id}.`);
    current = fromItem(written.old);
  }
  throw new AppError('write_conflict', `The ${name} is changing too fast. Please try again.`);
}
