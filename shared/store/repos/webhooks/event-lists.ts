import type { EventRecord } from '#shared/domain/reference/events.catalog.ts';
import type { ListPage } from '#shared/domain/reference/page.rules.ts';
import { isUnattempted } from '#shared/domain/webhooks/delivery.rules.ts';
import { minId } from '#shared/kernel/ids.ts';
import type { EventsPort, FailedEventsPage, FailedEventsQuery } from '#shared/ports/events.port.ts';
import { eventPartition, indexKeys } from '#shared/store/keys.ts';
import {
  type Candidate,
  collectPage,
  inShards,
  listRecords,
  lowestId,
  startPosition,
} from '#shared/store/list-records.ts';
import { mergePages, type PageReader } from '#shared/store/merge-pages.ts';
import { toEvent } from '#shared/store/repos/webhooks/event.entity.ts';
import type { IndexEntry, Item, Page, PageQuery, TablePort } from '#shared/store/table/table.port.ts';

export type EventsQuery = Parameters<EventsPort['list']>[1];

/** The largest read of one partition at once: if the size of a page in bytes ends it early, little was read in vain. */
const MAX_CHUNK = 50;

/** Newest first. Failed events have an index. For any other filter the events are read in their own order. */
export async function listEvents(
  table: TablePort,
  orgId: string,
  query: EventsQuery,
  count: number,
): Promise<ListPage<EventRecord>> {
  if (query.status === 'failed') return listFailed(table, orgId, query, count);
  const { before, skip } = startPosition(query, 'event');
  return collectPage(eventsOf(table, partitionsOf(orgId, count), query, before), { ...query, skip });
}

async function* eventsOf(
  table: TablePort,
  partitions: readonly string[],
  query: EventsQuery,
  before: string | undefined,
): AsyncGenerator<Candidate<EventRecord>> {
  const floor = lowestId(query, 'event');
  const chunk = Math.min(MAX_CHUNK, Math.ceil(query.limit / partitions.length) + 2);
  for await (const item of mergePages(readersOf(table, partitions), ({ sk }) => sk, before, chunk)) {
    if (item.sk < floor) return;
    const event = toEvent(item);
    const matches =
      (query.type === undefined || event.type === query.type) &&
      (query.status === undefined || event.status === query.status);
    yield { at: item.sk, hit: matches ? event : undefined };
  }
}

const partitionsOf = (orgId: string, count: number): readonly string[] =>
  inShards(count, (n) => eventPartition(orgId, n));

const readersOf = (table: TablePort, partitions: readonly string[]): readonly PageReader<Item>[] =>
  partitions.map(
    (pk): PageReader<Item> =>
      (below, limit) =>
        table.query({
          pk,
          limit,
          newestFirst: true,
          ...(below !== undefined && { range: { lt: below } }),
        }),
  );

const failedPartitions = (orgId: string, count: number): readonly string[] =>
  inShards(count, (n) => indexKeys.failedEvents(orgId, n));

function listFailed(
  table: TablePort,
  orgId: string,
  query: EventsQuery,
  count: number,
): Promise<ListPage<EventRecord>> {
  const partitions = failedPartitions(orgId, count);
  const source = { index: 'status', partitions, exact: query.type === undefined } as const;
  // Index entries lag behind: an event that was just delivered may still have one.
  const matches = (event: EventRecord) =>
    event.status === 'failed' && (query.type === undefined || event.type === query.type);
  return listRecords(table, { source, matches, read: toEvent, idKind: 'event' }, query);
}

type ShardedQuery = FailedEventsQuery & { readonly shards: number };

/**
 * The range of ids of events in this time, and after the event `after`. No id contains a tilde, so `after~` is the next
 * possible key after `after`.
 */
const idRange = ({ since, until, after }: FailedEventsQuery) =>
  ({
    between: [after === undefined ? minId('event', new Date(since)) : `${after}~`, minId('event', new Date(until))],
  }) as const;

/**
 * Events without an attempt, oldest first. They have no index, because nearly all events have an attempt within
 * seconds: all events of that time are read, which costs as much as listing them.
 */
export async function unattemptedEventIds(
  table: TablePort,
  orgId: string,
  query: ShardedQuery,
  limit: number,
): Promise<FailedEventsPage> {
  const [from, to] = idRange(query).between;
  if (from > to) return { ids: [], next: undefined };
  const pages = await Promise.all(
    partitionsOf(orgId, query.shards).map((pk) =>
      table.query({ pk, range: { between: [from, to] }, limit, consistent: true }),
    ),
  );
  const readUpTo = pages.flatMap(({ items, next }) => (next === undefined ? [] : (items.at(-1)?.sk ?? from))).sort()[0];
  const found = pages
    .flatMap(({ items }) => items.map(toEvent))
    .filter((event) => isUnattempted(event) && (query.type === undefined || event.type === query.type))
    .map(({ id }) => id)
    .filter((id) => readUpTo === undefined || id <= readUpTo)
    .sort();
  const ids = found.slice(0, limit);
  return { ids, next: ids.length < found.length ? ids.at(-1) : readUpTo };
}

/** Failed events of every type, oldest first. Only their keys are read. */
export async function failedEventIds(
  table: TablePort,
  orgId: string,
  query: ShardedQuery,
  limit: number,
): Promise<FailedEventsPage> {
  const range = idRange(query);
  const pages = await Promise.all(
    failedPartitions(orgId, query.shards).map((pk) => firstEntries(table, { pk, range, limit })),
  );
  const horizon = pages.flatMap(({ items, next }) => (next === undefined ? [] : (items.at(-1)?.at ?? []))).sort()[0];
  const sorted = pages.flatMap(({ items }) => items.map(({ at }) => at)).sort();
  const ids = sorted.filter((id) => horizon === undefined || id <= horizon).slice(0, limit);
  const isAll = horizon === undefined && ids.length === sorted.length;
  return { ids, next: isAll ? undefined : ids.at(-1) };
}

/** The first page of a partition that is not empty: the store may end a page early. */
async function firstEntries(table: TablePort, query: PageQuery): Promise<Page<IndexEntry>> {
  let page = await table.entries('status', query);
  while (page.items.length === 0 && page.next !== undefined)
    page = await table.entries('status', { ...query, after: page.next });
  return page;
}
