import type { EventAttempt, EventRecord } from '#shared/domain/reference/events.catalog.ts';
import { PROBE_ORGANIZATION } from '#shared/domain/reference/probe.rules.ts';
import { isSettledSince, isSuccess, keepsSchedule, settleAttempt } from '#shared/domain/webhooks/delivery.rules.ts';
import type { DeliveryLane } from '#shared/domain/webhooks/delivery-lane.rules.ts';
import { orNotFound } from '#shared/kernel/errors.ts';
import { noPause, retryOnConflict } from '#shared/kernel/retry-on-conflict.ts';
import type { Deps } from '#shared/ports/deps.ts';

type Needs = Pick<Deps, 'events' | 'queue' | 'clock' | 'log'>;
type DeliveryAttempt = {
  readonly attempt: EventAttempt;
  readonly retryAfter: number | undefined;
  /** The lane of the next attempt, if there is one. */
  readonly lane: DeliveryLane;
  /** A replay, in addition to the scheduled attempts. */
  readonly replay: boolean;
  /** The last attempt, whatever the schedule says: the endpoint is gone. */
  readonly ends: boolean;
};

/**
 * Records an attempt and schedules the next one. Of two concurrent attempts (a duplicate message, a replay) the first
 * record schedules what follows a failure. The second one changes the event only if it succeeded, else it is just
 * logged. A failed replay schedules nothing.
 */
export async function recordAttempt(first: EventRecord, made: DeliveryAttempt, deps: Needs): Promise<void> {
  let [event, isLate] = [first, false];
  const attempt = async (): Promise<true | undefined> => {
    if (await record(event, made, isLate, deps)) return true;
    const stored = orNotFound(await deps.events.get(event.org_id, event.id), `No event ${event.id}.`);
    isLate ||= !isSuccess(made.attempt) && isSettledSince(event, stored);
    event = stored;
    return undefined;
  };
  await retryOnConflict(attempt, () => new TooManyAttempts(), { wait: noPause }).catch((error: unknown) => {
    // An attempt that would only be logged may be left out.
    if (!(error instanceof TooManyAttempts && isLate)) throw error;
  });
}

class TooManyAttempts extends Error {
  constructor() {
    super('Too many attempts of one event are being recorded at once.');
  }
}

/**
 * The next message is sent before the attempt is recorded: a crash in between leaves one message too many, never none.
 */
async function record(
  event: EventRecord,
  { attempt, retryAfter, lane, replay, ends }: DeliveryAttempt,
  isLate: boolean,
  { events, queue, clock, log }: Needs,
): Promise<boolean> {
  const { delaySeconds, ...next } = settleAttempt(event, attempt, clock.now(), {
    isFinal: ends,
    retryAfter,
  });
  const isLoggedOnly = isLate || (replay && !ends && keepsSchedule(event, attempt));
  if (delaySeconds !== undefined && !isLoggedOnly) {
    const body = { org_id: event.org_id, event_id: event.id, tries: event.tries + 1 };
    await queue.send(lane, [{ body, group: event.org_id, delaySeconds }]);
  }
  const recorded = isLoggedOnly
    ? await events.recordReplay(event, attempt)
    : await events.recordAttempt(event, { attempt, ...next });
  if (recorded)
    // The probe's deliveries are no metric: they would be one with data in every hour, and paid for.
    log.info(event.org_id === PROBE_ORGANIZATION ? 'probe_delivery_tried' : 'delivery_tried', {
      outcome: isLoggedOnly ? event.status : next.status,
      delivery_ms: attempt.duration_ms,
      event_id: event.id,
      resource_id: event.data.id,
    });
  return recorded;
}
