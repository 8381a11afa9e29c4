import type { ListEventsInput } from '#functions/webhooks/webhooks.schema.ts';
import type { EventRecord } from '#shared/domain/reference/events.catalog.ts';
import { orNotFound } from '#shared/kernel/errors.ts';
import type { Caller } from '#shared/ports/caller.ts';
import type { Deps } from '#shared/ports/deps.ts';

export async function getEvent(
  { id }: { readonly id: string },
  caller: Caller,
  { events }: Pick<Deps, 'events'>,
): Promise<EventRecord> {
  return orNotFound(await events.get(caller.orgId, id), 'There is no such event.');
}

export async function listEvents(query: ListEventsInput, caller: Caller, { events }: Pick<Deps, 'events'>) {
  return events.list(caller.orgId, query);
}
