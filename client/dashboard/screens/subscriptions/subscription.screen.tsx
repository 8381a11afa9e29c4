import { useRoute } from 'preact-iso';
import { useQuery } from '#client/dashboard/api/use-query.ts';
import { useMessages } from '#client/dashboard/i18n/i18n.tsx';
import { InvoiceTable } from '#client/dashboard/screens/invoices/invoice-table.tsx';
import { BILLING } from '#client/dashboard/screens/subscriptions/billing.catalog.ts';
import { Period, Price, SubscriptionStatus } from '#client/dashboard/screens/subscriptions/billing-values.tsx';
import { SubscriptionActions } from '#client/dashboard/screens/subscriptions/subscription-actions.tsx';
import { Badge } from '#client/dashboard/ui/badge.tsx';
import { Columns, Page, Section } from '#client/dashboard/ui/page.tsx';
import { Empty, Loaded } from '#client/dashboard/ui/states.tsx';
import { Table } from '#client/dashboard/ui/table.tsx';
import { Time } from '#client/dashboard/ui/time.tsx';
import { Id, KeyValue, Money } from '#client/dashboard/ui/values.tsx';
import type { Subscription, UpcomingPeriods } from '#client/typescript/src/index.ts';

/** One subscription: what it costs, when it is charged next, and what became of the charges so far. */
export function SubscriptionScreen() {
  const texts = useMessages(BILLING);
  const { id = '' } = useRoute().params;
  const query = useQuery(['subscription', id], (api, options) => api.subscriptions.get(id, {}, options));
  const crumbs = [{ label: texts.subscriptions, href: '/dashboard/subscriptions' }];
  const found = query.data;
  return (
    <Page
      title={found?.customer_id ?? texts.subscription}
      breadcrumbs={crumbs}
      badge={found && <SubscriptionStatus subscription={found} />}
      subtitle={found && <Price {...found} />}
      actions={found && <SubscriptionActions subscription={found} />}
    >
      <Loaded query={query} rows={8}>
        {(subscription) => <Content subscription={subscription} />}
      </Loaded>
    </Page>
  );
}

function Content({ subscription }: { readonly subscription: Subscription }) {
  const texts = useMessages(BILLING);
  return (
    <>
      <Columns>
        <Section title={texts.details} isCard>
          <Facts subscription={subscription} />
        </Section>
        <Section title={texts.upcoming} description={texts.upcomingHint} isCard>
          <Upcoming subscription={subscription} />
        </Section>
      </Columns>
      <Section title={texts.invoices}>
        <InvoiceTable filter={{ subscription_id: subscription.id }} isOfSubscription />
      </Section>
    </>
  );
}

function Facts({ subscription }: { readonly subscription: Subscription }) {
  const texts = useMessages(BILLING);
  const { id, customer_id, customer_email, plan_id, method, payment_method_id, country } = subscription;
  const { start_at, next_renewal_at, cancel_at_period_end, canceled_at, created_at, metadata } = subscription;
  const customer = `/dashboard/subscriptions?customer=${encodeURIComponent(customer_id)}`;
  return (
    <KeyValue
      items={[
        ['ID', <Id key="id" id={id} />],
        [texts.customer, <Id key="customer" id={customer_id} href={customer} />],
        [texts.email, customer_email],
        [texts.plan, plan_id],
        [texts.method, method],
        [texts.savedMethod, payment_method_id && <Id id={payment_method_id} />],
        [texts.country, country],
        [texts.started, <Time key="start" at={start_at} />],
        [texts.nextRenewal, cancel_at_period_end ? null : next_renewal_at && <Time at={next_renewal_at} />],
        [texts.canceledAt, canceled_at && <Time at={canceled_at} />],
        [texts.created, <Time key="created" at={created_at} />],
        [texts.metadata, Object.keys(metadata).length > 0 ? <code>{JSON.stringify(metadata)}</code> : null],
      ]}
    />
  );
}

type UpcomingPeriod = UpcomingPeriods['periods'][number];

function Upcoming({ subscription: { id, updated_at } }: { readonly subscription: Subscription }) {
  const texts = useMessages(BILLING);
  const query = useQuery(['subscription', id, 'upcoming', updated_at], (api, options) =>
    api.subscriptions.getUpcomingPeriods(id, {}, options),
  );
  const columns = [
    {
      key: 'charged',
      header: texts.chargedOn,
      cell: ({ charged_at, started }: UpcomingPeriod) => (
        <>
          <Time at={charged_at} as="date" /> {started && <Badge tone="warn">{texts.notChargedYet}</Badge>}
        </>
      ),
    },
    { key: 'period', header: texts.period, cell: ({ start, end }: UpcomingPeriod) => <Period from={start} to={end} /> },
    {
      key: 'amount',
      header: texts.amount,
      align: 'end' as const,
      cell: ({ amount, currency }: UpcomingPeriod) => <Money amount={amount} currency={currency} />,
    },
  ];
  return (
    <Loaded query={query} rows={4}>
      {({ periods }) =>
        periods.length === 0 ? (
          <Empty title={texts.upcomingNone} />
        ) : (
          <Table label={texts.upcoming} columns={columns} rows={periods} rowKey={({ start }) => start} />
        )
      }
    </Loaded>
  );
}
