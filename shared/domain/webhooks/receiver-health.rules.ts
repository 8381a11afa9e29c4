import type { EventAttempt, EventRecord } from '#shared/domain/reference/events.catalog.ts';
import { isGone, isSuccess, isWanted, RETRY_AFTER } from '#shared/domain/webhooks/delivery.rules.ts';
import type { ReceiverAudit } from '#shared/domain/webhooks/receiver-audit.rules.ts';
import type { DisabledReason, ReceiverConfig } from '#shared/domain/webhooks/receiver-config.model.ts';
import { DAY, HOUR, plus, SECOND } from '#shared/kernel/clock.ts';

/**
 * After this long with only failures, and an event that itself was refused this often, the receiver is gone. Both are
 * needed: with little traffic days pass without any try.
 */
const GIVEN_UP_AFTER = 5 * DAY;
const GIVEN_UP_AT_TRY = 5;

/**
 * The notification waits this long after the receiver is turned off: by then a pending write has landed, or its process
 * has ended.
 */
export const TOLD_AFTER = 90 * SECOND;

/** The field for failing planned tries, or for failing replays. */
export type FailingSince = 'failing_since' | 'replays_failing_since';

/** What a try adds to the receiver's record. */
type ReceiverNews =
  | { readonly is: 'back' }
  | { readonly is: 'failing'; readonly field: FailingSince }
  | { readonly is: 'off'; readonly reason: DisabledReason };

/**
 * Takes the event as it was before the try. Nothing for a healthy receiver, nor for an event's first failure: a
 * receiver that drops a call now and then is never written.
 */
export function newsOf(
  receiver: ReceiverConfig,
  attempt: EventAttempt,
  event: Pick<EventRecord, 'status' | 'tries'>,
  replay: boolean,
): ReceiverNews | undefined {
  if (isSuccess(attempt)) return isSaidToFail(receiver) ? { is: 'back' } : undefined;
  if (isGone(attempt)) return { is: 'off', reason: 'gone' };
  return replay ? newsOfReplay(receiver, event) : newsOfPlanned(receiver, attempt, event);
}

export const isSaidToFail = ({ failing_since, replays_failing_since }: ReceiverConfig): boolean =>
  (failing_since ?? replays_failing_since) !== undefined;

/** A receiver may well refuse an event that it has accepted before. */
function newsOfReplay(
  receiver: ReceiverConfig,
  { status, tries }: Pick<EventRecord, 'status' | 'tries'>,
): ReceiverNews | undefined {
  return isSaidToFail(receiver) || tries === 0 || status === 'delivered'
    ? undefined
    : { is: 'failing', field: 'replays_failing_since' };
}

/** Only a pending event turns a receiver off. */
function newsOfPlanned(
  { failing_since }: ReceiverConfig,
  attempt: EventAttempt,
  { status, tries }: Pick<EventRecord, 'status' | 'tries'>,
): ReceiverNews | undefined {
  if (failing_since === undefined) return tries === 0 ? undefined : { is: 'failing', field: 'failing_since' };
  const isForLong = Date.parse(failing_since) <= plus(new Date(attempt.at), -GIVEN_UP_AFTER).getTime();
  return isForLong && status === 'pending' && tries + 1 >= GIVEN_UP_AT_TRY
    ? { is: 'off', reason: 'failing' }
    : undefined;
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

/**
 * A subscribed event that is unsent only because the receiver is off: turned off by the service, or by people after a
 * failed try. It can be replayed later.
 */
export const isOwed = (event: EventRecord, receiver: ReceiverConfig | undefined): boolean =>
  receiver !== undefined &&
  (receiver.disabled_reason !== undefined || event.tries > 0) &&
  isWanted(event, { ...receiver, enabled: true }, false);

/** A receiver that the service turned off. */
export type TurnedOff = ReceiverConfig & { readonly disabled_reason: DisabledReason; readonly disabled_at: string };

/** Whether it is off by the act of this entry, with no change since. */
export const isOffBy = (
  receiver: ReceiverConfig,
  { created_at }: Pick<ReceiverAudit, 'created_at'>,
): receiver is TurnedOff => receiver.disabled_reason !== undefined && receiver.disabled_at === created_at;

/** How long an event may be pending by the schedule, with some margin. */
const ON_ITS_WAY = RETRY_AFTER.reduce((sum, wait) => sum + wait, 6 * HOUR);

/**
 * The oldest event that may have been missed. Replays select by the event's time, and its first tries may have failed
 * long before.
 */
export const missedSince = ({ failing_since, disabled_at }: TurnedOff): Date =>
  plus(failing_since ?? disabled_at, -ON_ITS_WAY);
