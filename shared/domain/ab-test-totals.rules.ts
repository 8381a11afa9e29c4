import type { Attempt, Payment } from '#shared/domain/payment.model.ts';

/** What a variant of a test has brought. */
export type VariantPlace = { readonly kind: 'ab_result'; readonly org_id: string; readonly test_id: string; readonly variant: string };

/** An attempt that a test began, as its variant counts it. */
export type Trial = { readonly of: VariantPlace; readonly add: Readonly<Record<string, number>> };

export const takenIn = (currency: string): string => `taken:${currency}`;
export const sentIn = (currency: string): string => `sent:${currency}`;
export const begunOn = (day: string): string => `day:${day}`;

/**
 * A payment as tests count it: all of it follows from the payment as it is, so that a change adds the difference of its two
 * images. An attempt knows the variant that began it; what failed over after it knows none, and counts nowhere.
 */
export const trialsOf = (payment: Payment): readonly Trial[] => payment.attempts.flatMap((attempt) => trialOf(payment, attempt));

function trialOf({ org_id, currency, amount }: Payment, { ab_test, status, latency_ms, started_at }: Attempt): readonly Trial[] {
  if (!ab_test) return [];
  const succeeded = status === 'succeeded';
  const add = {
    transactions: 1,
    successful: succeeded ? 1 : 0,
    failed: status === 'failed' ? 1 : 0,
    total_latency_ms: latency_ms ?? 0,
    timed: latency_ms === null ? 0 : 1,
    [sentIn(currency)]: 1,
    [takenIn(currency)]: succeeded ? amount : 0,
    [begunOn(started_at.slice(0, 10))]: 1,
  };
  return [{ of: { kind: 'ab_result', org_id, ...ab_test }, add }];
}
