import type { Change, Cond, Item, Key, TablePort } from '#shared/ports/table.port.ts';

/** What leaves an item: entries by name, and what they added to its counts. Once for all, however many take it out. */
export type Leaving = Change & { readonly remove: readonly string[] };

/**
 * How something comes into an item that counts what happened lately. Coming in is one conditional update: there is room, and
 * it is not in yet. What has slid out of the window counts until there is no room; only then is it cleared away.
 */
export type Entering = {
  readonly change: Change;
  readonly room: Cond;
  readonly isIn: (item: Item) => boolean;
  readonly slidOut: (item: Item) => Leaving | undefined;
};

/** Whoever finds the window full clears it of what has slid out, and asks again: others may do the same. */
const ROUNDS = 20;

/** `met`: the item that it was in already, or that has no room and nothing that can leave. */
export type Entered = { readonly how: 'entered' } | { readonly how: 'was_in' | 'full'; readonly met: Item | undefined };

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

/** For the store's own clean-up: twice as long as anything can be inside the window. */
export const ttlAfter = (at: Date, length: number): number => Math.ceil((at.getTime() + 2 * length) / 1_000);
