import type { Attempt, Payment, Refund, RefundReason } from '#shared/domain/payments/payment.model.ts';
import { derivedId } from '#shared/kernel/ids.ts';

/**
 * The amount that can still be refunded: pending and succeeded refunds together never exceed the payment's amount. An
 * automatic refund only counts if it refunds the payment's own charge.
 */
export function refundableAmount(payment: Payment): number {
  const chargedId = chargedAttempt(payment)?.id;
  const counts = ({ automatic, attempt_id, status }: Refund) =>
    status !== 'failed' && (!automatic || attempt_id === chargedId);
  return payment.amount - sumOf(payment.refunds.filter(counts));
}

/**
 * The attempt whose charge paid the payment. Other charges, and all charges of an unpaid payment, are not part of the
 * payment's amount.
 */
export const chargedAttempt = ({ status, attempts, connection_id, psp_reference }: Payment): Attempt | undefined =>
  status === 'succeeded' || status === 'refunded'
    ? attempts.find(
        (a) => a.status === 'succeeded' && a.connection_id === connection_id && a.psp_reference === psp_reference,
      )
    : undefined;

/** The part of this automatic refund's amount that no pending or succeeded refund returns. */
export function amountStillOwed(payment: Payment, { attempt_id }: Refund): number {
  const ofCharge = payment.refunds.filter((r) => r.automatic && r.attempt_id === attempt_id);
  const rest = (ofCharge[0]?.amount ?? 0) - sumOf(ofCharge.filter(({ status }) => status !== 'failed'));
  // Part of the payment's own charge may already have been refunded.
  return Math.max(0, attempt_id === chargedAttempt(payment)?.id ? Math.min(rest, refundableAmount(payment)) : rest);
}

/**
 * The latest automatic refund of this charge that failed, unless its money was refunded since or a person gave it up.
 */
export function failedAutomaticRefund(payment: Payment, attemptId: string): Refund | undefined {
  const failed = payment.refunds.findLast((r) => r.automatic && r.attempt_id === attemptId && r.status === 'failed');
  return failed && !failed.given_up && amountStillOwed(payment, failed) > 0 ? failed : undefined;
}

/**
 * Automatically refunded charges that cannot be found by the payment's own reference. A retry replaces that reference,
 * so a failed payment's reference does not count.
 */
export const secondaryCharges = ({ refunds, attempts, status, provider, psp_reference }: Payment): readonly Attempt[] =>
  attempts.filter((a) => {
    const isFoundByReference = status !== 'failed' && a.provider === provider && a.psp_reference === psp_reference;
    return !isFoundByReference && a.psp_reference !== null && refunds.some((r) => r.automatic && r.attempt_id === a.id);
  });

const sumOf = (refunds: readonly Refund[]): number => refunds.reduce((sum, { amount }) => sum + amount, 0);

/** Adds an automatic refund, which `sendOwedRefunds` sends. If an earlier one failed, the new one gets another id. */
export function addAutomaticRefund(
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
