import type { EventAttempt, EventRecord, NewEvent } from '#shared/domain/reference/events.catalog.ts';
import type { ListPage } from '#shared/domain/reference/page.rules.ts';
import { isUnattempted, withAttempt } from '#shared/domain/webhooks/delivery.rules.ts';
import { isId, minId } from '#shared/kernel/ids.ts';
import type { EventsPort, FailedEventsPage, FailedEventsQuery } from '#shared/ports/events.port.ts';
import { dueEntry, EVENT_SHARDS, eventPartition, indexKeys, keys, shards } from '#shared/store/keys.ts';
import { type Candidate, collectPage, listRecords, lowestId, startPosition } from '#shared/store/list-records.ts';
import { mergePages, type PageReader } from '#shared/store/merge-pages.ts';
import { getAll } from '#shared/store/read-all.ts';
import { eventItem, failedEntry, toEvent } from '#shared/store/repos/webhooks/event.entity.ts';
import type { Condition, IndexEntry, Item, Page, PageQuery, TablePort } from '#shared/store/table/table.port.ts';

export class EventRepo implements EventsPort {
  readonly #table: TablePort;
  constructor(table: TablePort) {
    this.#table = table;
  }

  async record(event: NewEvent, dueAt?: Date): Promise<EventRecord> {
    const newEvent: EventRecord = { ...event, tries: 0 };
    const due = dueEntry(dueAt?.toISOString(), event.id);
    const written = await this.#table.put(
      { ...eventItem(newEvent), ...failedEntry(event, event.status), ...due },
      { absent: 'pk' },
    );
    return written.ok || !written.old ? newEvent : toEvent(written.old);
  }

  async get(orgId: string, id: string): Promise<EventRecord | undefined> {
    const item = isId('event', id) ? await this.#table.get(keys.event(orgId, id), { consistent: true }) : undefined;
    return item && toEvent(item);
  }

  async getMany(orgId: string, ids: readonly string[]): Promise<readonly EventRecord[]> {
    const items = await getAll(
      this.#table,
      ids.map((id) => keys.event(orgId, id)),
    );
    return items.flatMap((item) => (item ? [toEvent(item)] : []));
  }

  list(orgId: string, query: EventsQuery): Promise<ListPage<EventRecord>> {
    return listEvents(this.#table, orgId, query);
  }

  listFailedIds(orgId: string, query: FailedEventsQuery, limit: number): Promise<FailedEventsPage> {
    return failedEventIds(this.#table, orgId, query, limit);
  }

  listUnattemptedIds(orgId: string, query: FailedEventsQuery, limit: number): Promise<FailedEventsPage> {
    return unattemptedEventIds(this.#table, orgId, query, limit);
  }

  async recordAttempt(
    event: EventRecord,
    { attempt, status, ...next }: Parameters<EventsPort['recordAttempt']>[1],
  ): Promise<boolean> {
    const attempts = attempt ? withAttempt(event.attempts, attempt) : event.attempts;
    const tries = event.tries + (attempt ? 1 : 0);
    const due = dueEntry(next.dueAt?.toISOString(), event.id);
    const failed = failedEntry(event, status);
    const set = {
      attempts: attempts as unknown as Item[],
      status,
      next_attempt_at: next.nextAt?.toISOString() ?? null,
      tries,
      ...due,
      ...failed,
    };
    const remove = ['due_pk', 'due_sk', 'status_pk', 'status_sk'].filter((name) => !Object.hasOwn(set, name));
    const written = await this.#table.update(keys.event(event.org_id, event.id), { set, remove }, unchanged(event));
    return written.ok;
  }

  async recordReplay(event: EventRecord, attempt: EventAttempt): Promise<boolean> {
    const attempts = withAttempt(event.attempts, attempt) as unknown as Item[];
    const written = await this.#table.update(
      keys.event(event.org_id, event.id),
      { set: { attempts }, add: { noted: 1 } },
      unchanged(event),
    );
    return written.ok;
  }

  async schedule(event: Parameters<EventsPort['schedule']>[0], dueAt: Date): Promise<void> {
    const unattempted: Condition = { all: [{ eq: ['tries', event.tries] }, { eq: ['status', 'pending'] }] };
    await this.#table.update(
      keys.event(event.org_id, event.id),
      { set: dueEntry(dueAt.toISOString(), event.id) },
      unattempted,
    );
  }

  async claimDue(event: EventRecord, dueAt: string, until: Date): Promise<boolean> {
    const written = await this.#table.update(
      keys.event(event.org_id, event.id),
      { set: dueEntry(until.toISOString(), event.id) },
      { eq: ['due_sk', dueEntry(dueAt, event.id).due_sk ?? null] },
    );
    return written.ok;
  }
}

/** Holds if no attempt was recorded since the event was read. */
const unchanged = ({ tries, noted }: EventRecord): Condition => ({
  all: [{ eq: ['tries', tries] }, noted === undefined ? { absent: 'noted' } : { eq: ['noted', noted] }],
});

type EventsQuery = Parameters<EventsPort['list']>[1];

/** The largest read of one partition at once: if the size of a page in bytes ends it early, little was read in vain. */
const MAX_CHUNK = 50;

/** Newest first. Failed events have an index. For any other filter the events are read in their own order. */
async function listEvents(table: TablePort, orgId: string, query: EventsQuery): Promise<ListPage<EventRecord>> {
  if (query.status === 'failed') return listFailed(table, orgId, query);
  const { before, skip } = startPosition(query, 'event');
  return collectPage(eventsOf(table, orgId, query, before), { ...query, skip });
}

async function* eventsOf(
  table: TablePort,
  orgId: string,
  query: EventsQuery,
  before: string | undefined,
): AsyncGenerator<Candidate<EventRecord>> {
  const floor = lowestId(query, 'event');
  const chunk = Math.min(MAX_CHUNK, Math.ceil(query.limit / EVENT_SHARDS) + 2);
  for await (const item of mergePages(readersOf(table, orgId), ({ sk }) => sk, before, chunk)) {
    if (item.sk < floor) return;
    const event = toEvent(item);
    const matches =
      (query.type === undefined || event.type === query.type) &&
      (query.status === undefined || event.status === query.status);
    yield { at: item.sk, hit: matches ? event : undefined };
  }
}

const readersOf = (table: TablePort, orgId: string): readonly PageReader<Item>[] =>
  shards(EVENT_SHARDS).map(
    (n): PageReader<Item> =>
      (below, limit) =>
        table.query({
          pk: eventPartition(orgId, n),
          limit,
          newestFirst: true,
          ...(below !== undefined && { range: { lt: below } }),
        }),
  );

const failedPartitions = (orgId: string): readonly string[] =>
  shards(EVENT_SHARDS).map((n) => indexKeys.failedEvents(orgId, n));

function listFailed(table: TablePort, orgId: string, query: EventsQuery): Promise<ListPage<EventRecord>> {
  const source = { index: 'status', partitions: failedPartitions(orgId), exact: query.type === undefined } as const;
  // Index entries lag behind: an event that was just delivered may still have one.
  const matches = (event: EventRecord) =>
    event.status === 'failed' && (query.type === undefined || event.type === query.type);
  return listRecords(table, { source, matches, read: toEvent, idKind: 'event' }, query);
}

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
async function unattemptedEventIds(
  table: TablePort,
  orgId: string,
  query: FailedEventsQuery,
  limit: number,
): Promise<FailedEventsPage> {
  const [from, to] = idRange(query).between;
  if (from > to) return { ids: [], next: undefined };
  const pages = await Promise.all(
    shards(EVENT_SHARDS).map((n) =>
      table.query({ pk: eventPartition(orgId, n), range: { between: [from, to] }, limit, consistent: true }),
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

/**
 * Failed events, oldest first. With a type their records are read, up to a hundred at once; otherwise only their keys.
 */
async function failedEventIds(
  table: TablePort,
  orgId: string,
  query: FailedEventsQuery,
  limit: number,
): Promise<FailedEventsPage> {
  const { type } = query;
  const range = idRange(query);
  const pages = await Promise.all(failedPartitions(orgId).map((pk) => firstEntries(table, { pk, range, limit })));
  const horizon = pages.flatMap(({ items, next }) => (next === undefined ? [] : (items.at(-1)?.at ?? []))).sort()[0];
  const sorted = pages.flatMap(({ items }) => items.map(({ at }) => at)).sort();
  const ids = sorted.filter((id) => horizon === undefined || id <= horizon).slice(0, limit);
  const isAll = horizon === undefined && ids.length === sorted.length;
  return {
    ids: type === undefined ? ids : await onlyOfType(table, orgId, ids, type),
    next: isAll ? undefined : ids.at(-1),
  };
}

/** The first page of a partition that is not empty: the store may end a page early. */
async function firstEntries(table: TablePort, query: PageQuery): Promise<Page<IndexEntry>> {
  let page = await table.entries('status', query);
  while (page.items.length === 0 && page.next !== undefined)
    page = await table.entries('status', { ...query, after: page.next });
  return page;
}

async function onlyOfType(
  table: TablePort,
  orgId: string,
  ids: readonly string[],
  type: string,
): Promise<readonly string[]> {
  const items = await getAll(
    table,
    ids.map((id) => keys.event(orgId, id)),
  );
  return ids.filter((_, n) => items[n]?.type === type);
}
