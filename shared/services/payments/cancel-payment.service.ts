import { settle } from '#shared/domain/payments/attempt.machine.ts';
import { cancelLocally, clearEnding, recordEnding } from '#shared/domain/payments/attempt-ending.machine.ts';
import { canCancel, notCancelable } from '#shared/domain/payments/capability.rules.ts';
import { capturesOf } from '#shared/domain/payments/capture.rules.ts';
import { advance, currentAttempt, isOpen } from '#shared/domain/payments/payment.machine.ts';
import type { Attempt, Payment } from '#shared/domain/payments/payment.model.ts';
import { isPollingOver } from '#shared/domain/payments/reconciliation.rules.ts';
import { closeReview } from '#shared/domain/payments/review.machine.ts';
import type { Verdict } from '#shared/domain/payments/verdict.model.ts';
import { AppError, orNotFound } from '#shared/kernel/errors.ts';
import { operationId } from '#shared/kernel/operation.ts';
import type { Caller } from '#shared/ports/caller.ts';
import type { Deps } from '#shared/ports/deps.ts';
import type { Deadline, PspOutcome } from '#shared/ports/psp.port.ts';
import { lookUpRefund } from '#shared/services/payments/apply-reported-refund.service.ts';
import { cancelAuthorized, lookUpAuthorization } from '#shared/services/payments/authorization.service.ts';
import { classifyLookup } from '#shared/services/payments/classify-outcome.service.ts';
import { chargeRef, endAtPsp, openSession } from '#shared/services/payments/psp-session.service.ts';
import { assertOutcomeKnown, outcomeUnknown, queryAttempt } from '#shared/services/payments/query-attempt.service.ts';
import { sendAutomaticRefunds } from '#shared/services/payments/refund-payment.service.ts';
import { type SettleDeps, settlePayment } from '#shared/services/payments/settle-payment.service.ts';

export type CancelDeps = SettleDeps & Pick<Deps, 'psp' | 'connections' | 'config' | 'log' | 'pspDeadline'>;

/** Cancels a payment that has taken no money. If a PSP has the charge, the response of the PSP decides the status. */
export async function cancelPayment(
  { id }: { readonly id: string },
  caller: Caller,
  deps: CancelDeps,
): Promise<Payment> {
  const payment = orNotFound(await deps.payments.get(caller.orgId, id), 'There is no such payment.');
  const deadline = deps.pspDeadline();
  const cancellationId = operationId(caller.operation, 'refund');
  if (wasCanceledByThisRequest(payment, cancellationId, caller)) return sendAutomaticRefunds(payment, deadline, deps);
  if (payment.review) return endReview(payment, cancellationId, deadline, deps);
  assertOutcomeKnown(payment);
  if (payment.status === 'authorized') return cancelAuthorized(payment, deadline, deps);
  advance(payment, 'cancel', deps.clock.now());
  const attempt = currentAttempt(payment);
  if (!attempt) return cancelIntent(payment, deps);
  const connection = await deps.connections.get(payment.org_id, attempt.connection_id);
  const end = canCancel(connection) ? endAtPsp : fetchFromPsp;
  const { payment: canceled, accepted } = await cancelAtPsp(
    payment,
    attempt,
    () => end(payment, attempt, deadline, deps),
    deps,
  );
  if (accepted) return canceled;
  // The customer was faster: what was authorized meanwhile is released.
  if (canceled.status === 'authorized') return cancelAuthorized(canceled, deadline, deps);
  if (canceled.status === 'canceled') return sendAutomaticRefunds(canceled, deadline, deps);
  assertOutcomeKnown(canceled);
  throw notCancelable(connection, canceled);
}

/** An earlier try of this request canceled the payment, or ended its review, and then crashed. */
const wasCanceledByThisRequest = (
  { status, review, ended_review, released_amount = 0 }: Payment,
  cancellationId: string,
  caller: Caller,
): boolean =>
  caller.operation.resumed &&
  (ended_review === cancellationId ||
    (status === 'canceled' && !review) ||
    (status === 'succeeded' && released_amount > 0));

function cancelIntent(payment: Payment, deps: CancelDeps): Promise<Payment> {
  return deps.payments.change(payment, (p) => {
    // A concurrent confirmation wins: its attempt is with the PSP.
    if (p.attempts.length > 0)
      throw new AppError('payment_not_cancelable', 'The payment was confirmed by another request.');
    return cancelLocally(p, deps.clock.now());
  });
}

/** If the connection cannot cancel, the charge is only looked up: it may have ended already. */
async function fetchFromPsp(
  payment: Payment,
  attempt: Attempt,
  deadline: Deadline,
  deps: CancelDeps,
): Promise<PspOutcome> {
  const session = await openSession(payment, attempt, deadline, deps);
  return session.fetch({ ...chargeRef(payment, attempt), mayCapture: false });
}

/** `accepted`: the PSP ends the charge later, and reports it with a callback. */
async function cancelAtPsp(
  payment: Payment,
  attempt: Attempt,
  end: () => Promise<PspOutcome>,
  deps: CancelDeps,
): Promise<{ payment: Payment; accepted: boolean }> {
  const marked = await deps.payments.change(payment, (p) => recordEnding(p, attempt.id, 'cancel'));
  const verdict = await classifyLookup(end, deps.log);
  if (verdict.kind === 'unknown')
    throw new AppError('provider_error', 'The provider could not be reached to cancel this payment. Try again.');
  const decide = (p: Payment) => {
    const settled = settle(p, attempt.id, verdict, deps.clock.now());
    return OPEN_VERDICTS.has(verdict.kind) ? (clearEnding(settled ?? p, attempt.id) ?? settled) : settled;
  };
  const settled = await settlePayment(marked, decide, deps, verdict.saved);
  return {
    payment: settled,
    accepted: verdict.kind === 'accepted' && settled.attempts.some((a) => a.id === attempt.id && isOpen(a)),
  };
}

/**
 * Ends a review because a person decided so. Each PSP is queried a last time, because nothing is polled afterwards.
 * Money that the payment may not keep is refunded once.
 */
async function endReview(
  before: Payment,
  cancellationId: string,
  deadline: Deadline,
  deps: CancelDeps,
): Promise<Payment> {
  const refundId = before.review?.refund_id;
  const captureId = before.review?.capture_id;
  const payment = await pollCapture(await pollRefund(before, deadline, deps), deadline, deps);
  const verdicts = await lastVerdicts(payment, deadline, deps);
  const at = deps.clock.now();
  const decide = (p: Payment) => {
    // The refund may have its verdict by now. Then this review is over, and the next one needs a new decision.
    const hasVerdict =
      (refundId !== undefined && p.review?.refund_id !== refundId) ||
      (captureId !== undefined && p.review?.capture_id !== captureId);
    const end = hasVerdict ? { ...p, ended_review: cancellationId } : closeReview(p, cancellationId, at);
    return (
      end && verdicts.reduce((known, { attempt, verdict }) => settle(known, attempt.id, verdict, at) ?? known, end)
    );
  };
  const saved = verdicts.find(({ verdict }) => verdict.saved !== undefined)?.verdict.saved;
  const closed = await settlePayment(payment, decide, deps, saved);
  if (closed.ended_review === cancellationId) return sendAutomaticRefunds(closed, deadline, deps);
  throw new AppError(
    'payment_not_cancelable',
    `The provider has reported an outcome; the payment is ${closed.status}.`,
  );
}

/** A pending refund may have its verdict by now. It is not sent again: the person ends it. */
async function pollRefund(payment: Payment, deadline: Deadline, deps: CancelDeps): Promise<Payment> {
  const refund =
    payment.review?.reason === 'no_verdict' && payment.refunds.find((r) => r.id === payment.review?.refund_id);
  return refund ? lookUpRefund(payment, refund, deadline, deps) : payment;
}

/** A pending capture may have its verdict by now, too. */
function pollCapture(payment: Payment, deadline: Deadline, deps: CancelDeps): Promise<Payment> {
  const capture = capturesOf(payment).find(({ id }) => id === payment.review?.capture_id);
  return capture ? lookUpAuthorization(payment, capture.attempt_id, deadline, deps) : Promise.resolve(payment);
}

type AttemptVerdict = { readonly attempt: Attempt; readonly verdict: Verdict };

/**
 * Queries each open charge. A charge without a verdict may be closed only if it is under review for that, or is no
 * longer polled.
 */
async function lastVerdicts(
  payment: Payment,
  deadline: Deadline,
  deps: CancelDeps,
): Promise<readonly AttemptVerdict[]> {
  const { review } = payment;
  const verdicts: AttemptVerdict[] = [];
  for (const attempt of payment.attempts.filter((a) => isOpen(a) && !a.wrong_amount)) {
    const verdict = await lastVerdict(payment, attempt, deadline, deps);
    if (verdict.kind === 'unknown' && review?.reason !== 'no_verdict' && !isPollingOver(payment, attempt))
      throw outcomeUnknown();
    verdicts.push({ attempt, verdict });
  }
  return verdicts;
}

/** The verdict on a charge. A charge that is still open is ended at the PSP first. */
async function lastVerdict(payment: Payment, attempt: Attempt, deadline: Deadline, deps: CancelDeps): Promise<Verdict> {
  // With `ending: 'cancel'` the look-up does not capture an authorized charge.
  const verdict = await queryAttempt(payment, { ...attempt, ending: 'cancel' }, deadline, deps);
  if (!('reference' in verdict) || verdict.reference === null || !OPEN_VERDICTS.has(verdict.kind)) return verdict;
  const withReference = { ...attempt, psp_reference: verdict.reference };
  return classifyLookup(() => endAtPsp(payment, withReference, deadline, deps), deps.log);
}

/** Verdicts on a charge that the PSP has not ended. */
const OPEN_VERDICTS: ReadonlySet<Verdict['kind']> = new Set(['processing', 'requires_action', 'waiting']);
