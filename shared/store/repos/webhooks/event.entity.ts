import type { EventRecord } from '#shared/domain/reference/events.catalog.ts';
import { shardOf } from '#shared/kernel/ids.ts';
import { EVENT_SHARDS, indexKeys, keys } from '#shared/store/keys.ts';
import type { Item } from '#shared/store/table/table.port.ts';

export const eventItem = (event: EventRecord): Item => ({
  ...(event as unknown as Item),
  ...keys.event(event.org_id, event.id),
  item_type: 'event',
});

/** Only failed events are in the status index, so listing them costs only what it finds. */
export const failedEntry = ({ id, org_id }: Pick<EventRecord, 'id' | 'org_id'>, status: EventRecord['status']) =>
  status === 'failed'
    ? { status_pk: indexKeys.failedEvents(org_id, shardOf(id, EVENT_SHARDS)), status_sk: id }
    : undefined;

export const toEvent = (item: Item): EventRecord => {
  const { id, org_id, type, created_at, data, status, attempts, tries, noted, next_attempt_at, through } =
    item as unknown as EventRecord;
  const inner = { ...(noted !== undefined && { noted }), ...(through && { through }) };
  return { id, org_id, type, created_at, data, status, attempts, tries, ...inner, next_attempt_at };
};
