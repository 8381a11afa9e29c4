import type { EventRecord } from '#shared/domain/reference/events.catalog.ts';
import { dueTime, indexKeys, keys, listShardOf } from '#shared/store/keys.ts';
import type { Item } from '#shared/store/table/table.port.ts';

export const eventItem = ({ due_at: _, ...event }: EventRecord): Item => ({
  ...(event as unknown as Item),
  ...keys.event(event.org_id, event.id, event.list_shards),
  item_type: 'event',
});

/** Only failed events are in the status index, so listing them costs only what it finds. */
export const failedEntry = (
  event: Pick<EventRecord, 'id' | 'org_id' | 'list_shards'>,
  status: EventRecord['status'],
) =>
  status === 'failed'
    ? { status_pk: indexKeys.failedEvents(event.org_id, listShardOf(event)), status_sk: event.id }
    : undefined;

export const toEvent = (item: Item): EventRecord => {
  const {
    id,
    org_id,
    type,
    created_at,
    data,
    status,
    attempts,
    tries,
    noted,
    next_attempt_at,
    through,
    list_shards,
    trace,
  } = item as unknown as EventRecord;
  const due = typeof item.due_sk === 'string' && { due_at: dueTime(item.due_sk) };
  const inner = {
    ...(noted !== undefined && { noted }),
    ...(through && { through }),
    ...(list_shards !== undefined && { list_shards }),
    ...(trace !== undefined && { trace }),
    ...due,
  };
  return { id, org_id, type, created_at, data, status, attempts, tries, ...inner, next_attempt_at };
};
