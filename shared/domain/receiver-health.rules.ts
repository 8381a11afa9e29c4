import { isGone, isSuccess, isWanted } from '#shared/domain/delivery.rules.ts';
import type { EventAttempt, EventRecord } from '#shared/domain/events.catalog.ts';
import type { DisabledReason, ReceiverConfig } from '#shared/domain/receiver-config.model.ts';
import { DAY, plus } from '#shared/kernel/clock.ts';

/** So long nothing but failure, and nobody is there any more. */
const GIVEN_UP_AFTER = 5 * DAY;

/** What a try says about its receiver that its record does not say yet. */
export type ReceiverNews = { readonly is: 'back' } | { readonly is: 'failing' } | { readonly is: 'off'; readonly reason: DisabledReason };

/**
 * Nothing for a receiver that is well, nor for the first failure of an event: one that drops a call now and then is never
 * written.
 */
export function newsOf({ failing_since }: ReceiverConfig, attempt: EventAttempt, isFirst: boolean): ReceiverNews | undefined {
  if (isSuccess(attempt)) return failing_since === undefined ? undefined : { is: 'back' };
  if (isGone(attempt)) return { is: 'off', reason: 'gone' };
  if (failing_since === undefined) return isFirst ? undefined : { is: 'failing' };
  return Date.parse(failing_since) <= plus(new Date(attempt.at), -GIVEN_UP_AFTER).getTime() ? { is: 'off', reason: 'failing' } : undefined;
}

export const turnedOff = (config: ReceiverConfig, reason: DisabledReason, at: Date): ReceiverConfig => ({
  ...config,
  enabled: false,
  disabled_at: at.toISOString(),
  disabled_reason: reason,
  version: config.version + 1,
  audits: config.audits + 1,
  updated_at: at.toISOString(),
});

/** Subscribed to, and not sent only because the receiver is off by itself: it can be sent again once it is back. */
export const isOwed = (event: EventRecord, receiver: ReceiverConfig | undefined): boolean =>
  receiver?.disabled_reason !== undefined && isWanted(event, { ...receiver, enabled: true }, false);
