import { useLocation } from 'preact-iso';
import { usePages } from '#client/dashboard/api/use-pages.ts';
import { useQuery } from '#client/dashboard/api/use-query.ts';
import { useMessages } from '#client/dashboard/i18n/i18n.tsx';
import { DisputeTable } from '#client/dashboard/screens/disputes/dispute-table.tsx';
import { DISPUTES } from '#client/dashboard/screens/disputes/disputes.catalog.ts';
import { loadQueue } from '#client/dashboard/screens/disputes/load-queue.ts';
import { Alert } from '#client/dashboard/ui/alert.tsx';
import { FilterBar, FilterInput, FilterSelect, type Filters, useFilters } from '#client/dashboard/ui/filters.tsx';
import { Page } from '#client/dashboard/ui/page.tsx';
import { PagedList } from '#client/dashboard/ui/pager.tsx';
import { providerName } from '#client/dashboard/ui/provider-name.ts';
import { Empty, Loaded } from '#client/dashboard/ui/states.tsx';
import { Tabs } from '#client/dashboard/ui/tabs.tsx';
import type { ListDisputesQuery } from '#client/typescript/src/generated/disputes.ts';

const PATH = '/dashboard/disputes';
const FILTERS = ['status', 'provider', 'payment_id'] as const;
const EVERY = 60_000;
const PROVIDERS = ['adyen', 'checkout', 'flutterwave', 'mollie', 'paypal', 'paystack', 'razorpay', 'stripe'];

/** What waits for an answer as a queue by deadline, and all disputes as a list. */
export function DisputesScreen() {
  const texts = useMessages(DISPUTES);
  const filters = useFilters(FILTERS);
  const { view } = useLocation().query;
  // A filter belongs to the list: the queue is what waits, whatever it is.
  const showsAll = view === 'all' || filters.isFiltered;
  return (
    <Page title={texts.title} subtitle={texts.subtitle}>
      <Tabs
        label={texts.views}
        tabs={[
          { label: texts.toAnswer, href: PATH, isCurrent: !showsAll },
          { label: texts.all, href: `${PATH}?view=all`, isCurrent: showsAll },
        ]}
      />
      {showsAll ? <AllDisputes filters={filters} /> : <DisputeQueue />}
    </Page>
  );
}

function DisputeQueue() {
  const texts = useMessages(DISPUTES);
  const queue = useQuery(['disputes', 'queue'], loadQueue, { every: EVERY });
  return (
    <Loaded query={queue} rows={6}>
      {({ disputes, hasMore }) => (
        <>
          {hasMore && (
            <Alert tone="info">
              <p>{texts.moreInList}</p>
            </Alert>
          )}
          {disputes.length > 0 ? (
            <DisputeTable rows={disputes} />
          ) : (
            <Empty icon="disputes" title={texts.queueEmpty}>
              {texts.queueEmptyText}
            </Empty>
          )}
        </>
      )}
    </Loaded>
  );
}

type ListFilters = Filters<(typeof FILTERS)[number]>;

function AllDisputes({ filters }: { readonly filters: ListFilters }) {
  const texts = useMessages(DISPUTES);
  const { status, provider, payment_id } = filters.values;
  // The address may hold anything: the API says what is wrong with it.
  const query = {
    ...(status && { status }),
    ...(provider && { provider }),
    ...(payment_id && { payment_id }),
  } as ListDisputesQuery;
  const pages = usePages(['disputes', query], (api, options) => api.disputes.list(query, options));
  const statuses = Object.entries(texts.statuses).map(([value, { name }]) => ({ value, label: name }));
  return (
    <>
      <FilterBar filters={filters}>
        <FilterSelect filters={filters} name="status" label={texts.status} options={statuses} />
        <FilterSelect
          filters={filters}
          name="provider"
          label={texts.provider}
          options={PROVIDERS.map((value) => ({ value, label: providerName(value) }))}
        />
        <FilterInput filters={filters} name="payment_id" label={texts.payment} />
      </FilterBar>
      <PagedList pages={pages} empty={<Empty icon="disputes" title={texts.empty} />}>
        {(rows) => <DisputeTable rows={rows} />}
      </PagedList>
    </>
  );
}
