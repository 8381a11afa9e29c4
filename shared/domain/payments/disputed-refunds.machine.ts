import { withCurrentReview } from '#shared/domain/payments/payment.machine.ts';
import type { DisputedMoney, Payment } from '#shared/domain/payments/payment.model.ts';
import { failUnmadeRefund } from '#shared/domain/payments/refund.machine.ts';
import { amountToReturn, disputedAmount, hasOpenDispute, refundRest } from '#shared/domain/payments/refund.rules.ts';
import { refundDecline } from '#shared/domain/payments/refund-failures.catalog.ts';

const CHARGE_DISPUTED = refundDecline('charge_disputed');

/**
 * Keeps an automatic refund from being sent while its charge is disputed, as the customer would get the money twice.
 * It fails, and what is to be returned at the end of the dispute is another refund. Undefined if it may be sent.
 */
export function holdDisputedRefund(payment: Payment, refundId: string, at: Date): Payment | undefined {
  const refund = payment.refunds.find((r) => r.id === refundId && r.automatic && r.phase === 'unsent');
  if (!refund || disputedAmount(payment, refund) === 0) return undefined;
  const held = failUnmadeRefund(payment, refund, at, CHARGE_DISPUTED);
  if (hasOpenDispute(payment, refund.attempt_id)) return held;
  return amountToReturn(held, refund) < refund.amount ? withCurrentReview(refundRest(held, refund, at), at) : undefined;
}

type Changed = Pick<DisputedMoney, 'attempt_id'> & { readonly isWon: boolean };

/** A dispute has changed: once the bank has decided, what it did not return to the customer is refunded. */
export function afterDispute(payment: Payment, { attempt_id, isWon }: Changed, at: Date): Payment {
  const failed = payment.refunds.findLast((r) => r.automatic && r.attempt_id === attempt_id && r.status === 'failed');
  const hasWaited = failed?.failure?.code === 'charge_disputed' && !hasOpenDispute(payment, failed.attempt_id);
  // A person who ended its review did not know that the bank would decide for the merchant.
  const isDue = hasWaited && (!failed.given_up || isWon);
  return withCurrentReview(isDue ? refundRest(payment, failed, at) : payment, at);
}
