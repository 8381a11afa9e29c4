import type { ComponentChildren } from 'preact';
import { useFormats, useMessages } from '#client/dashboard/i18n/i18n.tsx';
import { volumesOf } from '#client/dashboard/screens/today/compare.ts';
import type { Periods } from '#client/dashboard/screens/today/figures.tsx';
import { TODAY } from '#client/dashboard/screens/today/today.catalog.ts';
import { LineChart } from '#client/dashboard/ui/chart.tsx';
import { Section } from '#client/dashboard/ui/page.tsx';

type VolumeChartProps = {
  readonly periods: Periods;
  readonly currency: string;
  /** Of another currency, where there are several. */
  readonly choice: ComponentChildren;
};

/** Each day above the day that stood at the same place in the period before. */
export function VolumeChart({ periods: { now, before, current, previous }, currency, choice }: VolumeChartProps) {
  const messages = useMessages(TODAY);
  const formats = useFormats();
  return (
    <Section title={`${messages.volumeByDay} (${currency})`} actions={choice || undefined}>
      <LineChart
        label={`${messages.volumeByDay} (${currency})`}
        days={current.days}
        series={[
          { label: messages.thisPeriod, values: volumesOf(now, current.days, currency) },
          { label: messages.periodBefore, values: volumesOf(before, previous.days, currency), tone: 'muted' },
        ]}
        format={(value) => formats.money(value, currency)}
        formatShort={(value) => formats.moneyShort(value, currency)}
      />
    </Section>
  );
}
