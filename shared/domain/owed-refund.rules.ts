import type { Attempt, Payment, Refund, RefundReason } from '#shared/domain/payment.model.ts';
import { derivedId } from '#shared/kernel/ids.ts';

/** A refund that we make by ourselves: reserved here, sent by whoever reads it next, once. */
export function oweRefund(payment: Payment, attempt: Attempt, amount: number, reason: RefundReason, at: Date): Payment {
  const refund: Refund = {
    id: derivedId('refund', at, attempt.id, reason),
    amount,
    status: 'pending',
    reason,
    metadata: {},
    attempt_id: attempt.id,
    psp_reference: null,
    created_at: at.toISOString(),
    phase: 'calling',
    automatic: true,
  };
  return { ...payment, refunds: [...payment.refunds, refund] };
}
