import { settle } from '#shared/domain/payments/attempt.machine.ts';
import { isOpen } from '#shared/domain/payments/attempts.rules.ts';
import { isLeftAlone } from '#shared/domain/payments/duties.rules.ts';
import type { Attempt, Payment } from '#shared/domain/payments/payment.model.ts';
import { withReviewEnded } from '#shared/domain/payments/review.machine.ts';
import type { Verdict } from '#shared/domain/payments/verdict.model.ts';
import { AppError } from '#shared/kernel/errors.ts';
import type { Deps } from '#shared/ports/deps.ts';
import type { Deadline } from '#shared/ports/psp.port.ts';
import { askAttempt } from '#shared/services/payments/ask-attempt.service.ts';
import { endAtPsp } from '#shared/services/payments/open-session.service.ts';
import { outcomeUnknown } from '#shared/services/payments/assert-outcome-known.service.ts';
import { sendOwedRefunds, sendRefund } from '#shared/services/payments/send-refund.service.ts';
import { settlePayment } from '#shared/services/payments/settle-payment.service.ts';
import { classifyLookup } from '#shared/services/payments/classify-outcome.service.ts';

/**
 * Ends a review on a person's decision: each PSP is asked one last time, as no poll follows, and unwanted money is
 * refunded once.
 */
export async function endReview(seen: Payment, operation: string, deadline: Deadline, deps: Deps): Promise<Payment> {
  const refundId = seen.review?.refund_id;
  const payment = await askForRefund(seen, deadline, deps);
  const heard = await lastWords(payment, deadline, deps);
  const at = deps.clock.now();
  const decide = (p: Payment) => {
    // The refund may have its verdict by now; the next review is another decision.
    const isAnswered = refundId !== undefined && p.review?.refund_id !== refundId;
    const end = isAnswered ? { ...p, ended_review: operation } : withReviewEnded(p, operation, at);
    return end && heard.reduce((known, { attempt, verdict }) => settle(known, attempt.id, verdict, at) ?? known, end);
  };
  const closed = await settlePayment(payment, decide, deps);
  if (closed.ended_review === operation) return sendOwedRefunds(closed, deadline, deps);
  throw new AppError('payment_not_cancelable', `The provider has spoken meanwhile; the payment is ${closed.status}.`);
}

/** A pending refund may have its verdict by now. */
async function askForRefund(payment: Payment, deadline: Deadline, deps: Deps): Promise<Payment> {
  const refund =
    payment.review?.reason === 'no_verdict' && payment.refunds.find((r) => r.id === payment.review?.refund_id);
  return refund ? sendRefund(payment, refund.id, deadline, deps) : payment;
}

type LastWord = { readonly attempt: Attempt; readonly verdict: Verdict };

/** Asks about each unsettled charge. Only one under review, or no longer polled, may be closed without a verdict. */
async function lastWords(payment: Payment, deadline: Deadline, deps: Deps): Promise<readonly LastWord[]> {
  const { review } = payment;
  const heard: LastWord[] = [];
  for (const attempt of payment.attempts.filter((a) => isOpen(a) && !a.wrong_amount)) {
    const verdict = await lastWord(payment, attempt, deadline, deps);
    if (verdict.kind === 'unknown' && review?.reason !== 'no_verdict' && !isLeftAlone(payment, attempt))
      throw outcomeUnknown();
    heard.push({ attempt, verdict });
  }
  return heard;
}

/** Money that it took is refunded, and a charge that is still open is ended. */
async function lastWord(payment: Payment, attempt: Attempt, deadline: Deadline, deps: Deps): Promise<Verdict> {
  // Asked as for a charge that is to end: a merely approved one is not captured by the look-up.
  const { verdict } = await askAttempt(payment, { ...attempt, ending: 'cancel' }, deadline, deps);
  if (!('reference' in verdict) || verdict.reference === null || !GOES_ON.has(verdict.kind)) return verdict;
  const held = { ...attempt, psp_reference: verdict.reference };
  return (await classifyLookup(() => endAtPsp(payment, held, deadline, deps), deps.log)).verdict;
}

/** The PSP has not ended it. */
export const GOES_ON: ReadonlySet<Verdict['kind']> = new Set(['processing', 'requires_action', 'waiting']);
