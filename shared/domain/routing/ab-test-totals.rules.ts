import type { Attempt, Payment, Refund } from '#shared/domain/payments/payment.model.ts';

/** Identifies the totals of one variant of an A/B test. */
export type VariantTotalKey = {
  readonly kind: 'ab_result';
  readonly org_id: string;
  readonly test_id: string;
  readonly variant: string;
};

/** What one attempt adds to the totals of its variant. */
type VariantDelta = { readonly of: VariantTotalKey; readonly add: Readonly<Record<string, number>> };

export const succeededAmountCounter = (currency: string): string => `taken:${currency}`;
export const attemptsCounter = (currency: string): string => `sent:${currency}`;
export const dayCounter = (day: string): string => `day:${day}`;

/**
 * What a payment adds to the totals of A/B tests, computed from the payment alone: a change adds the difference between
 * the payment after it and before it. An attempt that a variant started names the variant. A failover names none and is
 * not counted.
 */
export const variantDeltasOf = (payment: Payment): readonly VariantDelta[] =>
  payment.attempts.flatMap((attempt) => deltasOfAttempt(payment, attempt));

function deltasOfAttempt(
  { org_id, currency, amount, refunds }: Payment,
  { id, ab_test, status, latency_ms, started_at, release, failure }: Attempt,
): readonly VariantDelta[] {
  if (!ab_test) return [];
  const succeeded =
    (status === 'succeeded' || (status === 'authorized' && !release)) &&
    !refunds.some((refund) => refund.attempt_id === id && isCorrectiveRefund(refund));
  const add = {
    transactions: 1,
    successful: succeeded ? 1 : 0,
    failed: status === 'failed' && failure?.code !== 'authorization_expired' ? 1 : 0,
    total_latency_ms: latency_ms ?? 0,
    timed: latency_ms === null ? 0 : 1,
    [attemptsCounter(currency)]: 1,
    [succeededAmountCounter(currency)]: succeeded ? amount : 0,
    [dayCounter(started_at.slice(0, 10))]: 1,
  };
  return [{ of: { kind: 'ab_result', org_id, ...ab_test }, add }];
}

/**
 * A charge that we refunded because it was a duplicate or had a wrong amount is not a success of the variant. The
 * refund of an overpaid link says nothing about the variant.
 */
const isCorrectiveRefund = ({ automatic, reason }: Refund): boolean => automatic === true && reason !== 'link_overpaid';
