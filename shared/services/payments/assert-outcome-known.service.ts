import { currentAttempt, isUnknown } from '#shared/domain/payments/attempts.rules.ts';
import type { Payment } from '#shared/domain/payments/payment.model.ts';
import { AppError } from '#shared/kernel/errors.ts';

/** Refused while it is unknown whether money moved. */
export function assertOutcomeKnown(payment: Payment): void {
  const attempt = currentAttempt(payment);
  if (attempt && isUnknown(attempt) && !payment.review) throw outcomeUnknown();
}

export const outcomeUnknown = (): AppError =>
  new AppError('outcome_unknown', 'The provider has not said yet what became of this payment. Try again in a minute.', {
    retryAfter: 60,
  });
