import type { Page } from '#shared/store/table/table.port.ts';

/**
 * Reads one partition of a list, newest first, below `before`. A page with fewer than `limit` items may have a next
 * one: the store also ends a page at one megabyte.
 */
export type PageReader<T> = (before: string | undefined, limit: number) => Promise<Page<T>>;

/**
 * Merges partitions into one list, newest first. It reads only what is consumed: first `chunk` items of each partition,
 * then each time as many as it has read of that partition so far, but at most `max`.
 */
export async function* mergePages<T>(
  readers: readonly PageReader<T>[],
  idOf: (item: T) => string,
  before: string | undefined,
  chunk: number,
  max = chunk,
): AsyncGenerator<T> {
  const partitions = await Promise.all(readers.map((read) => openReader(read, before, Math.min(chunk, max))));
  for (;;) {
    let newest: PartitionReader<T> | undefined;
    for (const lane of partitions)
      if (lane.buffered.length > 0 && (!newest || idOf(lane.buffered[0] as T) > idOf(newest.buffered[0] as T)))
        newest = lane;
    if (!newest) return;
    const item = newest.buffered.shift() as T;
    yield item;
    if (newest.buffered.length === 0 && newest.more) await refill(newest, idOf(item), Math.min(newest.count, max));
  }
}

type PartitionReader<T> = { readonly read: PageReader<T>; buffered: T[]; count: number; more: boolean };

async function openReader<T>(
  read: PageReader<T>,
  before: string | undefined,
  chunk: number,
): Promise<PartitionReader<T>> {
  const lane: PartitionReader<T> = { read, buffered: [], count: 0, more: true };
  await refill(lane, before, chunk);
  return lane;
}

async function refill<T>(lane: PartitionReader<T>, before: string | undefined, chunk: number): Promise<void> {
  const { items, next } = await lane.read(before, chunk);
  lane.buffered = [...items];
  lane.count += items.length;
  lane.more = items.length > 0 && next !== undefined;
}
