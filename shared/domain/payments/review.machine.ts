import { cancelLocally, closeAttempts } from '#shared/domain/payments/attempt-ending.machine.ts';
import { failUnmadeCapture } from '#shared/domain/payments/capture.machine.ts';
import {
  allows,
  refundMismatchedAmounts,
  touched,
  withCurrentReview,
} from '#shared/domain/payments/payment.machine.ts';
import type { Payment, Refund, Review } from '#shared/domain/payments/payment.model.ts';
import { refundRest } from '#shared/domain/payments/refund.rules.ts';
import { refundDecline, refundFailureOf } from '#shared/domain/payments/refund-failures.catalog.ts';

/**
 * Ends a review as a person decided; unwanted money is refunded once. A payment that can be canceled is canceled; any
 * other keeps its status. `by`: the operation, so that a repeat finds the review ended.
 */
export function closeReview(payment: Payment, by: string, at: Date): Payment | undefined {
  const { review } = payment;
  if (!review) return undefined;
  const ended = allows(payment, 'cancel') ? cancelLocally(payment, at) : closePayment(payment, review, at);
  const closed = closeCapture(closeRefund(ended, review, at), review, at);
  return { ...withCurrentReview(closed, at), ended_review: by };
}

/** A capture that the PSP never confirmed fails, so that its amount can be captured again. */
const closeCapture = (payment: Payment, { capture_id }: Review, at: Date): Payment =>
  (typeof capture_id === 'string' && failUnmadeCapture(payment, capture_id, at)) || payment;

function closePayment(payment: Payment, { refund_id, capture_id }: Review, at: Date): Payment {
  const closed: Payment = { ...touched(payment, at), review: null };
  return refund_id === undefined && capture_id === undefined
    ? closeAttempts(refundMismatchedAmounts(closed, 'after_cancel', at))
    : closed;
}

const FAILED_WITHOUT_VERDICT = {
  status: 'failed',
  failure: refundFailureOf(refundDecline('no_verdict')),
  phase: 'final',
} as const;

/** The same refund would fail each time. */
const HOPELESS: ReadonlySet<string> = new Set(['already_refunded', 'charge_disputed']);

/**
 * Closes the refund that a review is about. A refund that the PSP has named is not changed. One that it never confirmed
 * fails, so that its amount can be refunded again. If it was automatic, a new automatic refund is added, unless the PSP
 * would refuse that as well: it has nothing left to refund, or the charge is disputed.
 */
function closeRefund(payment: Payment, { refund_id }: Review, at: Date): Payment {
  const refund = payment.refunds.find((r) => r.id === refund_id);
  if (!refund) return payment;
  const hasNoReference = refund.phase !== 'final' && refund.psp_reference === null;
  const isHopeless = HOPELESS.has(refund.failure?.code ?? '');
  const closed: Refund = {
    ...refund,
    ...((refund.phase !== 'final' || isHopeless) && { given_up: true }),
    ...(hasNoReference && FAILED_WITHOUT_VERDICT),
  };
  const updated = { ...payment, refunds: payment.refunds.map((r) => (r.id === refund.id ? closed : r)) };
  const isDue = refund.automatic && closed.status === 'failed' && !isHopeless;
  return isDue ? refundRest(updated, closed, at) : updated;
}
