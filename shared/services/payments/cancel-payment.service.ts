import { settle } from '#shared/domain/payments/attempt.machine.ts';
import { cancelHere, intend, withdraw } from '#shared/domain/payments/attempt-ending.machine.ts';
import { currentAttempt, isOpen } from '#shared/domain/payments/attempts.rules.ts';
import { canCancel, notCancelable } from '#shared/domain/payments/capability.rules.ts';
import { advance } from '#shared/domain/payments/payment.machine.ts';
import type { Attempt, Payment } from '#shared/domain/payments/payment.model.ts';
import { AppError, need } from '#shared/kernel/errors.ts';
import { operationId } from '#shared/kernel/operation.ts';
import type { Caller } from '#shared/ports/caller.ts';
import type { Deps } from '#shared/ports/deps.ts';
import type { Deadline, PspOutcome } from '#shared/ports/psp.port.ts';
import { endReview, GOES_ON } from '#shared/services/payments/end-review.service.ts';
import { chargeRef, endAtPsp, openSession } from '#shared/services/payments/open-session.service.ts';
import { assertOutcomeKnown } from '#shared/services/payments/assert-outcome-known.service.ts';
import { sendOwedRefunds } from '#shared/services/payments/send-refund.service.ts';
import { settlePayment } from '#shared/services/payments/settle-payment.service.ts';
import { classifyLookup } from '#shared/services/payments/classify-outcome.service.ts';

/** Ends a payment that has taken no money. Where a PSP holds it, the PSP's answer decides what the payment becomes. */
export async function cancelPayment({ id }: { readonly id: string }, caller: Caller, deps: Deps): Promise<Payment> {
  const payment = need(await deps.payments.get(caller.orgId, id), 'There is no such payment.');
  const deadline = deps.pspDeadline();
  const operation = operationId(caller.operation, 'refund');
  if (isDone(payment, operation, caller)) return sendOwedRefunds(payment, deadline, deps);
  if (payment.review) return endReview(payment, operation, deadline, deps);
  assertOutcomeKnown(payment);
  advance(payment, 'cancel', deps.clock.now());
  const attempt = currentAttempt(payment);
  if (!attempt) return cancelIntent(payment, deps);
  const connection = await deps.connections.get(payment.org_id, attempt.connection_id);
  const end = canCancel(connection) ? endAtPsp : lookAtPsp;
  const { payment: canceled, accepted } = await cancelAtPsp(
    payment,
    attempt,
    () => end(payment, attempt, deadline, deps),
    deps,
  );
  if (accepted) return canceled;
  if (canceled.status === 'canceled') return sendOwedRefunds(canceled, deadline, deps);
  assertOutcomeKnown(canceled);
  throw notCancelable(connection, canceled);
}

/** Already canceled by an earlier run of this very request, which died. */
const isDone = ({ status, review, ended_review }: Payment, operation: string, caller: Caller): boolean =>
  caller.operation.resumed && (ended_review === operation || (status === 'canceled' && !review));

function cancelIntent(payment: Payment, deps: Deps): Promise<Payment> {
  return deps.payments.change(payment, (p) => {
    // A concurrent confirmation wins: its attempt is with the PSP.
    if (p.attempts.length > 0) throw new AppError('payment_not_cancelable', 'The payment was confirmed meanwhile.');
    return cancelHere(p, deps.clock.now());
  });
}

/** An account without cancels is asked for the charge's status: it may have ended by itself. */
async function lookAtPsp(payment: Payment, attempt: Attempt, deadline: Deadline, deps: Deps): Promise<PspOutcome> {
  const session = await openSession(payment, attempt, deadline, deps);
  return session.fetch({ ...chargeRef(payment, attempt), wanted: false });
}

/** `accepted`: the PSP ends it later, and reports that by a callback. */
async function cancelAtPsp(
  payment: Payment,
  attempt: Attempt,
  end: () => Promise<PspOutcome>,
  deps: Deps,
): Promise<{ payment: Payment; accepted: boolean }> {
  const intended = await deps.payments.change(payment, (p) => intend(p, attempt.id, 'cancel'));
  const { verdict } = await classifyLookup(end, deps.log);
  if (verdict.kind === 'unknown')
    throw new AppError('provider_error', 'The provider could not be asked to cancel this payment. Please try again.');
  const decide = (p: Payment) => {
    const known = settle(p, attempt.id, verdict, deps.clock.now());
    return GOES_ON.has(verdict.kind) ? (withdraw(known ?? p, attempt.id) ?? known) : known;
  };
  const settled = await settlePayment(intended, decide, deps);
  return {
    payment: settled,
    accepted: verdict.kind === 'accepted' && settled.attempts.some((a) => a.id === attempt.id && isOpen(a)),
  };
}
