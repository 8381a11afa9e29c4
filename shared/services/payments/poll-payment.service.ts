import { settle } from '#shared/domain/payments/attempt.machine.ts';
import { currentAttempt, withoutScreeningMark } from '#shared/domain/payments/payment.machine.ts';
import type { Attempt, Payment } from '#shared/domain/payments/payment.model.ts';
import { recordPoll } from '#shared/domain/payments/reconciliation.rules.ts';
import { markUnreadRefunds } from '#shared/domain/payments/refund.rules.ts';
import type { Verdict } from '#shared/domain/payments/verdict.model.ts';
import { plus } from '#shared/kernel/clock.ts';
import { CLAIM_LEASE_MS } from '#shared/kernel/operation.ts';
import type { Deps } from '#shared/ports/deps.ts';
import type { Deadline } from '#shared/ports/psp.port.ts';
import { enforceVelocity } from '#shared/services/payments/enforce-velocity.service.ts';
import { queryAttempt } from '#shared/services/payments/query-attempt.service.ts';
import { type SettleDeps, sendBackUnwanted, settlePayment } from '#shared/services/payments/settle-payment.service.ts';

export type PollDeps = SettleDeps &
  Pick<Deps, 'psp' | 'connections' | 'config' | 'log' | 'velocity' | 'organizations' | 'pspDeadline'>;

/**
 * Applies the velocity rules for a process that died before it did. Undefined while that process may still be running.
 */
async function enforceAbandonedVelocity(
  payment: Payment,
  attempt: Attempt,
  deps: PollDeps,
): Promise<Payment | undefined> {
  if (plus(attempt.started_at, CLAIM_LEASE_MS) > deps.clock.now()) return undefined;
  return enforceVelocity(payment, await deps.organizations.routingData(payment.org_id), true, deps);
}

/** Polls because a client reads the payment, in addition to the schedule of the timer. */
export async function pollNow(payment: Payment, deps: PollDeps): Promise<Payment> {
  const attempt = currentAttempt(payment);
  const deadline = deps.pspDeadline();
  return attempt
    ? sendBackUnwanted(await pollAttempt(payment, attempt, 'reader', deadline, deps), deadline, deps)
    : payment;
}

export async function pollAttempt(
  before: Payment,
  attempt: Attempt,
  by: 'timer' | 'reader',
  deadline: Deadline,
  deps: PollDeps,
): Promise<Payment> {
  const payment =
    before.unscreened && attempt.phase === 'calling' ? await enforceAbandonedVelocity(before, attempt, deps) : before;
  if (payment === undefined || !payment.attempts.some((a) => a.id === attempt.id)) return payment ?? before;
  const verdict = await queryAttempt(payment, attempt, deadline, deps);
  const at = deps.clock.now();
  const settled = await settlePayment(
    payment,
    (p) => withoutScreeningMark(recordPoll(settlePolled(p, attempt.id, verdict, at) ?? p, attempt.id, by, at)),
    deps,
    verdict.saved,
  );
  // It may have been captured at the PSP meanwhile.
  return settled.status === 'authorized' ? readCaptures(settled, attempt.id, deadline, deps) : settled;
}

/** Loaded when it is needed: what charges polls too, and starts faster without it. */
async function readCaptures(payment: Payment, attemptId: string, deadline: Deadline, deps: PollDeps): Promise<Payment> {
  const authorization = await import('#shared/services/payments/authorization.service.ts');
  return authorization.lookUpAuthorization(payment, attemptId, deadline, deps);
}

/** No callback reported this charge, so its refunds may be unreported as well: they are marked to be read. */
function settlePolled(payment: Payment, attemptId: string, verdict: Verdict, at: Date): Payment | undefined {
  const settled = settle(payment, attemptId, verdict, at);
  const isPaid = settled?.attempts.some((a) => a.id === attemptId && a.status === 'succeeded');
  return settled && isPaid ? markUnreadRefunds(settled, attemptId, at) : settled;
}
