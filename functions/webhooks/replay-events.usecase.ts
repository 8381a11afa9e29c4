import type { ReplayFailedInput } from '#functions/webhooks/webhooks.schema.ts';
import type { EventRecord } from '#shared/domain/reference/events.catalog.ts';
import { isOverdue, isUnattempted } from '#shared/domain/webhooks/delivery.rules.ts';
import { AppError, invalidFields, orNotFound } from '#shared/kernel/errors.ts';
import { operationId } from '#shared/kernel/operation.ts';
import type { Caller } from '#shared/ports/caller.ts';
import type { Deps } from '#shared/ports/deps.ts';
import { startBulkReplay } from '#shared/services/webhooks/replay-failed-events.service.ts';

type Needs = Pick<Deps, 'events' | 'webhookConfigs' | 'bus' | 'queue' | 'clock'>;

/** Sends an event again now, under its own id and in any status. Returns the event as it was before. */
export async function replayEvent({ id }: { readonly id: string }, caller: Caller, deps: Needs): Promise<EventRecord> {
  const event = orNotFound(await deps.events.get(caller.orgId, id), 'There is no such event.');
  await assertConfigured(caller.orgId, deps);
  if (isUnattempted(event)) await publishAgain(event, deps);
  else
    await deps.queue.send('webhook-delivery', [
      { body: { org_id: caller.orgId, event_id: id, replay: true }, group: caller.orgId },
    ]);
  return event;
}

/**
 * An event without an attempt is either on its way, or its message was lost. A lost one is published to every
 * subscriber again.
 */
async function publishAgain(event: EventRecord, { bus, clock }: Needs): Promise<void> {
  const { id, type, org_id, through } = event;
  if (isOverdue(event, clock.now())) await bus.publish([{ id, type, org_id, ...(through && { through }) }]);
}

/** Throws if nothing could be delivered: the caller of a replay or a test expects it to arrive. */
export async function assertConfigured(orgId: string, { webhookConfigs }: Pick<Deps, 'webhookConfigs'>): Promise<void> {
  const { enabled } = orNotFound(
    await webhookConfigs.get(orgId),
    'Webhooks are not configured for this organization. Configure them first: POST /v1/webhooks/config.',
  );
  if (!enabled)
    throw new AppError(
      'webhooks_disabled',
      'Webhooks are disabled. Enable them first: POST /v1/webhooks/config with "enabled": true.',
    );
}

/**
 * Queues the replay and returns at once. Each message replays one page and queues the next (`replay-failed-events`). An
 * organization has one replay at a time: a further call adds its period to it.
 */
export async function replayFailedEvents(
  { since, type, ...input }: ReplayFailedInput,
  caller: Caller,
  { webhookConfigs, queue, clock }: Pick<Deps, 'webhookConfigs' | 'queue' | 'clock'>,
) {
  const until = input.until ?? caller.operation.at.toISOString();
  if (since >= until)
    throw invalidFields([{ path: 'since', message: 'Must be before `until`. Without `until`, that is now.' }]);
  await assertConfigured(caller.orgId, { webhookConfigs });
  const start = { orgId: caller.orgId, id: operationId(caller.operation, 'request'), at: clock.now() };
  const period = { since, until, ...(type !== undefined && { type }) };
  const { joined } = await startBulkReplay(period, start, { webhookConfigs, queue });
  return { since, until, type: type ?? null, accepted: true, ...(joined && { joined }) } as const;
}
