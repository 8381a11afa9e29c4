import { serverNow } from '#client/dashboard/api/server-time.ts';
import { useQuery } from '#client/dashboard/api/use-query.ts';
import { useFormats, useMessages } from '#client/dashboard/i18n/i18n.tsx';
import { BILLING } from '#client/dashboard/screens/subscriptions/billing.catalog.ts';
import { MovementChart } from '#client/dashboard/screens/subscriptions/movement-chart.tsx';
import { type Bar, Bars } from '#client/dashboard/ui/bars.tsx';
import { LineChart } from '#client/dashboard/ui/chart.tsx';
import { Select } from '#client/dashboard/ui/choices.tsx';
import { type Filters, useFilters } from '#client/dashboard/ui/filters.tsx';
import { Columns, Section } from '#client/dashboard/ui/page.tsx';
import { Stat, Stats } from '#client/dashboard/ui/stat.tsx';
import { Loaded } from '#client/dashboard/ui/states.tsx';
import { Segments } from '#client/dashboard/ui/tabs.tsx';
import { Nothing } from '#client/dashboard/ui/time.tsx';
import { Money } from '#client/dashboard/ui/values.tsx';
import type { SubscriptionStats } from '#client/typescript/src/index.ts';

type CurrencyStats = SubscriptionStats['by_currency'][number];

const RANGES = ['30', '90', '365'] as const;
const DAY_MS = 86_400_000;
/** Changes are counted within seconds. */
const REFRESH_MS = 60_000;

/** Monthly recurring revenue and churn, drawn from totals. Nothing is shown before the first subscription. */
export function RecurringRevenue() {
  const filters = useFilters(['days', 'currency']);
  const days = RANGES.find((range) => range === filters.values.days) ?? '90';
  const from = new Date(serverNow().getTime() - (Number(days) - 1) * DAY_MS).toISOString().slice(0, 10);
  const stats = useQuery(
    ['subscription-stats', from],
    (api, options) => api.reports.getSubscriptionStats({ from }, options),
    { every: REFRESH_MS },
  );
  return (
    <Loaded query={stats} rows={6}>
      {({ by_currency }) => <OfCurrency all={by_currency} {...{ filters, days, from }} />}
    </Loaded>
  );
}

type OfCurrencyProps = {
  readonly all: readonly CurrencyStats[];
  readonly filters: Filters<'days' | 'currency'>;
  readonly days: (typeof RANGES)[number];
  readonly from: string;
};

function OfCurrency({ all, filters, days, from }: OfCurrencyProps) {
  const texts = useMessages(BILLING);
  const formats = useFormats();
  const stats = all.find(({ currency }) => currency === filters.values.currency) ?? byRevenue(all)[0];
  if (!stats) return null;
  const choices = (
    <>
      {all.length > 1 && (
        <Select
          label={texts.currency}
          isLabelHidden
          value={stats.currency}
          options={all.map(({ currency }) => ({ value: currency, label: currency }))}
          onValue={(currency) => filters.set('currency', currency)}
        />
      )}
      <Segments
        label={texts.rangeLabel}
        value={days}
        options={RANGES.map((value) => ({ value, label: texts.days(formats.number(Number(value))) }))}
        onValue={(value) => filters.set('days', value)}
      />
    </>
  );
  return (
    <>
      <Section title={texts.recurring} description={texts.recurringHint} actions={choices}>
        <Figures stats={stats} from={from} />
        <Columns layout="side">
          <RevenueChart stats={stats} />
          <Movements stats={stats} />
        </Columns>
      </Section>
      <MovementChart stats={stats} />
    </>
  );
}

const byRevenue = (all: readonly CurrencyStats[]): readonly CurrencyStats[] =>
  [...all].sort((a, b) => b.now.mrr - a.now.mrr);

function Figures({ stats, from }: { readonly stats: CurrencyStats; readonly from: string }) {
  const texts = useMessages(BILLING);
  const formats = useFormats();
  const { currency, now, start, churn_rate, mrr_churn_rate } = stats;
  const grown = now.mrr - start.mrr;
  const direction = grown > 0 ? 'up' : 'down';
  const change = {
    text: `${grown > 0 ? '+' : ''}${formats.money(grown, currency)}`,
    direction: grown === 0 ? ('same' as const) : direction,
    ...(grown !== 0 && { isGood: grown > 0 }),
    than: texts.since(formats.day(from)),
  } as const;
  return (
    <Stats>
      <Stat label={texts.mrr} value={<Money amount={now.mrr} currency={currency} />} change={change} />
      <Stat
        label={texts.active}
        value={formats.number(now.active)}
        hint={now.ending > 0 ? texts.ending(formats.number(now.ending)) : undefined}
        href="/dashboard/subscriptions?status=active"
      />
      <Stat
        label={texts.paused}
        value={formats.number(now.paused)}
        hint={now.scheduled > 0 ? `${texts.scheduled}: ${formats.number(now.scheduled)}` : undefined}
        href="/dashboard/subscriptions?status=paused"
      />
      <Stat
        label={texts.churnRate}
        value={churn_rate === null ? <Nothing /> : formats.percent(churn_rate)}
        hint={mrr_churn_rate === null ? undefined : texts.churnHint(formats.percent(mrr_churn_rate))}
      />
    </Stats>
  );
}

function RevenueChart({ stats: { by_day, currency } }: { readonly stats: CurrencyStats }) {
  const texts = useMessages(BILLING);
  const formats = useFormats();
  return (
    <LineChart
      label={`${texts.mrr} (${currency})`}
      days={by_day.map(({ day }) => day)}
      series={[{ label: texts.mrr, values: by_day.map(({ mrr }) => mrr) }]}
      format={(value) => formats.money(value, currency)}
      formatShort={(value) => formats.moneyShort(value, currency)}
    />
  );
}

const GAINS = ['mrr_new', 'mrr_expansion', 'mrr_reactivated'] as const;
const LOSSES = ['mrr_contraction', 'mrr_churned'] as const;

function Movements({ stats }: { readonly stats: CurrencyStats }) {
  const texts = useMessages(BILLING);
  const formats = useFormats();
  const bar = (key: (typeof GAINS | typeof LOSSES)[number], sign: '+' | '−', tone: 'good' | 'bad'): Bar => ({
    key,
    label: texts.movement[key],
    value: stats[key],
    text: `${stats[key] === 0 ? '' : sign}${formats.money(stats[key], stats.currency)}`,
    tone,
  });
  const bars = [...GAINS.map((key) => bar(key, '+', 'good')), ...LOSSES.map((key) => bar(key, '−', 'bad'))];
  return (
    <div class="stack">
      <h3>{texts.movements}</h3>
      <Bars label={texts.movements} bars={bars} />
    </div>
  );
}
