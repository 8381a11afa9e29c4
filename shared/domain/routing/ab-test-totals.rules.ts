import type { Attempt, Payment, Refund } from '#shared/domain/payments/payment.model.ts';

/** The totals of a test's variant. */
export type VariantTotalKey = {
  readonly kind: 'ab_result';
  readonly org_id: string;
  readonly test_id: string;
  readonly variant: string;
};

/** What an attempt of a test adds to the totals of its variant. */
type VariantDelta = { readonly of: VariantTotalKey; readonly add: Readonly<Record<string, number>> };

export const takenCounter = (currency: string): string => `taken:${currency}`;
export const sentCounter = (currency: string): string => `sent:${currency}`;
export const startedCounter = (day: string): string => `day:${day}`;

/**
 * A payment's part in test totals, computed from the payment alone, so that a change adds the difference of its two
 * images. An attempt names the variant that began it; failovers name none, and count nowhere.
 */
export const variantDeltasOf = (payment: Payment): readonly VariantDelta[] =>
  payment.attempts.flatMap((attempt) => trialOf(payment, attempt));

function trialOf(
  { org_id, currency, amount, refunds }: Payment,
  { id, ab_test, status, latency_ms, started_at }: Attempt,
): readonly VariantDelta[] {
  if (!ab_test) return [];
  const succeeded = status === 'succeeded' && !refunds.some((refund) => refund.attempt_id === id && isUnwanted(refund));
  const add = {
    transactions: 1,
    successful: succeeded ? 1 : 0,
    failed: status === 'failed' ? 1 : 0,
    total_latency_ms: latency_ms ?? 0,
    timed: latency_ms === null ? 0 : 1,
    [sentCounter(currency)]: 1,
    [takenCounter(currency)]: succeeded ? amount : 0,
    [startedCounter(started_at.slice(0, 10))]: 1,
  };
  return [{ of: { kind: 'ab_result', org_id, ...ab_test }, add }];
}

/**
 * A duplicate charge, or one of a wrong amount, is not a success of the variant. A refund because a link was overpaid
 * says nothing about the variant.
 */
const isUnwanted = ({ automatic, reason }: Refund): boolean => automatic === true && reason !== 'link_overpaid';
