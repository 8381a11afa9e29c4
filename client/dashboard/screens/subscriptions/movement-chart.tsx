import { useFormats, useMessages } from '#client/dashboard/i18n/i18n.tsx';
import { BILLING } from '#client/dashboard/screens/subscriptions/billing.catalog.ts';
import { BarChart } from '#client/dashboard/ui/chart.tsx';
import { Section } from '#client/dashboard/ui/page.tsx';
import type { SubscriptionStats } from '#client/typescript/src/index.ts';

type CurrencyStats = SubscriptionStats['by_currency'][number];
type DayStats = CurrencyStats['by_day'][number];

const MAX_BARS = 31;
const WEEK = 7;
const MONTH = 30;

/** How many days a bar stands for, so that bars stay wide enough to be seen. */
function daysPerBar(days: number): number {
  if (days <= MAX_BARS) return 1;
  return days <= MAX_BARS * WEEK ? WEEK : MONTH;
}

/** The revenue that came above the line, and what went below it. */
export function MovementChart({ stats: { by_day, currency } }: { readonly stats: CurrencyStats }) {
  const texts = useMessages(BILLING);
  const formats = useFormats();
  const size = daysPerBar(by_day.length);
  // From the newest day backwards: only the oldest bar may stand for fewer days.
  const bars = chunksBackwards(by_day, size);
  return (
    <Section
      title={`${texts.gainedAndLost} (${currency})`}
      description={size > 1 ? texts.daysPerBar(formats.number(size)) : undefined}
    >
      <BarChart
        label={`${texts.gainedAndLost} (${currency})`}
        days={bars.map(([first]) => first?.day ?? '')}
        series={[
          { label: texts.gained, values: bars.map((days) => sumOf(days, gainOf)), tone: 'good' },
          { label: texts.lost, values: bars.map((days) => 0 - sumOf(days, lossOf)), tone: 'bad' },
        ]}
        format={(value) => formats.money(value, currency)}
        formatShort={(value) => formats.moneyShort(value, currency)}
        height={180}
      />
    </Section>
  );
}

const gainOf = ({ mrr_new, mrr_expansion, mrr_reactivated }: DayStats): number =>
  mrr_new + mrr_expansion + mrr_reactivated;
const lossOf = ({ mrr_contraction, mrr_churned }: DayStats): number => mrr_contraction + mrr_churned;

const sumOf = (days: readonly DayStats[], amountOf: (day: DayStats) => number): number =>
  days.reduce((sum, day) => sum + amountOf(day), 0);

function chunksBackwards<T>(all: readonly T[], size: number): readonly (readonly T[])[] {
  const chunks: (readonly T[])[] = [];
  for (let end = all.length; end > 0; end -= size) chunks.push(all.slice(Math.max(0, end - size), end));
  return chunks.reverse();
}
