import { assertConfigured } from '#functions/webhooks/replay-events.usecase.ts';
import type { EventRecord } from '#shared/domain/reference/events.catalog.ts';
import { LOST_AFTER } from '#shared/domain/webhooks/delivery.rules.ts';
import { plus } from '#shared/kernel/clock.ts';
import { operationId } from '#shared/kernel/operation.ts';
import type { Caller } from '#shared/ports/caller.ts';
import type { Deps } from '#shared/ports/deps.ts';

/**
 * No resource changes, so there is no outbox: the event is recorded first, and published again by a retry after a
 * crash, or by the sweep.
 */
export async function sendTestEvent(
  _: unknown,
  caller: Caller,
  { events, webhookConfigs, bus }: Pick<Deps, 'events' | 'webhookConfigs' | 'bus'>,
): Promise<EventRecord> {
  await assertConfigured(caller.orgId, { webhookConfigs });
  const event = await events.record(
    {
      id: operationId(caller.operation, 'event'),
      org_id: caller.orgId,
      type: 'service.webhook.test',
      created_at: caller.operation.at.toISOString(),
      data: { message: 'This is a test. If you can read it, webhooks reach you.' },
      status: 'pending',
      attempts: [],
      next_attempt_at: caller.operation.at.toISOString(),
    },
    plus(caller.operation.at, LOST_AFTER),
  );
  await bus.publish([{ id: event.id, type: event.type, org_id: event.org_id }]);
  return event;
}
