import type { EventAttempt, EventRecord } from '#shared/domain/reference/events.catalog.ts';
import { isDeliverable, isGone, isSuccess, RETRY_DELAYS } from '#shared/domain/webhooks/delivery.rules.ts';
import type { WebhookAudit } from '#shared/domain/webhooks/webhook-audit.rules.ts';
import type { DisabledReason, WebhookConfig } from '#shared/domain/webhooks/webhook-config.model.ts';
import { DAY, HOUR, plus, SECOND } from '#shared/kernel/clock.ts';

/**
 * Webhooks are disabled after this long with only failures, by an event that itself failed this often. Both are needed:
 * with little traffic days pass without any attempt.
 */
export const DISABLE_AFTER = 5 * DAY;
export const DISABLE_FROM_ATTEMPT = 5;

/** The notification waits this long: by then the write that disables webhooks is stored, or its process has ended. */
export const NOTIFY_AFTER = 90 * SECOND;

/** Since when scheduled attempts fail, or replays. */
export type FailingSince = 'failing_since' | 'replays_failing_since';

/** What an attempt changes in the endpoint's health. */
type HealthChange =
  | { readonly is: 'back' }
  | { readonly is: 'failing'; readonly field: FailingSince }
  | { readonly is: 'off'; readonly reason: DisabledReason };

/**
 * `event` is as it was before the attempt. Nothing changes for a healthy endpoint, nor by an event's first failure: an
 * endpoint that drops a call now and then costs no write.
 */
export function healthChange(
  receiver: WebhookConfig,
  attempt: EventAttempt,
  event: Pick<EventRecord, 'status' | 'tries'>,
  replay: boolean,
): HealthChange | undefined {
  if (isSuccess(attempt)) return isFailing(receiver) ? { is: 'back' } : undefined;
  if (isGone(attempt)) return { is: 'off', reason: 'gone' };
  return replay ? changeByReplay(receiver, event) : changeByDelivery(receiver, attempt, event);
}

export const isFailing = ({ failing_since, replays_failing_since }: WebhookConfig): boolean =>
  (failing_since ?? replays_failing_since) !== undefined;

/** An endpoint may well refuse an event that it has accepted before, so such a failure says nothing. */
function changeByReplay(
  receiver: WebhookConfig,
  { status, tries }: Pick<EventRecord, 'status' | 'tries'>,
): HealthChange | undefined {
  return isFailing(receiver) || tries === 0 || status === 'delivered'
    ? undefined
    : { is: 'failing', field: 'replays_failing_since' };
}

/** Only a pending event disables webhooks. */
function changeByDelivery(
  { failing_since }: WebhookConfig,
  attempt: EventAttempt,
  { status, tries }: Pick<EventRecord, 'status' | 'tries'>,
): HealthChange | undefined {
  if (failing_since === undefined) return tries === 0 ? undefined : { is: 'failing', field: 'failing_since' };
  const isLongFailing = Date.parse(failing_since) <= plus(new Date(attempt.at), -DISABLE_AFTER).getTime();
  return isLongFailing && status === 'pending' && tries + 1 >= DISABLE_FROM_ATTEMPT
    ? { is: 'off', reason: 'failing' }
    : undefined;
}

export const disableConfig = (config: WebhookConfig, reason: DisabledReason, at: Date): WebhookConfig => ({
  ...config,
  enabled: false,
  disabled_at: at.toISOString(),
  disabled_reason: reason,
  version: config.version + 1,
  audits: config.audits + 1,
  updated_at: at.toISOString(),
});

/**
 * An event that was subscribed to, and is undelivered only because webhooks are disabled: by the service, or by a
 * person after a failed attempt. It can be replayed later.
 */
export const isReplayable = (event: EventRecord, receiver: WebhookConfig | undefined): boolean =>
  receiver !== undefined &&
  (receiver.disabled_reason !== undefined || event.tries > 0) &&
  isDeliverable(event, { ...receiver, enabled: true }, false);

/** A configuration that the service has disabled. */
export type DisabledConfig = WebhookConfig & { readonly disabled_reason: DisabledReason; readonly disabled_at: string };

/** Whether this audit entry disabled it, with no change since. */
export const isDisabledBy = (
  receiver: WebhookConfig,
  { created_at }: Pick<WebhookAudit, 'created_at'>,
): receiver is DisabledConfig => receiver.disabled_reason !== undefined && receiver.disabled_at === created_at;

/** How long an event may be pending by the retry schedule, with some margin. */
const MAX_PENDING = RETRY_DELAYS.reduce((sum, wait) => sum + wait, 6 * HOUR);

/**
 * The time of the oldest event that may have been missed. Replays select events by the time they were created, which
 * may be long before their last attempt.
 */
export const missedSince = ({ failing_since, disabled_at }: DisabledConfig): Date =>
  plus(failing_since ?? disabled_at, -MAX_PENDING);
