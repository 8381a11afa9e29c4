import { SECOND } from '#shared/kernel/clock.ts';
import { noPause, retryOnConflict } from '#shared/kernel/retry-on-conflict.ts';
import type { Condition, Item, ItemChange, Key, TablePort } from '#shared/store/table/table.port.ts';

/**
 * Entries to remove by name, and the counts to subtract. If several processes remove the same entries, one succeeds.
 */
export type WindowRemoval = ItemChange & { readonly remove: readonly string[] };

/**
 * How to add an entry to an item that counts recent events. One conditional update adds it, if the window is not full
 * and does not have the entry yet. Expired entries count until the window is full; only then they are removed.
 */
type WindowAddition = {
  readonly change: ItemChange;
  readonly condition: Condition;
  readonly contains: (item: Item) => boolean;
  readonly expiredEntries: (item: Item) => WindowRemoval | undefined;
};

/** `item`: the stored item, which has the entry already, or is full and has no expired entries. */
type AddResult =
  | { readonly outcome: 'added' }
  | { readonly outcome: 'already_in' | 'full'; readonly item: Item | undefined };

/** If the window is full, removes expired entries and tries again. Other processes may do so at the same time. */
export function addToWindow(
  table: TablePort,
  key: Key,
  { change, condition, contains, expiredEntries: expired }: WindowAddition,
): Promise<AddResult> {
  const attempt = async (): Promise<AddResult | undefined> => {
    const written = await table.update(key, change, condition);
    if (written.ok) return { outcome: 'added' };
    const item = written.old;
    if (item && contains(item)) return { outcome: 'already_in', item };
    const removal = item && expired(item);
    if (!removal) return { outcome: 'full', item };
    await removeFromWindow(table, key, removal);
    return undefined;
  };
  return retryOnConflict(attempt, windowConflict, { attempts: WINDOW_ATTEMPTS, wait: noPause });
}

/** Each attempt removes expired entries, so more conflicts than this mean a fault. */
export const WINDOW_ATTEMPTS = 20;
export const windowConflict = (): Error => new Error('Other processes kept changing the window.');

export async function removeFromWindow(table: TablePort, key: Key, removal: WindowRemoval): Promise<void> {
  await table.update(key, removal, { all: removal.remove.map((name): Condition => ({ exists: name })) });
}

/** When the store may delete the item, in seconds: after twice the length of the window. */
export const ttlAfter = (at: Date, length: number): number => Math.ceil((at.getTime() + 2 * length) / SECOND);
