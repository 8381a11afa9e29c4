import { SECOND } from '#shared/kernel/clock.ts';
import { noPause, retryOnConflict } from '#shared/kernel/retry-on-conflict.ts';
import type { Change, Cond, Item, Key, TablePort } from '#shared/store/table/table.port.ts';

/** Entries to remove by name, with the counts to subtract; applied once, however many processes try. */
export type Removal = Change & { readonly remove: readonly string[] };

/**
 * How to add an entry to an item that counts recent things. Adding is one conditional update: there is room, and the
 * entry is not there yet. Expired entries count until the window is full; only then are they removed.
 */
type Addition = {
  readonly change: Change;
  readonly hasRoom: Cond;
  readonly contains: (item: Item) => boolean;
  readonly expired: (item: Item) => Removal | undefined;
};

/** `item`: what holds the entry already, or is full without expired entries. */
type AddResult = { readonly how: 'added' } | { readonly how: 'already_in' | 'full'; readonly item: Item | undefined };

/** If the window is full, expired entries are removed, and it is tried again; other processes may do the same. */
export function addToWindow(
  table: TablePort,
  key: Key,
  { change, hasRoom, contains, expired }: Addition,
): Promise<AddResult> {
  const attempt = async (): Promise<AddResult | undefined> => {
    const written = await table.update(key, change, hasRoom);
    if (written.ok) return { how: 'added' };
    const item = written.old;
    if (item && contains(item)) return { how: 'already_in', item };
    const removal = item && expired(item);
    if (!removal) return { how: 'full', item };
    await removeFromWindow(table, key, removal);
    return undefined;
  };
  return retryOnConflict(attempt, windowBusy, { attempts: WINDOW_ATTEMPTS, wait: noPause });
}

/** Each attempt removes expired entries, so more conflicts than this mean a fault. */
export const WINDOW_ATTEMPTS = 20;
export const windowBusy = (): Error => new Error('Other processes kept changing the window.');

export async function removeFromWindow(table: TablePort, key: Key, removal: Removal): Promise<void> {
  await table.update(key, removal, { all: removal.remove.map((name): Cond => ({ exists: name })) });
}

/** For the store's own clean-up: twice the window's length. */
export const ttlAfter = (at: Date, length: number): number => Math.ceil((at.getTime() + 2 * length) / SECOND);
