import { isGone, isSuccess, isWanted, RETRY_AFTER } from '#shared/domain/delivery.rules.ts';
import type { EventAttempt, EventRecord } from '#shared/domain/events.catalog.ts';
import type { ReceiverAudit } from '#shared/domain/receiver-audit.rules.ts';
import type { DisabledReason, ReceiverConfig } from '#shared/domain/receiver-config.model.ts';
import { DAY, HOUR, plus, SECOND } from '#shared/kernel/clock.ts';

/** So long nothing but failure, and an event that was refused this often itself, and nobody is there any more: where little happens, days pass without any try. */
const GIVEN_UP_AFTER = 5 * DAY;
const GIVEN_UP_AT_TRY = 5;

/** People are told so long after it is turned off: by then whoever was about to write that has written it, or has run out of time. */
export const TOLD_AFTER = 90 * SECOND;

/** What a try says about its receiver that its record does not say yet. */
export type ReceiverNews = { readonly is: 'back' } | { readonly is: 'failing' } | { readonly is: 'off'; readonly reason: DisabledReason };

/**
 * Of an event as it was before the try. Nothing for a receiver that is well, nor for the first failure of an event: one that
 * drops a call now and then is never written. Only an event on its way turns a receiver off: whoever has one that was given up
 * sent again is about to see to it.
 */
export function newsOf(
  { failing_since }: ReceiverConfig,
  attempt: EventAttempt,
  { status, tries }: Pick<EventRecord, 'status' | 'tries'>,
): ReceiverNews | undefined {
  if (isSuccess(attempt)) return failing_since === undefined ? undefined : { is: 'back' };
  if (isGone(attempt)) return { is: 'off', reason: 'gone' };
  if (failing_since === undefined) return tries === 0 ? undefined : { is: 'failing' };
  const isForLong = Date.parse(failing_since) <= plus(new Date(attempt.at), -GIVEN_UP_AFTER).getTime();
  return isForLong && status === 'pending' && tries + 1 >= GIVEN_UP_AT_TRY ? { is: 'off', reason: 'failing' } : undefined;
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

/** Subscribed to, and not sent only because the receiver is off: by itself, or by people after a try had failed. It can be sent again once that is back. */
export const isOwed = (event: EventRecord, receiver: ReceiverConfig | undefined): boolean =>
  receiver !== undefined && (receiver.disabled_reason !== undefined || event.tries > 0) && isWanted(event, { ...receiver, enabled: true }, false);

/** A receiver that is off by itself. */
export type TurnedOff = ReceiverConfig & { readonly disabled_reason: DisabledReason; readonly disabled_at: string };

/** Whether it is off by what this entry tells of, and nobody has turned it on, or off, since. */
export const isOffBy = (receiver: ReceiverConfig, { created_at }: Pick<ReceiverAudit, 'created_at'>): receiver is TurnedOff =>
  receiver.disabled_reason !== undefined && receiver.disabled_at === created_at;

/** As long as an event may be on its way by the schedule, and somewhat longer. */
const ON_ITS_WAY = RETRY_AFTER.reduce((sum, wait) => sum + wait, 6 * HOUR);

/** The oldest event that was missed may be of that time: replays go by when events happened, and its first tries may have failed long before. */
export const missedSince = ({ failing_since, disabled_at }: TurnedOff): Date => plus(failing_since ?? disabled_at, -ON_ITS_WAY);
