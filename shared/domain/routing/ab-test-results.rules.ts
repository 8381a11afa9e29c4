import type { AbTest } from '#shared/domain/routing/ab-test.model.ts';
import { sentIn, takenIn } from '#shared/domain/routing/ab-test-totals.rules.ts';

/** The totals of one variant. */
export type VariantTotals = { readonly sums: Readonly<Record<string, number>>; readonly updated_at: string | null };
/** By variant name; variants without payments are missing. */
export type TestTotals = ReadonlyMap<string, VariantTotals>;

export const transactionsOf = (totals: TestTotals): number =>
  [...totals.values()].reduce((sum, { sums }) => sum + (sums.transactions ?? 0), 0);

/** One for each variant, in their order. */
export function resultsOf({ id: test_id, variants, target_currencies }: AbTest, totals: TestTotals) {
  const currency = target_currencies[0] ?? mostUsed(totals);
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
      total_amount: currency === null ? 0 : (sums[takenIn(currency)] ?? 0),
      avg_latency_ms: timed > 0 ? Math.round(total_latency_ms / timed) : null,
      success_rate: successful + failed > 0 ? rounded(successful / (successful + failed)) : null,
      updated_at,
    };
  });
}

export const rounded = (share: number): number => Math.round(share * 10_000) / 10_000;

/**
 * A test that targets all currencies shows the amounts of its most frequent currency: amounts in several are never
 * added up.
 */
function mostUsed(totals: TestTotals): string | null {
  const counts: Record<string, number> = {};
  for (const [name, count] of [...totals.values()].flatMap(({ sums }) => Object.entries(sums))) {
    if (name.startsWith(sentIn(''))) counts[name] = (counts[name] ?? 0) + count;
  }
  const [most] = Object.entries(counts).sort(([a, many], [b, more]) => more - many || (a < b ? -1 : 1));
  return most ? most[0].slice(sentIn('').length) : null;
}
