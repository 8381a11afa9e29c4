import { useState } from 'preact/hooks';
import { serverNow } from '#client/dashboard/api/server-time.ts';
import { usePages } from '#client/dashboard/api/use-pages.ts';
import { useMessages } from '#client/dashboard/i18n/i18n.tsx';
import { ExportDialog } from '#client/dashboard/screens/payments/export-dialog.tsx';
import { NewLinkDialog } from '#client/dashboard/screens/payments/new-link-dialog.tsx';
import { PaymentFilters } from '#client/dashboard/screens/payments/payment-filters.tsx';
import { PAYMENTS } from '#client/dashboard/screens/payments/payments.catalog.ts';
import { CHOICES, FILTERS, type FilterName, paymentsQuery } from '#client/dashboard/screens/payments/payments-query.ts';
import { PaymentsTable } from '#client/dashboard/screens/payments/payments-table.tsx';
import { SearchResults } from '#client/dashboard/screens/payments/search-results.tsx';
import { ViewTabs } from '#client/dashboard/screens/payments/view-tabs.tsx';
import { useSession } from '#client/dashboard/shell/session.tsx';
import { Button, LinkButton } from '#client/dashboard/ui/button.tsx';
import { type Filters, useFilters } from '#client/dashboard/ui/filters.tsx';
import { Page } from '#client/dashboard/ui/page.tsx';
import { PagedList } from '#client/dashboard/ui/pager.tsx';
import { Empty } from '#client/dashboard/ui/states.tsx';

/** The organization's payments. What is shown stands in the address. */
export function PaymentsScreen() {
  const texts = useMessages(PAYMENTS);
  const { can } = useSession();
  const filters = useFilters(FILTERS, CHOICES);
  const [dialog, open] = useState<'link' | 'export'>();
  const isSearch = filters.values.search !== undefined;
  return (
    <Page
      title={texts.title}
      actions={
        <>
          <LinkButton tone="quiet" icon="link" href="/dashboard/payments/links">
            {texts.links}
          </LinkButton>
          {!isSearch && (
            <Button icon="download" onClick={() => open('export')}>
              {texts.exportCsv}
            </Button>
          )}
          {can('payments:write') && (
            <Button tone="primary" icon="plus" onClick={() => open('link')}>
              {texts.newLink}
            </Button>
          )}
        </>
      }
    >
      <ViewTabs filters={filters} />
      <PaymentFilters filters={filters} />
      {isSearch ? <SearchResults text={filters.values.search ?? ''} /> : <PaymentList filters={filters} />}
      {dialog === 'export' && <ExportDialog filters={filters.values} onClose={() => open(undefined)} />}
      {dialog === 'link' && <NewLinkDialog currency={filters.values.currency} onClose={() => open(undefined)} />}
    </Page>
  );
}

function PaymentList({ filters }: { readonly filters: Filters<FilterName> }) {
  const texts = useMessages(PAYMENTS);
  const query = paymentsQuery(filters.values, serverNow());
  const pages = usePages(['payments', query], (api, options) => api.payments.list(query, options));
  const empty = filters.isFiltered ? (
    <Empty icon="filter" title={texts.noMatchTitle}>
      {texts.noMatchText}
    </Empty>
  ) : (
    <Empty icon="payments" title={texts.emptyTitle}>
      {texts.emptyText}
    </Empty>
  );
  return (
    <PagedList pages={pages} empty={empty}>
      {(rows) => <PaymentsTable label={texts.list} payments={rows} />}
    </PagedList>
  );
}
