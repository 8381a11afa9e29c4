import { isSettledSince, isSuccess, leavesPlan, settlementOf } from '#shared/domain/delivery.rules.ts';
import type { DeliveryLane } from '#shared/domain/delivery-lane.rules.ts';
import type { EventAttempt, EventRecord } from '#shared/domain/events.catalog.ts';
import { need } from '#shared/kernel/errors.ts';
import type { Deps } from '#shared/ports/deps.ts';

type Needs = Pick<Deps, 'events' | 'queue' | 'clock' | 'log'>;
/** `lane`: where the next try waits, if there is one. `replay`: somebody asked for it, beside those that are planned. */
type Try = { readonly attempt: EventAttempt; readonly retryAfter: number | undefined; readonly lane: DeliveryLane; readonly replay: boolean };

/** How often a try that others settled around is put beside theirs: each time one of those is through. */
const ROUNDS = 25;

/**
 * Records a try and sees to the next one. Of two tries at once (a message that came twice, a replay) the later to be recorded
 * counts only if it succeeded: to what follows a failure the first has seen, and the other just stands in the log. A replay
 * that failed meanwhile has seen to nothing.
 */
export async function settleDelivery(first: EventRecord, tried: Try, deps: Needs): Promise<void> {
  let [event, isLate] = [first, false];
  for (let round = 0; round < ROUNDS; round += 1) {
    if (await record(event, tried, isLate, deps)) return;
    const now = need(await deps.events.get(event.org_id, event.id), 'There is no such event.');
    isLate ||= !isSuccess(tried.attempt) && isSettledSince(event, now);
    event = now;
  }
  // One that is for the log alone is not worth being made again.
  if (!isLate) throw new Error('Too many tries of one event are being settled at once.');
}

/** The next message goes out before the record: a crash in between leaves a message too many, never one too few. */
async function record(event: EventRecord, { attempt, retryAfter, lane, replay }: Try, isLate: boolean, { events, queue, clock, log }: Needs): Promise<boolean> {
  const { delaySeconds, ...next } = settlementOf(event, attempt, clock.now(), retryAfter);
  const isBeside = isLate || (replay && leavesPlan(event, attempt));
  if (delaySeconds !== undefined && !isBeside) {
    const body = { org_id: event.org_id, event_id: event.id, tries: event.tries + 1 };
    await queue.send(lane, [{ body, group: event.org_id, delaySeconds }]);
  }
  const recorded = isBeside ? await events.noteReplay(event, attempt) : await events.settle(event, { attempt, ...next });
  if (recorded) log.info('delivery_tried', { outcome: isBeside ? event.status : next.status, delivery_ms: attempt.duration_ms });
  return recorded;
}
