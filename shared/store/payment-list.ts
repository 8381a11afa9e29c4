import type { Payment } from '#shared/domain/payment.model.ts';
import { idFloor } from '#shared/kernel/ids.ts';
import type { ListPage, ListWhere } from '#shared/ports/stores.port.ts';
import type { Entry, IndexName, TablePort } from '#shared/ports/table.port.ts';
import { indexKeys, LIST_SHARDS, shards } from '#shared/store/keys.ts';
import { mergeNewest, type Stream } from '#shared/store/merge-newest.ts';
import { paymentEntity } from '#shared/store/payment.entity.ts';

/** Entries looked at for one page at most; a page that a filter leaves short still has a next. */
const MOST_LOOKED_AT = 2_000;
const MOST_KEYS = 50;

/** The store reads up to 100 at once; batches of one size that make up the page read nothing beyond it. */
const batchFor = (wanted: number): number => Math.ceil(wanted / Math.ceil(wanted / 100));

/** A page costs what it holds: the narrowest index serves it, and the rest is judged on the payments themselves. */
export async function listPayments(table: TablePort, orgId: string, connectionIds: readonly string[], where: ListWhere): Promise<ListPage<Payment>> {
  const source = sourceOf(orgId, connectionIds, where);
  const fits = filterOf(orgId, where, source.exact);
  const page: Payment[] = [];
  let skip = source.exact ? 0 : where.offset;
  let looked = 0;
  for await (const { at, payment } of paymentsOf(table, entriesOf(table, source, where), batchFor(where.limit + 1))) {
    looked += 1;
    const hit = payment && fits(payment) ? payment : undefined;
    if (hit && skip > 0) skip -= 1;
    else if (hit && page.length === where.limit) return { items: page, next: page.at(-1)?.id };
    else if (hit) page.push(hit);
    if (looked >= MOST_LOOKED_AT + where.offset) return { items: page, next: at };
  }
  return { items: page, next: undefined };
}

/** Keys of what may be on the page, newest first. An exact source's offset is skipped here, on keys alone. */
async function* entriesOf(table: TablePort, source: Source, where: ListWhere): AsyncGenerator<Entry> {
  const before = where.cursor ?? (where.created_before && idFloor('payment', new Date(where.created_before)));
  const floor = where.created_after ? idFloor('payment', new Date(where.created_after)) : '';
  const streams = source.partitions.map((pk) => streamOf(table, source.index, pk));
  let skip = source.exact ? where.offset : 0;
  let seen: string | undefined;
  for await (const entry of mergeNewest(streams, ({ at }) => at, before, Math.min(MOST_KEYS, where.limit + 1))) {
    if (entry.at < floor) return;
    // While an entry moves from one partition to another, a late index shows both.
    if (entry.at === seen) continue;
    seen = entry.at;
    if (skip > 0) skip -= 1;
    else yield entry;
  }
}

type Looked = { readonly at: string; readonly payment: Payment | undefined };

/** The payments of these entries, read so many at a time. */
async function* paymentsOf(table: TablePort, entries: AsyncIterable<Entry>, size: number): AsyncGenerator<Looked> {
  let batch: Entry[] = [];
  for await (const entry of entries) {
    batch.push(entry);
    if (batch.length < size) continue;
    yield* await readBatch(table, batch);
    batch = [];
  }
  if (batch.length > 0) yield* await readBatch(table, batch);
}

async function readBatch(table: TablePort, batch: readonly Entry[]): Promise<readonly Looked[]> {
  const items = await table.getMany(batch.map(({ pk, sk }) => ({ pk, sk })));
  return batch.map(({ at }, n) => ({ at, payment: items[n] && paymentEntity.fromItem(items[n]) }));
}

const streamOf =
  (table: TablePort, index: IndexName, pk: string): Stream<Entry> =>
  async (below, limit) =>
    (await table.entries(index, { pk, limit, newestFirst: true, ...(below !== undefined && { range: { lt: below } }) })).items;

type Source = { readonly index: IndexName; readonly partitions: readonly string[]; readonly exact: boolean };

/** `exact`: every entry is a hit, so an offset is skipped on keys alone. */
function sourceOf(orgId: string, connectionIds: readonly string[], where: ListWhere): Source {
  const { customer_id, status, connection_id, currency } = where;
  const alone = currency === undefined && [customer_id, status, connection_id].filter((f) => f !== undefined).length <= 1;
  if (customer_id !== undefined) return { index: 'customer', partitions: [indexKeys.customer(orgId, customer_id)], exact: alone };
  if (status !== undefined && status !== 'succeeded') {
    return { index: 'status', partitions: shards(LIST_SHARDS).map((n) => indexKeys.status(orgId, status, n)), exact: alone };
  }
  const owners = connection_id === undefined ? [null, ...connectionIds] : [connection_id];
  return {
    index: 'list',
    partitions: owners.flatMap((owner) => shards(LIST_SHARDS).map((n) => indexKeys.list(orgId, owner, n))),
    exact: alone && status === undefined,
  };
}

/** Entries are late: what they say is checked again on the payment. */
function filterOf(orgId: string, where: ListWhere, exact: boolean): (payment: Payment) => boolean {
  return (payment) =>
    payment.org_id === orgId &&
    (where.customer_id === undefined || payment.customer_id === where.customer_id) &&
    (where.status === undefined || payment.status === where.status) &&
    (where.connection_id === undefined || payment.connection_id === where.connection_id) &&
    (exact || where.currency === undefined || payment.currency === where.currency);
}
