import type { Entry, Item, TablePort } from '#shared/ports/table.port.ts';

/** The store reads up to 100 items at once. */
const MOST_ITEMS = 100;

/** Reads an item's record and checks the filter. Entries lag, so the indexed fields are checked again too. */
export type Judge<T> = { readonly read: (item: Item) => T; readonly fits: (record: T) => boolean };
export type Looked<T> = { readonly at: string; readonly hit: T | undefined };

/** Reads the entries' records, in batches sized by the hits that are still missing. */
export async function* lookedAt<T>(
  table: TablePort,
  entries: AsyncIterator<Entry>,
  { read, fits }: Judge<T>,
  wanted: number,
): AsyncGenerator<Looked<T>> {
  const count = { looked: 0, hits: 0 };
  for (;;) {
    const batch = await take(entries, batchFor(wanted - count.hits, count));
    if (batch.length === 0) return;
    const items = await table.getMany(batch.map(({ pk, sk }) => ({ pk, sk })));
    for (const [n, { at }] of batch.entries()) {
      const record = items[n] && read(items[n]);
      const hit = record && fits(record) ? record : undefined;
      count.looked += 1;
      count.hits += hit ? 1 : 0;
      yield { at, hit };
    }
  }
}

/** Equal batches, so that a page reads nothing beyond itself. */
function batchFor(missing: number, { looked, hits }: { readonly looked: number; readonly hits: number }): number {
  const likely = looked === 0 ? missing : Math.ceil((missing * looked) / Math.max(1, hits));
  return Math.ceil(likely / Math.ceil(likely / MOST_ITEMS));
}

async function take<T>(things: AsyncIterator<T>, count: number): Promise<readonly T[]> {
  const taken: T[] = [];
  while (taken.length < count) {
    const { value, done } = await things.next();
    if (done) break;
    taken.push(value);
  }
  return taken;
}
