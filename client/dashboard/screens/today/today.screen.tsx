import { useMemo } from 'preact/hooks';
import { serverNow } from '#client/dashboard/api/server-time.ts';
import { useQuery } from '#client/dashboard/api/use-query.ts';
import { useFormats, useMessages } from '#client/dashboard/i18n/i18n.tsx';
import { AttentionList } from '#client/dashboard/screens/today/attention-list.tsx';
import { FailureReasons, Providers } from '#client/dashboard/screens/today/breakdowns.tsx';
import { currenciesOf } from '#client/dashboard/screens/today/compare.ts';
import { Figures, type Periods } from '#client/dashboard/screens/today/figures.tsx';
import { NothingYet } from '#client/dashboard/screens/today/nothing-yet.tsx';
import { PERIODS, periodOf, rangesOf } from '#client/dashboard/screens/today/period.ts';
import { TODAY } from '#client/dashboard/screens/today/today.catalog.ts';
import { VolumeChart } from '#client/dashboard/screens/today/volume-chart.tsx';
import { Select } from '#client/dashboard/ui/choices.tsx';
import { type Filters, useFilters } from '#client/dashboard/ui/filters.tsx';
import { Page } from '#client/dashboard/ui/page.tsx';
import { Loaded, Loading } from '#client/dashboard/ui/states.tsx';
import { Segments } from '#client/dashboard/ui/tabs.tsx';

/** New payments are counted within seconds. */
const REFRESH_MS = 30_000;

type TodayFilters = Filters<'days' | 'currency'>;

/** How it goes: what came in, what failed and why, and what waits for somebody. */
export function TodayScreen() {
  const messages = useMessages(TODAY);
  const formats = useFormats();
  const filters = useFilters(['days', 'currency']);
  const period = periodOf(filters.values.days);
  const choice = (
    <Segments
      label={messages.period}
      value={period}
      options={PERIODS.map((value) => ({ value, label: messages.days(formats.number(Number(value))) }))}
      onValue={(days) => filters.set('days', days)}
    />
  );
  return (
    <Page
      title={messages.title}
      subtitle={`${formats.day(serverNow().toISOString())} · ${messages.daysAreUtc}`}
      actions={choice}
    >
      <TodayContent filters={filters} />
    </Page>
  );
}

function TodayContent({ filters }: { readonly filters: TodayFilters }) {
  const period = periodOf(filters.values.days);
  const today = serverNow().toISOString().slice(0, 10);
  const { current, previous } = useMemo(() => rangesOf(period, new Date(today)), [period, today]);
  const stats = useQuery(
    ['stats', current.from, current.to],
    async (api, options) => {
      const load = ({ from, to }: typeof current) => api.reports.getPaymentStats({ from, to }, options);
      const [now, before] = await Promise.all([load(current), load(previous)]);
      return { now, before };
    },
    { every: REFRESH_MS },
  );
  return (
    <div class="today">
      <Loaded query={stats} loading={<TodayLoading />}>
        {({ now, before }) => <PeriodFigures periods={{ now, before, current, previous }} filters={filters} />}
      </Loaded>
      <div class="today-attention">
        <AttentionList />
      </div>
    </div>
  );
}

/** In the place of the figures, so that nothing below them moves away. */
const TodayLoading = () => (
  <div class="today-figures">
    <Loading rows={8} />
  </div>
);

function PeriodFigures({ periods, filters }: { readonly periods: Periods; readonly filters: TodayFilters }) {
  const messages = useMessages(TODAY);
  const currencies = currenciesOf(periods.now);
  const currency = currencies.find((one) => one === filters.values.currency) ?? currencies[0];
  if (currency === undefined) return <NothingYet />;
  const choice = currencies.length > 1 && (
    <Select
      label={messages.currency}
      isLabelHidden
      value={currency}
      options={currencies.map((value) => ({ value, label: value }))}
      onValue={(value) => filters.set('currency', value)}
    />
  );
  return (
    <>
      <div class="today-figures">
        <Figures periods={periods} currency={currency} />
      </div>
      <div class="today-chart">
        <VolumeChart periods={periods} currency={currency} choice={choice} />
      </div>
      <div class="today-failures">
        <FailureReasons stats={periods.now} from={periods.current.from} />
      </div>
      <div class="today-providers">
        <Providers stats={periods.now} currency={currency} />
      </div>
    </>
  );
}
