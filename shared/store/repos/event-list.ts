import type { EventRecord } from '#shared/domain/reference/events.catalog.ts';
import type { EventsPort } from '#shared/ports/events.port.ts';
import type { ListPage } from '#shared/ports/list-page.port.ts';
import type { Item, TablePort } from '#shared/ports/table.port.ts';
import { EVENT_SHARDS, eventPartition, shards } from '#shared/store/keys.ts';
import { mergeNewest, type Stream } from '#shared/store/merge-newest.ts';
import { floorOf, pageOfHits, startOf } from '#shared/store/record-list.ts';
import type { Looked } from '#shared/store/record-list-items.ts';
import { toEvent } from '#shared/store/repos/event.entity.ts';
import { listFailed } from '#shared/store/repos/failed-events.ts';

type Where = Parameters<EventsPort['list']>[1];

/** The largest read of a lane at once: a page that its bytes end early has then read little in vain. */
const MOST_CHUNK = 50;

/** Newest first. Failed events have an index; all others are read in their own order. */
export async function listEvents(table: TablePort, orgId: string, where: Where): Promise<ListPage<EventRecord>> {
  if (where.status === 'failed') return listFailed(table, orgId, where);
  const { before, skip } = startOf(where, 'event');
  return pageOfHits(eventsOf(table, orgId, where, before), { ...where, skip });
}

async function* eventsOf(
  table: TablePort,
  orgId: string,
  where: Where,
  before: string | undefined,
): AsyncGenerator<Looked<EventRecord>> {
  const [floor, chunk] = [floorOf(where, 'event'), Math.min(MOST_CHUNK, Math.ceil(where.limit / EVENT_SHARDS) + 2)];
  for await (const item of mergeNewest(streamsOf(table, orgId), ({ sk }) => sk, before, chunk)) {
    if (item.sk < floor) return;
    const event = toEvent(item);
    const fits =
      (where.type === undefined || event.type === where.type) &&
      (where.status === undefined || event.status === where.status);
    yield { at: item.sk, hit: fits ? event : undefined };
  }
}

const streamsOf = (table: TablePort, orgId: string): readonly Stream<Item>[] =>
  shards(EVENT_SHARDS).map(
    (n): Stream<Item> =>
      (below, limit) =>
        table.query({
          pk: eventPartition(orgId, n),
          limit,
          newestFirst: true,
          ...(below !== undefined && { range: { lt: below } }),
        }),
  );
