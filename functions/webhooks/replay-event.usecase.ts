import { needReceiver } from '#functions/webhooks/need-receiver.ts';
import type { EventRecord } from '#shared/domain/events.catalog.ts';
import { need } from '#shared/kernel/errors.ts';
import type { Caller } from '#shared/ports/caller.ts';
import type { Deps } from '#shared/ports/deps.ts';

/**
 * Sent again at once under its own id, whatever became of it before; the answer is the event as it is until then. One that was
 * never sent is on its way already.
 */
export async function replayEvent(
  { id }: { readonly id: string },
  caller: Caller,
  { events, receivers, queue }: Pick<Deps, 'events' | 'receivers' | 'queue'>,
): Promise<EventRecord> {
  const event = need(await events.get(caller.orgId, id), 'There is no such event.');
  await needReceiver(caller.orgId, { receivers });
  if (event.status === 'pending' && event.tries === 0) return event;
  await queue.send('webhook-delivery', [{ body: { org_id: caller.orgId, event_id: id, replay: true }, group: caller.orgId }]);
  return event;
}
