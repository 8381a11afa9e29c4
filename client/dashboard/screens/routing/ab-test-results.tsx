import { useFormats } from '#client/dashboard/i18n/i18n.tsx';
import { Bars } from '#client/dashboard/ui/bars.tsx';
import { type Column, Table } from '#client/dashboard/ui/table.tsx';
import { Nothing } from '#client/dashboard/ui/time.tsx';
import { Money } from '#client/dashboard/ui/values.tsx';
import type { AbTest, AbTestComparison, AbTestResult } from '#client/typescript/src/index.ts';

type ResultsProps = {
  readonly test: AbTest;
  readonly variants: readonly AbTestResult[];
  readonly comparison: AbTestComparison;
};

/** The success rates drawn, the other figures beside them, and whether the difference means anything yet. */
export function AbTestResults({ test, variants, comparison }: ResultsProps) {
  const { percent } = useFormats();
  if (variants.every(({ transactions }) => transactions === 0))
    return <p class="muted">No payment has taken part yet.</p>;
  const bars = variants.map(({ variant_name, success_rate }) => ({
    key: variant_name,
    label: variant_name,
    value: success_rate ?? 0,
    text: success_rate === null ? '–' : percent(success_rate),
    ...(comparison.statistically_valid && comparison.winning_variant === variant_name && { tone: 'good' as const }),
  }));
  return (
    <>
      <Bars label={`Success rates of ${test.name}`} bars={bars} max={1} />
      <p>{sentenceOf(comparison, percent)}</p>
      <Figures variants={variants} />
    </>
  );
}

function sentenceOf(comparison: AbTestComparison, percent: (share: number) => string): string {
  const { winning_variant, success_rate_diff, statistically_valid, confidence_level, recommended_duration } =
    comparison;
  if (winning_variant === null || success_rate_diff === null)
    return 'Payments of two variants must finish before they can be compared.';
  if (success_rate_diff === 0) return 'The best two do equally well so far.';
  const lead = `${winning_variant} leads by ${percent(success_rate_diff)}`;
  if (statistically_valid) return `${lead}, with a confidence of ${percent(confidence_level)}: this is no chance.`;
  return `${lead}, which may be chance (confidence ${percent(confidence_level)}). ${waitFor(recommended_duration)}`;
}

const MAX_DAYS = 365;

function waitFor(days: number): string {
  if (days >= MAX_DAYS) return 'With the traffic of now, more than a year would be needed to know.';
  return `With the traffic of now, ${days === 1 ? '1 more day' : `${days} more days`} would show it.`;
}

function Figures({ variants }: { readonly variants: readonly AbTestResult[] }) {
  const { number, duration } = useFormats();
  const columns: readonly Column<AbTestResult>[] = [
    { key: 'name', header: 'Variant', cell: ({ variant_name }) => variant_name },
    { key: 'payments', header: 'Payments', align: 'end', cell: ({ transactions }) => number(transactions) },
    { key: 'succeeded', header: 'Succeeded', align: 'end', cell: ({ successful }) => number(successful) },
    { key: 'failed', header: 'Failed', align: 'end', cell: ({ failed }) => number(failed) },
    {
      key: 'amount',
      header: 'Amount',
      align: 'end',
      cell: ({ total_amount, currency }) =>
        currency === null ? <Nothing /> : <Money amount={total_amount} currency={currency} />,
    },
    {
      key: 'latency',
      header: 'Latency',
      align: 'end',
      cell: ({ avg_latency_ms }) => (avg_latency_ms === null ? <Nothing /> : duration(avg_latency_ms)),
    },
  ];
  return <Table label="Figures of the variants" columns={columns} rows={variants} rowKey={({ id }) => id} />;
}
