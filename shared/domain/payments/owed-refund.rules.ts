import type { Attempt, Payment, Refund, RefundReason } from '#shared/domain/payments/payment.model.ts';
import { derivedId } from '#shared/kernel/ids.ts';

/** Reserves an automatic refund, which the next reader of the payment sends, once. A failed one may be owed again. */
export function oweRefund(
  payment: Payment,
  attempt: Attempt,
  amount: number,
  reason: RefundReason,
  at: Date,
  currency: string = payment.currency,
): Payment {
  const earlier = payment.refunds.filter(
    (r) => r.attempt_id === attempt.id && r.automatic && r.reason === reason,
  ).length;
  const refund: Refund = {
    id: derivedId('refund', at, attempt.id, reason, ...(earlier > 0 ? [String(earlier)] : [])),
    amount,
    status: 'pending',
    reason,
    failure: null,
    metadata: {},
    attempt_id: attempt.id,
    psp_reference: null,
    created_at: at.toISOString(),
    phase: 'calling',
    automatic: true,
    ...(currency !== payment.currency && { currency }),
  };
  return { ...payment, refunds: [...payment.refunds, refund] };
}
