import { useFormats, useMessages } from '#client/dashboard/i18n/i18n.tsx';
import { changeOf, pointsOf, refundedOf, volumeOf, volumeOn } from '#client/dashboard/screens/today/compare.ts';
import { dayAfter, type Range } from '#client/dashboard/screens/today/period.ts';
import { TODAY } from '#client/dashboard/screens/today/today.catalog.ts';
import { Stat, Stats } from '#client/dashboard/ui/stat.tsx';
import { Nothing } from '#client/dashboard/ui/time.tsx';
import type { PaymentStats } from '#client/typescript/src/index.ts';

/** Two ranges of the same length, and what happened in each. */
export type Periods = {
  readonly now: PaymentStats;
  readonly before: PaymentStats;
  readonly current: Range;
  readonly previous: Range;
};

type FiguresProps = { readonly periods: Periods; readonly currency: string };

/** The figures of the period, each against the period before. */
export function Figures({ periods, currency }: FiguresProps) {
  const messages = useMessages(TODAY);
  const formats = useFormats();
  const { now, before, current } = periods;
  const than = messages.thanBefore(formats.number(current.days.length));
  const compare = (after: number, earlier: number, isMoreGood?: boolean) =>
    changeOf({ now: after, before: earlier, than, isMoreGood }, formats);
  const points = (value: number): string => messages.points(formats.number(Math.round(value * 10) / 10));
  return (
    <Stats>
      <Stat
        label={messages.volume}
        value={formats.money(volumeOf(now, currency), currency)}
        change={compare(volumeOf(now, currency), volumeOf(before, currency), true)}
        hint={<TodayHint periods={periods} currency={currency} />}
      />
      <Stat
        label={messages.successRate}
        value={now.success_rate === null ? <Nothing /> : formats.percent(now.success_rate)}
        change={pointsOf(now.success_rate, before.success_rate, than, points)}
      />
      <Stat
        label={messages.payments}
        value={formats.number(now.total)}
        change={compare(now.total, before.total)}
        href="/dashboard/payments"
      />
      <Stat
        label={messages.refunded}
        value={formats.money(refundedOf(now, currency), currency)}
        change={compare(refundedOf(now, currency), refundedOf(before, currency), false)}
      />
    </Stats>
  );
}

/** Today is not over: it stands beside the whole same day of a week ago, and is not judged. */
function TodayHint({ periods: { now, before, current }, currency }: FiguresProps) {
  const messages = useMessages(TODAY);
  const { moneyShort } = useFormats();
  const weekAgo = dayAfter(new Date(current.to), -7);
  return messages.todayAgainst(
    moneyShort(volumeOn(now, current.to, currency), currency),
    moneyShort(volumeOn(now, weekAgo, currency) + volumeOn(before, weekAgo, currency), currency),
  );
}
