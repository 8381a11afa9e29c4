import type { EventRecord } from '#shared/domain/reference/events.catalog.ts';
import { need } from '#shared/kernel/errors.ts';
import type { Caller } from '#shared/ports/caller.ts';
import type { Deps } from '#shared/ports/deps.ts';

export async function getEvent(
  { id }: { readonly id: string },
  caller: Caller,
  { events }: Pick<Deps, 'events'>,
): Promise<EventRecord> {
  return need(await events.get(caller.orgId, id), 'There is no such event.');
}
