import { createHash } from 'node:crypto';
import type { EventAttempt, EventRecord } from '#shared/domain/reference/events.catalog.ts';
import { MAX_DELAY_SECONDS } from '#shared/domain/webhooks/queue-message.rules.ts';
import type { ReceiverConfig } from '#shared/domain/webhooks/receiver-config.model.ts';
import { HOUR, MINUTE, plus, SECOND } from '#shared/kernel/clock.ts';

/** How long a receiver may take. */
export const RESPONSE_WINDOW = 30 * SECOND;

/** The wait after the nth failed try. After the last one there is no further try. */
export const RETRY_AFTER = [
  5 * SECOND,
  MINUTE,
  5 * MINUTE,
  30 * MINUTE,
  2 * HOUR,
  6 * HOUR,
  12 * HOUR,
  24 * HOUR,
] as const;

/** How much waits vary, so that deliveries that failed together are not repeated together. */
const JITTER = 0.1;

/** A queued message that is untried this long after its time counts as lost. */
export const LOST_AFTER = 15 * MINUTE;

/** How many tries of an event are kept: repeated replays must not grow its item. */
export const MOST_KEPT = 50;

/** A receiver may ask for more time than the schedule gives, up to this. */
const MOST_ASKED = 24 * HOUR;

/** Whole seconds until the next try, or undefined when there is none. `tries`: how many have failed. */
export function waitAfter(eventId: string, tries: number, asked = 0): number | undefined {
  const usual = RETRY_AFTER[tries - 1];
  if (usual === undefined) return undefined;
  const share = createHash('sha256').update(`${eventId}#${tries}`).digest().readUInt32BE(0) / 0xffffffff;
  const jittered = usual * (1 + JITTER * (2 * share - 1));
  return Math.ceil(Math.max(jittered, Math.min(asked * SECOND, MOST_ASKED)) / SECOND);
}

/** Waits up to the queue's limit are in the queue; longer ones are found through the due index. */
type Settlement = {
  readonly status: EventRecord['status'];
  readonly nextAt: Date | null;
  readonly delaySeconds: number | undefined;
  /** When the sweeper looks at it: at the try's time, or somewhat later where a queued message might be lost. */
  readonly dueAt: Date | null;
};

const over = (status: EventRecord['status']): Settlement => ({
  status,
  nextAt: null,
  delaySeconds: undefined,
  dueAt: null,
});

/** `ends`: no further try makes sense. `asked`: the receiver's Retry-After, in seconds. */
type Wish = { readonly ends?: boolean; readonly asked?: number | undefined };

/** The event's state after one more try. A replay of an ended event can improve it, never worsen it. */
export function settlementOf(
  event: EventRecord,
  attempt: EventAttempt,
  at: Date,
  { ends = false, asked }: Wish = {},
): Settlement {
  if (isSuccess(attempt)) return over('delivered');
  if (event.status === 'delivered') return over('delivered');
  const wait = event.status === 'pending' && !ends ? waitAfter(event.id, event.tries + 1, asked) : undefined;
  if (wait === undefined) return over('failed');
  const queued = wait <= MAX_DELAY_SECONDS;
  const nextAt = plus(at, wait * SECOND);
  return {
    status: 'pending',
    nextAt,
    delaySeconds: queued ? wait : undefined,
    dueAt: queued ? plus(nextAt, LOST_AFTER) : nextAt,
  };
}

/** A failed replay of a pending event: the planned tries stay as they are. */
export const leavesPlan = (event: EventRecord, attempt: EventAttempt): boolean =>
  event.status === 'pending' && !isSuccess(attempt);

export const isUntried = ({ status, tries }: EventRecord): boolean => status === 'pending' && tries === 0;

/** Its first try is so long overdue that its message may be lost. */
export const isOverdue = ({ next_attempt_at, created_at }: EventRecord, at: Date): boolean =>
  Date.parse(next_attempt_at ?? created_at) + LOST_AFTER <= at.getTime();

/** A concurrent try was recorded first, and has planned what follows. */
export const isSettledSince = (event: EventRecord, now: EventRecord): boolean =>
  now.tries > event.tries || now.status !== event.status;

/** The log with one more try: the first one, which shows how it began, and the newest. */
export function withAttempt(attempts: readonly EventAttempt[], attempt: EventAttempt): readonly EventAttempt[] {
  const all = [...attempts, attempt];
  return all.length > MOST_KEPT ? [...all.slice(0, 1), ...all.slice(1 - MOST_KEPT)] : all;
}

export const isSuccess = ({ status_code }: EventAttempt): boolean =>
  status_code !== null && status_code >= 200 && status_code < 300;

/** 410: nothing more is sent to this URL, this event included. */
export const isGone = ({ status_code }: EventAttempt): boolean => status_code === 410;

/** Test events and replays are sent whether subscribed to or not. */
export const isWanted = (
  { type }: Pick<EventRecord, 'type'>,
  { enabled, events }: ReceiverConfig,
  replay: boolean,
): boolean => enabled && (replay || type === 'service.webhook.test' || events.includes('*') || events.includes(type));

/** The payload: `timestamp` is this try's, so that a late try passes the receiver's age check. */
export const payloadOf = ({ id, type, org_id, created_at, data }: EventRecord, timestamp: number): string =>
  JSON.stringify({ id, type, org_id, created_at, data, timestamp });
