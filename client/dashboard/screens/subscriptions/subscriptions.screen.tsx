import { useMemo, useState } from 'preact/hooks';
import { usePages } from '#client/dashboard/api/use-pages.ts';
import { useMessages } from '#client/dashboard/i18n/i18n.tsx';
import { BILLING } from '#client/dashboard/screens/subscriptions/billing.catalog.ts';
import type { BillingMessages } from '#client/dashboard/screens/subscriptions/billing-messages.ts';
import { Price, SubscriptionStatus } from '#client/dashboard/screens/subscriptions/billing-values.tsx';
import { CreateSubscriptionDialog } from '#client/dashboard/screens/subscriptions/create-subscription.tsx';
import { RecurringRevenue } from '#client/dashboard/screens/subscriptions/recurring-revenue.tsx';
import { useSession } from '#client/dashboard/shell/session.tsx';
import { Button } from '#client/dashboard/ui/button.tsx';
import { FilterBar, FilterInput, FilterSelect, type Filters, useFilters } from '#client/dashboard/ui/filters.tsx';
import { Page, Section } from '#client/dashboard/ui/page.tsx';
import { PagedList } from '#client/dashboard/ui/pager.tsx';
import { Empty, NoPermission } from '#client/dashboard/ui/states.tsx';
import { type Column, Table } from '#client/dashboard/ui/table.tsx';
import { Time } from '#client/dashboard/ui/time.tsx';
import type { Subscription } from '#client/typescript/src/index.ts';

const STATUSES = ['active', 'paused', 'canceled'] as const;

/** Recurring revenue, and the subscriptions it comes from. */
export function SubscriptionsScreen() {
  const texts = useMessages(BILLING);
  const { can } = useSession();
  const [isCreating, create] = useState(false);
  if (!can('subscriptions:read'))
    return (
      <Page title={texts.subscriptions}>
        <NoPermission />
      </Page>
    );
  const button = can('subscriptions:write') && (
    <Button tone="primary" icon="plus" onClick={() => create(true)}>
      {texts.newSubscription}
    </Button>
  );
  return (
    <Page title={texts.subscriptions} actions={button || undefined}>
      <RecurringRevenue />
      <Section title={texts.subscriptions}>
        <SubscriptionList />
      </Section>
      {isCreating && <CreateSubscriptionDialog onClose={() => create(false)} />}
    </Page>
  );
}

type SubscriptionFilters = Filters<'status' | 'customer' | 'plan'>;

function SubscriptionList() {
  const texts = useMessages(BILLING);
  const filters = useFilters(['status', 'customer', 'plan'], { status: STATUSES });
  const columns = useMemo(() => columnsOf(texts), [texts]);
  const query = queryOf(filters);
  const pages = usePages(['subscriptions', query], (api, options) => api.subscriptions.list(query, options));
  const empty = (
    <Empty icon="subscriptions" title={filters.isFiltered ? texts.noneFits : texts.noSubscriptions}>
      {filters.isFiltered ? undefined : texts.noSubscriptionsHint}
    </Empty>
  );
  return (
    <>
      <SubscriptionFilterBar filters={filters} />
      <PagedList pages={pages} empty={empty}>
        {(rows) => (
          <Table
            label={texts.subscriptions}
            columns={columns}
            rows={rows}
            rowKey={({ id }) => id}
            href={({ id }) => `/dashboard/subscriptions/${id}`}
          />
        )}
      </PagedList>
    </>
  );
}

function SubscriptionFilterBar({ filters }: { readonly filters: SubscriptionFilters }) {
  const texts = useMessages(BILLING);
  const statuses = STATUSES.map((value) => ({ value, label: texts.statuses[value] }));
  return (
    <FilterBar filters={filters}>
      <FilterSelect filters={filters} name="status" label={texts.status} options={statuses} />
      <FilterInput filters={filters} name="customer" label={texts.customer} />
      <FilterInput filters={filters} name="plan" label={texts.plan} />
    </FilterBar>
  );
}

const queryOf = ({ values: { status, customer, plan } }: SubscriptionFilters) => ({
  ...(isStatus(status) && { status }),
  ...(customer && { customer_id: customer }),
  ...(plan && { plan_id: plan }),
});

const isStatus = (text: string | undefined): text is (typeof STATUSES)[number] =>
  STATUSES.some((status) => status === text);

const columnsOf = (texts: BillingMessages): readonly Column<Subscription>[] => [
  { key: 'customer', header: texts.customer, isWide: true, cell: ({ customer_id }) => customer_id },
  { key: 'plan', header: texts.plan, cell: ({ plan_id }) => plan_id },
  { key: 'price', header: texts.price, align: 'end', cell: (subscription) => <Price {...subscription} /> },
  { key: 'status', header: texts.status, cell: (subscription) => <SubscriptionStatus subscription={subscription} /> },
  {
    key: 'next',
    header: texts.nextRenewal,
    cell: ({ next_renewal_at, cancel_at_period_end }) => (
      <Time at={cancel_at_period_end ? null : next_renewal_at} as="date" />
    ),
  },
  {
    key: 'created',
    header: texts.created,
    hideOn: 'phone',
    cell: ({ created_at }) => <Time at={created_at} as="date" />,
  },
];
