import { isSuccess, settlementOf } from '#shared/domain/delivery.rules.ts';
import type { EventAttempt, EventRecord } from '#shared/domain/events.catalog.ts';
import { need } from '#shared/kernel/errors.ts';
import type { Deps } from '#shared/ports/deps.ts';

type Needs = Pick<Deps, 'events' | 'queue' | 'clock' | 'log'>;
type Try = { readonly attempt: EventAttempt; readonly retryAfter: number | undefined };

/** How often a success that others settled around is put beside theirs. */
const ROUNDS = 5;

/**
 * Records a try and sees to the next one. The next message goes out before the record: a crash in between leaves a message
 * too many, never one too few. Of two tries at once (a message that came twice, a replay) the later to be recorded counts
 * only if it succeeded: to what follows a failure the first has seen.
 */
export async function settleDelivery(first: EventRecord, { attempt, retryAfter }: Try, deps: Needs): Promise<void> {
  let event = first;
  for (let round = 0; round < ROUNDS; round += 1) {
    const { delaySeconds, ...next } = settlementOf(event, attempt, deps.clock.now(), retryAfter);
    if (delaySeconds !== undefined) {
      const body = { org_id: event.org_id, event_id: event.id, tries: event.attempts.length + 1 };
      await deps.queue.send('webhook-delivery', [{ body, group: event.org_id, delaySeconds }]);
    }
    const settled = await deps.events.settle(event, { attempt, ...next });
    if (settled) deps.log.info('delivery_tried', { outcome: next.status, delivery_ms: attempt.duration_ms });
    if (settled || !isSuccess(attempt)) return;
    event = need(await deps.events.get(event.org_id, event.id), 'There is no such event.');
  }
  throw new Error('Too many tries of one event are being settled at once.');
}
