import type { Change, Cond, Item, Key, TablePort } from '#shared/ports/table.port.ts';

/** Entries to remove by name, with the counts to subtract; applied once, however many processes try. */
export type Leaving = Change & { readonly remove: readonly string[] };

/**
 * How to enter an item that counts recent things. Entering is one conditional update: there is room, and it is not in
 * yet. Expired entries count until the window is full; only then are they removed.
 */
type Entering = {
  readonly change: Change;
  readonly room: Cond;
  readonly isIn: (item: Item) => boolean;
  readonly slidOut: (item: Item) => Leaving | undefined;
};

/** A process that finds the window full removes expired entries and tries again, as may others. */
const ROUNDS = 20;

/** `met`: the item that holds the entry already, or is full without expired entries. */
type Entered = { readonly how: 'entered' } | { readonly how: 'was_in' | 'full'; readonly met: Item | undefined };

export async function enter(table: TablePort, key: Key, { change, room, isIn, slidOut }: Entering): Promise<Entered> {
  for (let round = 0; round < ROUNDS; round += 1) {
    const written = await table.update(key, change, room);
    if (written.ok) return { how: 'entered' };
    const met = written.old;
    if (met && isIn(met)) return { how: 'was_in', met };
    const old = met && slidOut(met);
    if (!old) return { how: 'full', met };
    await leave(table, key, old);
  }
  throw new Error('A window was changed by others again and again.');
}

export async function leave(table: TablePort, key: Key, leaving: Leaving): Promise<void> {
  await table.update(key, leaving, { all: leaving.remove.map((name): Cond => ({ exists: name })) });
}

/** For the store's own clean-up: twice the window's length. */
export const ttlAfter = (at: Date, length: number): number => Math.ceil((at.getTime() + 2 * length) / 1_000);
