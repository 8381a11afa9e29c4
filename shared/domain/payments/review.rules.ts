import type { Payment, Review } from '#shared/domain/payments/payment.model.ts';
import { unmadeRefund } from '#shared/domain/payments/refundable.rules.ts';

/**
 * The payment with the review that its record asks for. A review stands until it is answered; then the next one begins,
 * so that a person hears of everything (docs/adr/0013).
 */
export const reviewed = (payment: Payment, at: Date): Payment =>
  payment.review && isOpen(payment, payment.review) ? payment : { ...payment, review: nextReview(payment, at) };

/** A verdict on the current charge ends the review that waited for one. A review about anything else stands. */
export const afterVerdict = ({ review }: Payment): Review | null => (review && waitsForCharge(review) ? null : review);

const waitsForCharge = ({ reason, refund_id }: Review): boolean => reason === 'no_verdict' && refund_id === undefined;

function isOpen(payment: Payment, review: Review): boolean {
  if (review.reason === 'amount_mismatch')
    return payment.attempts.some(({ id, wrong_amount }) => id === review.attempt_id && wrong_amount !== undefined);
  if (waitsForCharge(review)) return true;
  const refund = payment.refunds.find(({ id }) => id === review.refund_id);
  if (!refund) return false;
  return review.reason === 'no_verdict'
    ? refund.phase !== 'final' && !refund.given_up
    : unmadeRefund(payment, refund.attempt_id) !== undefined;
}

/** A missing verdict is not looked for here: the timer finds it. */
function nextReview(payment: Payment, time: Date): Review | null {
  const at = time.toISOString();
  for (const { id, wrong_amount } of payment.attempts) {
    if (wrong_amount)
      return {
        reason: 'amount_mismatch',
        at,
        attempt_id: id,
        psp_amount: wrong_amount.amount,
        psp_currency: wrong_amount.currency,
      };
    const unmade = unmadeRefund(payment, id);
    if (unmade) return { reason: 'refund_failed', at, refund_id: unmade.id };
  }
  return null;
}
