import type { EventAttempt, EventRecord } from '#shared/domain/reference/events.catalog.ts';
import { isSettledSince, isSuccess, leavesPlan, settlementOf } from '#shared/domain/webhooks/delivery.rules.ts';
import type { DeliveryLane } from '#shared/domain/webhooks/delivery-lane.rules.ts';
import { need } from '#shared/kernel/errors.ts';
import type { Deps } from '#shared/ports/deps.ts';

type Needs = Pick<Deps, 'events' | 'queue' | 'clock' | 'log'>;
type Try = {
  readonly attempt: EventAttempt;
  readonly retryAfter: number | undefined;
  /** The lane of the next try, if there is one. */
  readonly lane: DeliveryLane;
  /** A replay, in addition to the planned tries. */
  readonly replay: boolean;
  /** The last try, whatever was planned: the receiver is gone. */
  readonly ends: boolean;
};

/** How often a try is recorded again beside concurrent ones: once after each of them. */
const ROUNDS = 25;

/**
 * Records a try and schedules the next one. Of two concurrent tries (a duplicate message, a replay) the later record
 * counts only if it succeeded: the first one has scheduled what follows a failure, and the other is just logged. A
 * failed replay schedules nothing.
 */
export async function settleDelivery(first: EventRecord, tried: Try, deps: Needs): Promise<void> {
  let [event, isLate] = [first, false];
  for (let round = 0; round < ROUNDS; round += 1) {
    if (await record(event, tried, isLate, deps)) return;
    const now = need(await deps.events.get(event.org_id, event.id), 'There is no such event.');
    isLate ||= !isSuccess(tried.attempt) && isSettledSince(event, now);
    event = now;
  }
  // A try that is only logged is not worth repeating.
  if (!isLate) throw new Error('Too many tries of one event are being settled at once.');
}

/** The next message is sent before the record: a crash in between leaves a message too many, never one too few. */
async function record(
  event: EventRecord,
  { attempt, retryAfter, lane, replay, ends }: Try,
  isLate: boolean,
  { events, queue, clock, log }: Needs,
): Promise<boolean> {
  const { delaySeconds, ...next } = settlementOf(event, attempt, clock.now(), { ends, asked: retryAfter });
  const isBeside = isLate || (replay && !ends && leavesPlan(event, attempt));
  if (delaySeconds !== undefined && !isBeside) {
    const body = { org_id: event.org_id, event_id: event.id, tries: event.tries + 1 };
    await queue.send(lane, [{ body, group: event.org_id, delaySeconds }]);
  }
  const recorded = isBeside
    ? await events.noteReplay(event, attempt)
    : await events.settle(event, { attempt, ...next });
  if (recorded)
    log.info('delivery_tried', { outcome: isBeside ? event.status : next.status, delivery_ms: attempt.duration_ms });
  return recorded;
}
