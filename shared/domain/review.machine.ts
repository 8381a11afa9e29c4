import { cancelHere, closeAttempts, giveBackWrongAmount } from '#shared/domain/attempt-ending.machine.ts';
import { oweRefund } from '#shared/domain/owed-refund.rules.ts';
import { allows, touched } from '#shared/domain/payment.machine.ts';
import type { Payment, Refund, RefundReason } from '#shared/domain/payment.model.ts';
import { chargedAttempt, refundable } from '#shared/domain/refund.machine.ts';
import { refundDecline, refundFailureOf } from '#shared/domain/refund-failures.catalog.ts';

/**
 * A person ends the review, and what the PSP took without being wanted goes back once. A payment that can be canceled is;
 * any other stays what it is. `by`: the operation that does it, so that its repeat finds it done.
 */
export function endReview(payment: Payment, by: string, at: Date): Payment | undefined {
  const { review } = payment;
  if (!review) return undefined;
  const ended = allows(payment, 'cancel') ? cancelHere(payment, at) : close(payment, at);
  return { ...ended, ended_review: by };
}

function close(payment: Payment, at: Date): Payment {
  const { review } = payment;
  const closed: Payment = { ...touched(payment, at), review: null };
  if (review?.refund_id === undefined) return giveBackWrongAmount(closeAttempts(closed), review, at);
  const refund = payment.refunds.find((r) => r.id === review.refund_id);
  return refund ? closeRefund(closed, refund, at) : closed;
}

const NEVER_SHOWN = { status: 'failed', failure: refundFailureOf(refundDecline('no_verdict')), phase: 'final' } as const;

/** What the PSP has is left to it; what it never showed has failed, and holds no share any more. What we owe is owed again. */
function closeRefund(payment: Payment, refund: Refund, at: Date): Payment {
  const isNameless = refund.phase !== 'final' && refund.psp_reference === null;
  const given: Refund = { ...refund, ...(refund.phase !== 'final' && { given_up: true }), ...(isNameless && NEVER_SHOWN) };
  const known = { ...payment, refunds: payment.refunds.map((r) => (r.id === refund.id ? given : r)) };
  const attempt = payment.attempts.find((a) => a.id === refund.attempt_id);
  if (!refund.automatic || given.status !== 'failed' || !attempt) return known;
  // Of the payment's own charge somebody may have given back a part meanwhile.
  const amount = attempt.id === chargedAttempt(known)?.id ? Math.min(refund.amount, refundable(known)) : refund.amount;
  return amount === 0 ? known : oweRefund(known, attempt, amount, refund.reason as RefundReason, at, refund.currency);
}
