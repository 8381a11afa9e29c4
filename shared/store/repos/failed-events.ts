import type { EventRecord } from '#shared/domain/reference/events.catalog.ts';
import { idFloor, shardOf } from '#shared/kernel/ids.ts';
import type { EventsPort, FailedPage, FailedWhere } from '#shared/ports/events.port.ts';
import type { ListPage } from '#shared/ports/list-page.port.ts';
import type { Entry, Page, TablePort, Where } from '#shared/ports/table.port.ts';
import { getAll } from '#shared/store/get-all.ts';
import { EVENT_SHARDS, indexKeys, keys, shards } from '#shared/store/keys.ts';
import { listRecords } from '#shared/store/record-list.ts';
import { toEvent } from '#shared/store/repos/event.entity.ts';

/** Only failed events are in the status index: listing them costs what it finds, among any number of others. */
export const failedKeys = ({ id, org_id }: Pick<EventRecord, 'id' | 'org_id'>, status: EventRecord['status']) =>
  status === 'failed'
    ? { status_pk: indexKeys.failedEvents(org_id, shardOf(id, EVENT_SHARDS)), status_sk: id }
    : undefined;

const partitionsOf = (orgId: string): readonly string[] =>
  shards(EVENT_SHARDS).map((n) => indexKeys.failedEvents(orgId, n));

export function listFailed(
  table: TablePort,
  orgId: string,
  where: Parameters<EventsPort['list']>[1],
): Promise<ListPage<EventRecord>> {
  const source = { index: 'status', partitions: partitionsOf(orgId), exact: where.type === undefined } as const;
  // Entries lag: an event that was just delivered may still have one.
  const fits = (event: EventRecord) =>
    event.status === 'failed' && (where.type === undefined || event.type === where.type);
  return listRecords(table, { source, fits, read: toEvent, idKind: 'event' }, where);
}

/** Oldest first. With a type the records are read, up to a hundred at once; otherwise only keys. */
export async function failedEvents(
  table: TablePort,
  orgId: string,
  { since, until, type, after }: FailedWhere,
  limit: number,
): Promise<FailedPage> {
  const floor = idFloor('event', new Date(since));
  // No id contains a tilde, so `after~` sorts right behind `after`.
  const range = { between: [after === undefined ? floor : `${after}~`, idFloor('event', new Date(until))] } as const;
  const lanes = await Promise.all(partitionsOf(orgId).map((pk) => beginning(table, { pk, range, limit })));
  const horizon = lanes.flatMap(({ items, next }) => (next === undefined ? [] : (items.at(-1)?.at ?? []))).sort()[0];
  const sorted = lanes.flatMap(({ items }) => items.map(({ at }) => at)).sort();
  const known = sorted.filter((id) => horizon === undefined || id <= horizon).slice(0, limit);
  const isAll = horizon === undefined && known.length === sorted.length;
  return {
    ids: type === undefined ? known : await ofType(table, orgId, known, type),
    next: isAll ? undefined : known.at(-1),
  };
}

/** The first non-empty page of a lane: the store may end one early. */
async function beginning(table: TablePort, where: Where): Promise<Page<Entry>> {
  let page = await table.entries('status', where);
  while (page.items.length === 0 && page.next !== undefined)
    page = await table.entries('status', { ...where, after: page.next });
  return page;
}

async function ofType(
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
