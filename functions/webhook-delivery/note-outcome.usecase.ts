import type { EventAttempt, EventRecord } from '#shared/domain/events.catalog.ts';
import { auditOfTurningOff } from '#shared/domain/receiver-audit.rules.ts';
import type { DisabledReason, ReceiverConfig } from '#shared/domain/receiver-config.model.ts';
import { newsOf, TOLD_AFTER, turnedOff } from '#shared/domain/receiver-health.rules.ts';
import { SECOND } from '#shared/kernel/clock.ts';
import { newId } from '#shared/kernel/ids.ts';
import type { Deps } from '#shared/ports/deps.ts';

type Needs = Pick<Deps, 'receivers' | 'queue' | 'clock' | 'log'>;

/**
 * Puts down what a try of an event, as it was before, says about its receiver. Where that is lost, by a crash or in a race, it
 * is left alone: somebody has changed the receiver, or the next try says the same. Failing is dated from now, as others may
 * have succeeded while this one waited for an answer.
 */
export async function noteOutcome(receiver: ReceiverConfig, attempt: EventAttempt, event: EventRecord, deps: Needs): Promise<void> {
  const news = newsOf(receiver, attempt, event);
  if (news?.is === 'back') await deps.receivers.noteBack(receiver);
  if (news?.is === 'failing') await deps.receivers.noteFailing(receiver, deps.clock.now());
  if (news?.is === 'off') await turnOff(receiver, news.reason, deps);
}

/**
 * The message that has people told goes out before the record: a crash in between leaves one about nothing, and of several
 * that turn it off at once only the one whose entry stands is told of. The slow lane tells: it alone has a mailer.
 */
async function turnOff(receiver: ReceiverConfig, reason: DisabledReason, { receivers, queue, clock, log }: Needs): Promise<void> {
  const { org_id } = receiver;
  const at = clock.now();
  const off = turnedOff(receiver, reason, at);
  const actId = newId('act', at);
  const body = { org_id, turned_off: { audit: off.audits, act_id: actId } };
  await queue.send('slow-deliveries', [{ body, group: org_id, delaySeconds: TOLD_AFTER / SECOND }]);
  const done = await receivers.turnOff(off, auditOfTurningOff(receiver, off, reason, actId, at));
  if (done) log.warn('receiver_disabled', { org_id, reason });
}
