import type { FailureCategory, Payment } from '#shared/domain/payment.model.ts';

const HARD: ReadonlySet<FailureCategory> = new Set(['hard_decline', 'fraud']);

/**
 * Whether the same means of payment will not be accepted later either: the tries are used up at once. A payment that was
 * canceled has been declined by nobody, and a window of the fraud policy has room again later.
 */
export function isHard({ status, failure, fraud }: Pick<Payment, 'status' | 'failure' | 'fraud'>): boolean {
  if (status !== 'failed' || failure === null) return false;
  if (failure.code === 'fraud_blocked' && fraud?.reasons.every((reason) => reason.startsWith('velocity_'))) return false;
  return HARD.has(failure.category) || !failure.retryable;
}
