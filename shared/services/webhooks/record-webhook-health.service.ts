import type { EventAttempt, EventRecord } from '#shared/domain/reference/events.catalog.ts';
import { disabledEntry } from '#shared/domain/webhooks/webhook-audit.rules.ts';
import type { DisabledReason, WebhookConfig } from '#shared/domain/webhooks/webhook-config.model.ts';
import { disableConfig, healthChange, NOTIFY_AFTER } from '#shared/domain/webhooks/webhook-health.rules.ts';
import { SECOND } from '#shared/kernel/clock.ts';
import { newId } from '#shared/kernel/ids.ts';
import type { Deps } from '#shared/ports/deps.ts';

type Needs = Pick<Deps, 'webhookConfigs' | 'queue' | 'clock' | 'log'>;

/**
 * Records what an attempt says about the endpoint's health. `event` is as it was before the attempt. A record that is
 * lost to a crash or a race is not repeated, as the next attempt says the same. A failure is dated from now, because
 * other attempts may have succeeded while this one waited for its response.
 */
export async function recordWebhookHealth(
  receiver: WebhookConfig,
  attempt: EventAttempt,
  event: EventRecord,
  replay: boolean,
  deps: Needs,
): Promise<void> {
  const change = healthChange(receiver, attempt, event, replay);
  if (change?.is === 'back') await deps.webhookConfigs.recordRecovery(receiver);
  if (change?.is === 'failing') await deps.webhookConfigs.recordFailing(receiver, change.field, deps.clock.now());
  if (change?.is === 'off') await disable(receiver, change.reason, deps);
}

/**
 * The notification is queued before the change is saved. After a crash in between it finds nothing to notify about. If
 * several attempts disable webhooks at once, only the one whose audit entry is stored is notified. The slow lane sends
 * it, as it alone has a mailer.
 */
async function disable(
  receiver: WebhookConfig,
  reason: DisabledReason,
  { webhookConfigs, queue, clock, log }: Needs,
): Promise<void> {
  const { org_id } = receiver;
  const at = clock.now();
  const off = disableConfig(receiver, reason, at);
  const auditId = newId('act', at);
  const body = { org_id, turned_off: { audit: off.audits, act_id: auditId } };
  await queue.send('slow-deliveries', [{ body, group: org_id, delaySeconds: NOTIFY_AFTER / SECOND }]);
  const done = await webhookConfigs.disable(off, disabledEntry(receiver, off, reason, auditId, at));
  if (done) log.warn('webhook_disabled', { org_id, reason });
}
