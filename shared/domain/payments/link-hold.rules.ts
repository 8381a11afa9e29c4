import { authorizedAttempt } from '#shared/domain/payments/capture.rules.ts';
import { scheduleRelease } from '#shared/domain/payments/payment.machine.ts';
import type { Payment } from '#shared/domain/payments/payment.model.ts';
import { addAutomaticRefund, chargedAttempt, refundableAmount } from '#shared/domain/payments/refund.rules.ts';

type SlotOutcome = NonNullable<Payment['link_hold']>['became'];

type SlotAction = 'count' | 'uncount' | 'give_up';

/**
 * What to do with the payment's slot of its link. Undefined while the status is not final, or once it was done. An
 * authorized payment counts, and no more once its authorization is released.
 */
export function pendingSlotAction({ payment_link_id, status, link_hold, capture }: Payment): SlotAction | undefined {
  if (payment_link_id === null || link_hold?.became === 'overpaid') return undefined;
  const hasEnded = status === 'failed' || status === 'canceled';
  if (link_hold?.became === 'paid') return capture && hasEnded ? 'uncount' : undefined;
  if (status === 'succeeded' || status === 'refunded' || status === 'authorized') return 'count';
  return hasEnded && link_hold?.became === 'held' ? 'give_up' : undefined;
}

/** Records the outcome of the payment's slot. If the link was already paid in full, the payment is refunded once. */
export function recordSlotOutcome(payment: Payment, became: SlotOutcome, at: Date): Payment | undefined {
  const action = pendingSlotAction(payment);
  if (action === undefined || (became === 'given_up') !== (action !== 'count')) return undefined;
  const { until = at.toISOString() } = payment.link_hold ?? {};
  const settled: Payment = {
    ...payment,
    link_hold: { ...(became !== 'given_up' && { until }), became, at: at.toISOString() },
  };
  const authorized = authorizedAttempt(payment);
  if (became === 'overpaid' && authorized && !authorized.release)
    return scheduleRelease(settled, authorized, 'link_overpaid', at);
  const charged = chargedAttempt(payment);
  const rest = refundableAmount(payment);
  return became === 'overpaid' && charged && rest > 0
    ? addAutomaticRefund(settled, charged, rest, 'link_overpaid', at)
    : settled;
}
