import { createHash } from 'node:crypto';
import type { EventAttempt, EventRecord } from '#shared/domain/reference/events.catalog.ts';
import { MAX_DELAY_SECONDS } from '#shared/domain/webhooks/queue-message.rules.ts';
import type { WebhookConfig } from '#shared/domain/webhooks/webhook-config.model.ts';
import { HOUR, MINUTE, plus, SECOND } from '#shared/kernel/clock.ts';

/** An endpoint must respond within this time. */
export const RESPONSE_WINDOW = 30 * SECOND;

/** The wait after the nth failed attempt. After the last wait there is one more attempt, and no further. */
export const RETRY_DELAYS = [
  5 * SECOND,
  MINUTE,
  5 * MINUTE,
  30 * MINUTE,
  2 * HOUR,
  6 * HOUR,
  12 * HOUR,
  24 * HOUR,
] as const;

/** Waits vary by this share, so that deliveries that failed together are not retried together. */
export const JITTER = 0.1;

/** A queued message that has led to no attempt this long after its time counts as lost. */
export const LOST_AFTER = 15 * MINUTE;

/** Attempts kept per event: repeated replays must not grow its item without end. */
export const MAX_ATTEMPTS_KEPT = 50;

/** An endpoint's `Retry-After` may lengthen a wait up to this. */
export const MAX_RETRY_AFTER = 24 * HOUR;

/** Whole seconds until the next attempt, undefined when there is none. `tries`: attempts that failed so far. */
export function retryDelaySeconds(eventId: string, tries: number, retryAfter = 0): number | undefined {
  const scheduled = RETRY_DELAYS[tries - 1];
  if (scheduled === undefined) return undefined;
  const share = createHash('sha256').update(`${eventId}#${tries}`).digest().readUInt32BE(0) / 0xffffffff;
  const jittered = scheduled * (1 + JITTER * (2 * share - 1));
  return Math.ceil(Math.max(jittered, Math.min(retryAfter * SECOND, MAX_RETRY_AFTER)) / SECOND);
}

/** Waits up to the queue's limit are in the queue; longer ones are found through the due index. */
type Settlement = {
  readonly status: EventRecord['status'];
  readonly nextAt: Date | null;
  readonly delaySeconds: number | undefined;
  /**
   * When the sweep looks at the event: at the next attempt, or later where a queued message makes that attempt. A later
   * time that is planned already stays, as moving it would write the index of due work once per attempt.
   */
  readonly dueAt: Date | null;
};

const settlementOf = (status: EventRecord['status']): Settlement => ({
  status,
  nextAt: null,
  delaySeconds: undefined,
  dueAt: null,
});

/** `isFinal`: no further attempt makes sense. `retryAfter`: the endpoint's `Retry-After`, in seconds. */
type SettleOptions = { readonly isFinal?: boolean; readonly retryAfter?: number | undefined };

/** The event's status and schedule after one more attempt. A replay of a delivered event never makes it failed. */
export function settleAttempt(
  event: EventRecord,
  attempt: EventAttempt,
  at: Date,
  { isFinal: ends = false, retryAfter: asked }: SettleOptions = {},
): Settlement {
  if (isSuccess(attempt)) return settlementOf('delivered');
  if (event.status === 'delivered') return settlementOf('delivered');
  const wait = event.status === 'pending' && !ends ? retryDelaySeconds(event.id, event.tries + 1, asked) : undefined;
  if (wait === undefined) return settlementOf('failed');
  const queued = wait <= MAX_DELAY_SECONDS;
  const nextAt = plus(at, wait * SECOND);
  return {
    status: 'pending',
    nextAt,
    delaySeconds: queued ? wait : undefined,
    dueAt: queued ? checkAfter(event, nextAt) : nextAt,
  };
}

function checkAfter({ due_at }: EventRecord, nextAt: Date): Date {
  const planned = due_at === undefined ? undefined : new Date(due_at);
  return planned && planned >= nextAt ? planned : plus(nextAt, LOST_AFTER);
}

/**
 * When the sweep must look at the event again, because the message of its next attempt may still come. Undefined: the
 * attempt is due now, as it is waited for in the index alone, or its message is lost. `entryAt`: the time of the entry
 * that the sweep found.
 */
export function checkAgainAt({ next_attempt_at }: EventRecord, entryAt: string, at: Date): Date | undefined {
  if (next_attempt_at === null || entryAt <= next_attempt_at) return undefined;
  const lostAt = plus(next_attempt_at, LOST_AFTER);
  return lostAt > at ? lostAt : undefined;
}

/** A failed replay of a pending event leaves the scheduled attempts as they are. */
export const keepsSchedule = (event: EventRecord, attempt: EventAttempt): boolean =>
  event.status === 'pending' && !isSuccess(attempt);

export const isUnattempted = ({ status, tries }: EventRecord): boolean => status === 'pending' && tries === 0;

/** The first attempt is so long overdue that its message may be lost. */
export const isOverdue = ({ next_attempt_at, created_at }: EventRecord, at: Date): boolean =>
  Date.parse(next_attempt_at ?? created_at) + LOST_AFTER <= at.getTime();

/** A concurrent attempt was recorded first, and has scheduled what follows. */
export const isSettledSince = (event: EventRecord, now: EventRecord): boolean =>
  now.tries > event.tries || now.status !== event.status;

/**
 * The log with one more attempt. A full log keeps the first, which shows how it began, and the newest. One attempt alone
 * keeps its response: those of a dead endpoint are the same, and would be written again with each attempt.
 */
export function withAttempt(attempts: readonly EventAttempt[], attempt: EventAttempt): readonly EventAttempt[] {
  const before = attempt.response === undefined ? attempts : attempts.map(({ response: _, ...rest }) => rest);
  const all = [...before, attempt];
  return all.length > MAX_ATTEMPTS_KEPT ? [...all.slice(0, 1), ...all.slice(1 - MAX_ATTEMPTS_KEPT)] : all;
}

export const isSuccess = ({ status_code }: EventAttempt): boolean =>
  status_code !== null && status_code >= 200 && status_code < 300;

/** 410 Gone: the endpoint does not want this or any later event. */
export const isGone = ({ status_code }: EventAttempt): boolean => status_code === 410;

/** Test events and requested replays need no subscription. */
export const isDeliverable = (
  { type }: Pick<EventRecord, 'type'>,
  { enabled, events }: WebhookConfig,
  replay: boolean,
): boolean => enabled && (replay || type === 'service.webhook.test' || events.includes('*') || events.includes(type));

/**
 * The payload. `timestamp` is the time of this attempt, so that a late attempt passes the endpoint's check of its age.
 */
export const payloadOf = ({ id, type, org_id, created_at, data }: EventRecord, timestamp: number): string =>
  JSON.stringify({ id, type, org_id, created_at, data, timestamp });
