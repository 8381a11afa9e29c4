import type { AbTest } from '#shared/domain/routing/ab-test.model.ts';
import { attemptsCounter, dayCounter, succeededAmountCounter } from '#shared/domain/routing/ab-test-totals.rules.ts';
import { sampleSizePerGroup, twoProportionP } from '#shared/domain/routing/two-proportions.rules.ts';
import { DAY, HOUR, plus } from '#shared/kernel/clock.ts';

/** The totals of one variant. */
export type VariantTotals = { readonly sums: Readonly<Record<string, number>>; readonly updated_at: string | null };
/** By variant name. A variant without payments is missing. */
export type TestTotals = ReadonlyMap<string, VariantTotals>;

export const transactionsOf = (totals: TestTotals): number =>
  [...totals.values()].reduce((sum, { sums }) => sum + (sums.transactions ?? 0), 0);

/** One result per variant, in the order of the variants. */
export function resultsOf({ id: test_id, variants, target_currencies }: AbTest, totals: TestTotals) {
  const currency = target_currencies[0] ?? mostFrequentCurrency(totals);
  return variants.map(({ name: variant_name }, n) => {
    const { sums = {}, updated_at = null } = totals.get(variant_name) ?? {};
    const { transactions = 0, successful = 0, failed = 0, timed = 0, total_latency_ms = 0 } = sums;
    return {
      id: `${test_id}_${n + 1}`,
      test_id,
      variant_name,
      transactions,
      successful,
      failed,
      currency,
      total_amount: currency === null ? 0 : (sums[succeededAmountCounter(currency)] ?? 0),
      avg_latency_ms: timed > 0 ? Math.round(total_latency_ms / timed) : null,
      success_rate: successful + failed > 0 ? roundShare(successful / (successful + failed)) : null,
      updated_at,
    };
  });
}

export const roundShare = (share: number): number => Math.round(share * 10_000) / 10_000;

/**
 * A test that targets all currencies shows the amounts of its most frequent currency, because amounts of different
 * currencies are never added.
 */
function mostFrequentCurrency(totals: TestTotals): string | null {
  const counts: Record<string, number> = {};
  for (const [name, count] of [...totals.values()].flatMap(({ sums }) => Object.entries(sums))) {
    if (name.startsWith(attemptsCounter(''))) counts[name] = (counts[name] ?? 0) + count;
  }
  const [most] = Object.entries(counts).sort(([a, many], [b, more]) => more - many || (a < b ? -1 : 1));
  return most ? most[0].slice(attemptsCounter('').length) : null;
}

const SIGNIFICANCE_LEVEL = 0.05;
const POWER = 0.8;
const MIN_FINISHED = 100;
const MAX_DAYS = 365;

export type Comparison = ReturnType<typeof compareVariants>;

/**
 * Compares the best variant with the runner-up, by finished payments. As the two are picked from all pairs, the level
 * is divided by the number of pairs (Bonferroni).
 */
export function compareVariants(test: AbTest, totals: TestTotals, at: Date) {
  const [best, second] = variantResults(test, totals, at);
  if (!best || !second) return NO_COMPARISON;
  const pairs = (test.variants.length * (test.variants.length - 1)) / 2;
  const confidence = 1 - Math.min(1, pairs * twoProportionP(best, second));
  const enough = Math.min(best.finished, second.finished) >= MIN_FINISHED;
  return {
    winning_variant: best.name,
    success_rate_diff: roundShare(best.rate - second.rate),
    latency_diff: best.latency === null || second.latency === null ? null : Math.round(best.latency - second.latency),
    statistically_valid: enough && confidence >= 1 - SIGNIFICANCE_LEVEL,
    // Rounded down, so that it never shows more confidence than `statistically_valid` has.
    confidence_level: Math.floor(confidence * 1e6) / 1e6,
    recommended_duration: daysNeeded(best, second, SIGNIFICANCE_LEVEL / pairs),
  };
}

const NO_COMPARISON = {
  winning_variant: null,
  success_rate_diff: null,
  latency_diff: null,
  statistically_valid: false,
  confidence_level: 0,
  recommended_duration: MAX_DAYS,
};

type VariantResult = ReturnType<typeof variantResultOf>;

/** Variants with finished payments, best first; of equal rates the faster one, then the earlier one in the test. */
const variantResults = (test: AbTest, totals: TestTotals, at: Date): readonly VariantResult[] =>
  test.variants
    .map(({ name }) => variantResultOf(name, totals.get(name)?.sums ?? {}, test, at))
    .filter(({ finished }) => finished > 0)
    .sort((a, b) => b.rate - a.rate || (a.latency ?? 0) - (b.latency ?? 0));

function variantResultOf(name: string, sums: Readonly<Record<string, number>>, { started_at }: AbTest, at: Date) {
  const { successful = 0, failed = 0, timed = 0, total_latency_ms = 0 } = sums;
  const finished = successful + failed;
  return {
    name,
    successful,
    finished,
    rate: successful / finished,
    latency: timed > 0 ? total_latency_ms / timed : null,
    perDay: paymentsPerDay(sums, started_at, at),
  };
}

/** Payments per day since yesterday's start or the test's start, over at least one hour. */
function paymentsPerDay(sums: Readonly<Record<string, number>>, startedAt: string | null, at: Date): number {
  const [today, yesterday] = [at, plus(at, -DAY)].map((day) => day.toISOString().slice(0, 10));
  const from = Math.max(Date.parse(`${yesterday}T00:00:00.000Z`), Date.parse(startedAt ?? at.toISOString()));
  const started = (sums[dayCounter(today ?? '')] ?? 0) + (sums[dayCounter(yesterday ?? '')] ?? 0);
  return started / (Math.max(HOUR, at.getTime() - from) / DAY);
}

/** Days until the slower variant has enough payments to prove the difference seen now. */
function daysNeeded(best: VariantResult, second: VariantResult, level: number): number {
  const needed = Math.max(MIN_FINISHED, sampleSizePerGroup(best.rate, second.rate, level, POWER));
  const days = [best, second].map(({ finished, perDay }) => (finished >= needed ? 0 : (needed - finished) / perDay));
  return Math.min(MAX_DAYS, Math.ceil(Math.max(...days)));
}
