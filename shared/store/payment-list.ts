import type { Payment } from '#shared/domain/payment.model.ts';
import { idFloor } from '#shared/kernel/ids.ts';
import type { ListPage, ListWhere } from '#shared/ports/stores.port.ts';
import type { Entry, IndexName, TablePort } from '#shared/ports/table.port.ts';
import { indexKeys, LIST_SHARDS, shards } from '#shared/store/keys.ts';
import { mergeNewest, type Stream } from '#shared/store/merge-newest.ts';
import { paymentEntity } from '#shared/store/payment.entity.ts';

/** Entries looked at for one page at most; a page that a filter leaves short still has a next. */
const MOST_LOOKED_AT = 2_000;
const BATCH = 50;

/** A page costs what it holds: the narrowest index serves it, and the rest is judged on the payments themselves. */
export async function listPayments(table: TablePort, orgId: string, connectionIds: readonly string[], where: ListWhere): Promise<ListPage<Payment>> {
  const before = where.cursor ?? (where.created_before && idFloor('payment', new Date(where.created_before)));
  const floor = where.created_after ? idFloor('payment', new Date(where.created_after)) : '';
  const source = partitions(orgId, connectionIds, where);
  const streams = source.partitions.map(
    (pk): Stream<Entry> =>
      (below, limit) =>
        readStream(table, source.index, pk, below, limit),
  );
  const fits = filterOf(orgId, where, source.exact);
  const page: Payment[] = [];
  let skip = where.offset;
  let looked = 0;
  let batch: Entry[] = [];
  let last: string | undefined;
  const flush = async () => {
    const items = await table.getMany(batch.map(({ pk, sk }) => ({ pk, sk })));
    batch = [];
    for (const item of items) {
      const payment = item && paymentEntity.fromItem(item);
      if (!payment || page.length > where.limit || !fits(payment)) continue;
      if (skip > 0) skip -= 1;
      else page.push(payment);
    }
  };
  for await (const entry of mergeNewest(streams, (e) => e.at, before, Math.min(BATCH, where.limit + 1))) {
    if (entry.at < floor) break;
    if (source.exact && skip > 0) {
      skip -= 1;
      continue;
    }
    batch.push(entry);
    last = entry.at;
    looked += 1;
    if (batch.length >= Math.min(BATCH, where.limit + 1)) await flush();
    if (page.length > where.limit || looked >= MOST_LOOKED_AT) break;
  }
  if (batch.length > 0) await flush();
  if (page.length > where.limit) return { items: page.slice(0, where.limit), next: page[where.limit - 1]?.id };
  return { items: page, next: looked >= MOST_LOOKED_AT ? last : undefined };
}

/** `exact`: every entry is a hit, so an offset is skipped on keys alone. */
function partitions(orgId: string, connectionIds: readonly string[], where: ListWhere): { index: IndexName; partitions: string[]; exact: boolean } {
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

async function readStream(table: TablePort, index: IndexName, pk: string, below: string | undefined, limit: number): Promise<readonly Entry[]> {
  const page = await table.entries(index, { pk, limit, newestFirst: true, ...(below !== undefined && { range: { lt: below } }) });
  return page.items;
}
