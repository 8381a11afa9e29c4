import { useMessages } from '#client/dashboard/i18n/i18n.tsx';
import { InvoiceTable } from '#client/dashboard/screens/invoices/invoice-table.tsx';
import { BILLING } from '#client/dashboard/screens/subscriptions/billing.catalog.ts';
import { useSession } from '#client/dashboard/shell/session.tsx';
import { FilterBar, FilterInput, FilterSelect, useFilters } from '#client/dashboard/ui/filters.tsx';
import { Page } from '#client/dashboard/ui/page.tsx';
import { NoPermission } from '#client/dashboard/ui/states.tsx';

const STATUSES = ['open', 'paid', 'failed', 'canceled'] as const;

export function InvoicesScreen() {
  const texts = useMessages(BILLING);
  const { can } = useSession();
  const filters = useFilters(['status', 'customer', 'subscription'], { status: STATUSES });
  const { status, customer, subscription } = filters.values;
  const known = STATUSES.find((one) => one === status);
  if (!can('invoices:read'))
    return (
      <Page title={texts.invoices}>
        <NoPermission />
      </Page>
    );
  return (
    <Page title={texts.invoices}>
      <FilterBar filters={filters}>
        <FilterSelect
          filters={filters}
          name="status"
          label={texts.status}
          options={STATUSES.map((value) => ({ value, label: texts.statuses[value] }))}
        />
        <FilterInput filters={filters} name="customer" label={texts.customer} />
        <FilterInput filters={filters} name="subscription" label={texts.subscription} />
      </FilterBar>
      <InvoiceTable
        filter={{
          ...(known && { status: known }),
          ...(customer && { customer_id: customer }),
          ...(subscription && { subscription_id: subscription }),
        }}
        isFiltered={filters.isFiltered}
      />
    </Page>
  );
}
