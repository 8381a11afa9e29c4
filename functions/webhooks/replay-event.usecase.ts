import { needReceiver } from '#functions/webhooks/need-receiver.ts';
import type { EventRecord } from '#shared/domain/reference/events.catalog.ts';
import { isOverdue, isUntried } from '#shared/domain/webhooks/delivery.rules.ts';
import { need } from '#shared/kernel/errors.ts';
import type { Caller } from '#shared/ports/caller.ts';
import type { Deps } from '#shared/ports/deps.ts';

type Needs = Pick<Deps, 'events' | 'receivers' | 'bus' | 'queue' | 'clock'>;

/** Sent again at once under its own id, whatever became of it before; the answer is the event as it is until then. */
export async function replayEvent({ id }: { readonly id: string }, caller: Caller, deps: Needs): Promise<EventRecord> {
  const event = need(await deps.events.get(caller.orgId, id), 'There is no such event.');
  await needReceiver(caller.orgId, deps);
  if (isUntried(event)) await announceLost(event, deps);
  else
    await deps.queue.send('webhook-delivery', [
      { body: { org_id: caller.orgId, event_id: id, replay: true }, group: caller.orgId },
    ]);
  return event;
}

/**
 * One that was never sent is on its way, or all that told of it is lost: then all who hear of events are told once
 * more.
 */
async function announceLost(event: EventRecord, { bus, clock }: Needs): Promise<void> {
  const { id, type, org_id, through } = event;
  if (isOverdue(event, clock.now())) await bus.publish([{ id, type, org_id, ...(through && { through }) }]);
}
