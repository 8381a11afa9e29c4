import type { EventRecord } from '#shared/domain/events.catalog.ts';
import { positionIn, positionText } from '#shared/domain/list-position.rules.ts';
import { idFloor } from '#shared/kernel/ids.ts';
import type { EventsPort, ListPage } from '#shared/ports/stores.port.ts';
import type { Item, TablePort } from '#shared/ports/table.port.ts';
import { toEvent } from '#shared/store/event.entity.ts';
import { listFailed } from '#shared/store/failed-events.ts';
import { EVENT_SHARDS, eventPartition, shards } from '#shared/store/keys.ts';
import { mergeNewest, type Stream } from '#shared/store/merge-newest.ts';

type Where = Parameters<EventsPort['list']>[1];

/** Where hits are rare a page ends after so many events beside its offset, and the next one goes on from there. */
const MOST_LOOKED_AT = 2_000;

/** Newest first. Failed ones are looked for by themselves and have an index; all others are read as they lie. */
export async function listEvents(table: TablePort, orgId: string, where: Where): Promise<ListPage<EventRecord>> {
  if (where.status === 'failed') return listFailed(table, orgId, where);
  const from = where.cursor === undefined ? undefined : positionIn(where.cursor, 'event');
  const before = from?.below ?? (where.created_before && idFloor('event', new Date(where.created_before)));
  const floor = where.created_after ? idFloor('event', new Date(where.created_after)) : '';
  const chunk = Math.min(50, Math.ceil(where.limit / EVENT_SHARDS) + 2);
  const page: EventRecord[] = [];
  let [skip, looked, last] = [where.offset + (from?.skip ?? 0), 0, ''];
  for await (const item of mergeNewest(streamsOf(table, orgId), (i) => i.sk, before, chunk)) {
    if (item.sk < floor) break;
    if (page.length === where.limit) return { items: page, next: page.at(-1)?.id };
    const event = toEvent(item);
    const hit = (where.type === undefined || event.type === where.type) && (where.status === undefined || event.status === where.status);
    if (hit && skip > 0) skip -= 1;
    else if (hit) page.push(event);
    looked += 1;
    last = item.sk;
    if (looked === MOST_LOOKED_AT + where.offset) return { items: page, next: positionText({ below: last, skip }) };
  }
  return { items: page, next: undefined };
}

const streamsOf = (table: TablePort, orgId: string): readonly Stream<Item>[] =>
  shards(EVENT_SHARDS).map(
    (n): Stream<Item> =>
      (below, limit) =>
        table.query({ pk: eventPartition(orgId, n), limit, newestFirst: true, ...(below !== undefined && { range: { lt: below } }) }),
  );
