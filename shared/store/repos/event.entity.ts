import type { EventRecord } from '#shared/domain/reference/events.catalog.ts';
import type { Item } from '#shared/ports/table.port.ts';
import { keys } from '#shared/store/keys.ts';

export const eventItem = (event: EventRecord): Item => ({
  ...(event as unknown as Item),
  ...keys.event(event.org_id, event.id),
  item_type: 'event',
});

export const toEvent = (item: Item): EventRecord => {
  const { id, org_id, type, created_at, data, status, attempts, tries, noted, next_attempt_at, through } =
    item as unknown as EventRecord;
  const inner = { ...(noted !== undefined && { noted }), ...(through && { through }) };
  return { id, org_id, type, created_at, data, status, attempts, tries, ...inner, next_attempt_at };
};
