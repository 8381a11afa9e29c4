import type { EventAttempt } from '#shared/domain/events.catalog.ts';
import { auditOfTurningOff } from '#shared/domain/receiver-audit.rules.ts';
import type { DisabledReason, ReceiverConfig } from '#shared/domain/receiver-config.model.ts';
import { newsOf, turnedOff } from '#shared/domain/receiver-health.rules.ts';
import type { Deps } from '#shared/ports/deps.ts';

type Needs = Pick<Deps, 'receivers' | 'clock' | 'log'>;

/**
 * Puts down what a try says about its receiver. Where that is lost, by a crash or in a race, it is left alone: somebody has
 * changed the receiver, or the next try says the same. Failing is dated from now, as others may have succeeded while this
 * one waited for an answer.
 */
export async function noteOutcome(receiver: ReceiverConfig, attempt: EventAttempt, isFirst: boolean, deps: Needs): Promise<void> {
  const news = newsOf(receiver, attempt, isFirst);
  if (news?.is === 'back') await deps.receivers.noteBack(receiver);
  if (news?.is === 'failing') await deps.receivers.noteFailing(receiver, deps.clock.now());
  if (news?.is === 'off') await turnOff(receiver, news.reason, deps);
}

async function turnOff(receiver: ReceiverConfig, reason: DisabledReason, { receivers, clock, log }: Needs): Promise<void> {
  const at = clock.now();
  const off = turnedOff(receiver, reason, at);
  const done = await receivers.turnOff(off, auditOfTurningOff(receiver, off, reason, at));
  if (done) log.warn('receiver_disabled', { org_id: receiver.org_id, reason });
}
