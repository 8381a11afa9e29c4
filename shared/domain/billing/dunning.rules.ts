import type { FailureCategory, Payment } from '#shared/domain/payments/payment.model.ts';

const HARD: ReadonlySet<FailureCategory> = new Set(['hard_decline', 'fraud']);

/**
 * Whether the same payment method will not be accepted later either, so that all tries are used up at once. Not for a
 * canceled payment, which was not declined, nor for a fraud policy's window, which has room again later.
 */
export function isHard({ status, failure, fraud }: Pick<Payment, 'status' | 'failure' | 'fraud'>): boolean {
  if (status !== 'failed' || failure === null) return false;
  if (failure.code === 'fraud_blocked' && fraud?.reasons.every((reason) => reason.startsWith('velocity_')))
    return false;
  return HARD.has(failure.category) || !failure.retryable;
}
