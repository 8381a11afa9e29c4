import { createHash } from 'node:crypto';
import type { EventAttempt, EventRecord } from '#shared/domain/events.catalog.ts';
import { MAX_DELAY_SECONDS } from '#shared/domain/queue-message.rules.ts';
import type { ReceiverConfig } from '#shared/domain/receiver-config.model.ts';
import { HOUR, MINUTE, plus, SECOND } from '#shared/kernel/clock.ts';

/** How long a receiver may take. */
export const RESPONSE_WINDOW = 30 * SECOND;

/** After the nth try failed: how long until the next. Past the end no more is tried. */
export const RETRY_AFTER = [5 * SECOND, MINUTE, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 6 * HOUR, 12 * HOUR, 24 * HOUR] as const;

/** The share by which a wait is longer or shorter, so that what failed together does not come back together. */
const JITTER = 0.1;

/** A queued message that has not been tried so long after its time is taken for lost. */
export const LOST_AFTER = 15 * MINUTE;

/** So many tries are kept of an event that is replayed again and again: its item has to stay small. */
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

/** A message waits in the queue as long as queues let it; what waits longer is found through the due index. */
export type Settlement = {
  readonly status: EventRecord['status'];
  readonly nextAt: Date | null;
  readonly delaySeconds: number | undefined;
  /** When the sweeper looks after it: at its time, or, should its message be lost in the queue, some time later. */
  readonly dueAt: Date | null;
};

const over = (status: EventRecord['status']): Settlement => ({ status, nextAt: null, delaySeconds: undefined, dueAt: null });

/** What becomes of an event after one more try. A replay of what was decided already makes it better, never worse. */
export function settlementOf(event: EventRecord, attempt: EventAttempt, at: Date, asked?: number): Settlement {
  if (isSuccess(attempt)) return over('delivered');
  if (event.status === 'delivered') return over('delivered');
  const wait = event.status === 'pending' && !isGone(attempt) ? waitAfter(event.id, event.tries + 1, asked) : undefined;
  if (wait === undefined) return over('failed');
  const queued = wait <= MAX_DELAY_SECONDS;
  const nextAt = plus(at, wait * SECOND);
  return { status: 'pending', nextAt, delaySeconds: queued ? wait : undefined, dueAt: queued ? plus(nextAt, LOST_AFTER) : nextAt };
}

/** Somebody asked for a try in between, and it failed: the planned ones come as they would have. */
export const leavesPlan = (event: EventRecord, attempt: EventAttempt): boolean => event.status === 'pending' && !isSuccess(attempt) && !isGone(attempt);

export const isUntried = ({ status, tries }: EventRecord): boolean => status === 'pending' && tries === 0;

/** Its first try is so long overdue that no message may know of it any more. */
export const isOverdue = ({ next_attempt_at, created_at }: EventRecord, at: Date): boolean =>
  Date.parse(next_attempt_at ?? created_at) + LOST_AFTER <= at.getTime();

/** Another try was recorded while this one was under way, and has seen to what comes next. */
export const isSettledSince = (event: EventRecord, now: EventRecord): boolean => now.tries > event.tries || now.status !== event.status;

/** What is kept with one more try: the first, which tells how it began, and the newest. */
export function withAttempt(attempts: readonly EventAttempt[], attempt: EventAttempt): readonly EventAttempt[] {
  const all = [...attempts, attempt];
  return all.length > MOST_KEPT ? [...all.slice(0, 1), ...all.slice(1 - MOST_KEPT)] : all;
}

export const isSuccess = ({ status_code }: EventAttempt): boolean => status_code !== null && status_code >= 200 && status_code < 300;

/** 410: nothing more is to be sent there, this event included. */
export const isGone = ({ status_code }: EventAttempt): boolean => status_code === 410;

/** A test is for seeing whether anything arrives, subscribed to or not; so is what somebody asked to be sent again. */
export const isWanted = ({ type }: Pick<EventRecord, 'type'>, { enabled, events }: ReceiverConfig, replay: boolean): boolean =>
  enabled && (replay || type === 'service.webhook.test' || events.includes('*') || events.includes(type));

/** What is sent: `timestamp` is of this try, so that a late one passes the receiver's check against old messages. */
export const payloadOf = ({ id, type, org_id, created_at, data }: EventRecord, timestamp: number): string =>
  JSON.stringify({ id, type, org_id, created_at, data, timestamp });
