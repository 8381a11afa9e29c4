import type { EventAttempt, EventRecord } from '#shared/domain/reference/events.catalog.ts';
import { auditOfTurningOff } from '#shared/domain/webhooks/receiver-audit.rules.ts';
import type { DisabledReason, ReceiverConfig } from '#shared/domain/webhooks/receiver-config.model.ts';
import { newsOf, TOLD_AFTER, turnedOff } from '#shared/domain/webhooks/receiver-health.rules.ts';
import { SECOND } from '#shared/kernel/clock.ts';
import { newId } from '#shared/kernel/ids.ts';
import type { Deps } from '#shared/ports/deps.ts';

type Needs = Pick<Deps, 'receivers' | 'queue' | 'clock' | 'log'>;

/**
 * Records what a try says about its receiver, given the event as it was before. A lost record is not repeated: after a
 * crash or lost race someone has changed the receiver, or the next try says the same. A failure is dated from now, as
 * others may have succeeded while this one waited for its answer.
 */
export async function recordOutcome(
  receiver: ReceiverConfig,
  attempt: EventAttempt,
  event: EventRecord,
  replay: boolean,
  deps: Needs,
): Promise<void> {
  const news = newsOf(receiver, attempt, event, replay);
  if (news?.is === 'back') await deps.receivers.noteBack(receiver);
  if (news?.is === 'failing') await deps.receivers.noteFailing(receiver, news.field, deps.clock.now());
  if (news?.is === 'off') await turnOff(receiver, news.reason, deps);
}

/**
 * The notification is queued before the record: after a crash in between it is about nothing, and of several that turn
 * the receiver off at once only the one whose entry is stored is notified. It goes through the slow lane, which alone
 * has a mailer.
 */
async function turnOff(
  receiver: ReceiverConfig,
  reason: DisabledReason,
  { receivers, queue, clock, log }: Needs,
): Promise<void> {
  const { org_id } = receiver;
  const at = clock.now();
  const off = turnedOff(receiver, reason, at);
  const actId = newId('act', at);
  const body = { org_id, turned_off: { audit: off.audits, act_id: actId } };
  await queue.send('slow-deliveries', [{ body, group: org_id, delaySeconds: TOLD_AFTER / SECOND }]);
  const done = await receivers.turnOff(off, auditOfTurningOff(receiver, off, reason, actId, at));
  if (done) log.warn('receiver_disabled', { org_id, reason });
}
