import type { Page } from '#shared/ports/table.port.ts';

/**
 * One partition of a list, newest first, below `before`. A short page may have a next: the store also ends pages at a
 * megabyte.
 */
export type Stream<T> = (before: string | undefined, limit: number) => Promise<Page<T>>;

/**
 * Merges partitions into one list, newest first. Reads depend on what is consumed, not on the total: first `chunk` of
 * each lane, then as much as was taken from that lane so far, at most `most` at once.
 */
export async function* mergeNewest<T>(
  streams: readonly Stream<T>[],
  idOf: (thing: T) => string,
  before: string | undefined,
  chunk: number,
  most = chunk,
): AsyncGenerator<T> {
  const lanes = await Promise.all(streams.map((stream) => openLane(stream, before, Math.min(chunk, most))));
  for (;;) {
    let newest: Lane<T> | undefined;
    for (const lane of lanes)
      if (lane.waiting.length > 0 && (!newest || idOf(lane.waiting[0] as T) > idOf(newest.waiting[0] as T)))
        newest = lane;
    if (!newest) return;
    const thing = newest.waiting.shift() as T;
    yield thing;
    if (newest.waiting.length === 0 && newest.more) await refill(newest, idOf(thing), Math.min(newest.taken, most));
  }
}

type Lane<T> = { readonly stream: Stream<T>; waiting: T[]; taken: number; more: boolean };

async function openLane<T>(stream: Stream<T>, before: string | undefined, chunk: number): Promise<Lane<T>> {
  const lane: Lane<T> = { stream, waiting: [], taken: 0, more: true };
  await refill(lane, before, chunk);
  return lane;
}

async function refill<T>(lane: Lane<T>, before: string | undefined, chunk: number): Promise<void> {
  const { items, next } = await lane.stream(before, chunk);
  lane.waiting = [...items];
  lane.taken += items.length;
  lane.more = items.length > 0 && next !== undefined;
}
