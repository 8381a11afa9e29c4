import type { Payment } from '#shared/domain/payment.model.ts';
import type { Entry, TablePort } from '#shared/ports/table.port.ts';
import { paymentEntity } from '#shared/store/payment.entity.ts';

/** The store reads up to 100 items at once. */
const MOST_ITEMS = 100;

type Looked = { readonly at: string; readonly hit: Payment | undefined };

/** The payments of these entries, read so many at a time as should hold the hits that are still wanted. */
export async function* lookedAt(table: TablePort, entries: AsyncIterator<Entry>, fits: (payment: Payment) => boolean, wanted: number): AsyncGenerator<Looked> {
  const count = { looked: 0, hits: 0 };
  for (;;) {
    const batch = await take(entries, batchFor(wanted - count.hits, count));
    if (batch.length === 0) return;
    const items = await table.getMany(batch.map(({ pk, sk }) => ({ pk, sk })));
    for (const [n, { at }] of batch.entries()) {
      const payment = items[n] && paymentEntity.fromItem(items[n]);
      const hit = payment && fits(payment) ? payment : undefined;
      count.looked += 1;
      count.hits += hit ? 1 : 0;
      yield { at, hit };
    }
  }
}

/** Batches of one size, so that those that make up a page read nothing beyond it. */
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
