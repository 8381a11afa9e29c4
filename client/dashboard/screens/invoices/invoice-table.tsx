import { useMemo } from 'preact/hooks';
import { usePages } from '#client/dashboard/api/use-pages.ts';
import { useMessages } from '#client/dashboard/i18n/i18n.tsx';
import { BILLING } from '#client/dashboard/screens/subscriptions/billing.catalog.ts';
import type { BillingMessages } from '#client/dashboard/screens/subscriptions/billing-messages.ts';
import { InvoiceStatus } from '#client/dashboard/screens/subscriptions/billing-values.tsx';
import { PagedList } from '#client/dashboard/ui/pager.tsx';
import { Empty } from '#client/dashboard/ui/states.tsx';
import { type Column, Table } from '#client/dashboard/ui/table.tsx';
import { Time } from '#client/dashboard/ui/time.tsx';
import { Money } from '#client/dashboard/ui/values.tsx';
import type { Invoice } from '#client/typescript/src/index.ts';

type InvoiceFilter = {
  readonly status?: Invoice['status'];
  readonly customer_id?: string;
  readonly subscription_id?: string;
};

type InvoiceTableProps = {
  readonly filter: InvoiceFilter;
  /** All are of one customer and plan, so these are not repeated. */
  readonly isOfSubscription?: boolean;
  readonly isFiltered?: boolean;
};

export function InvoiceTable({ filter, isOfSubscription, isFiltered }: InvoiceTableProps) {
  const texts = useMessages(BILLING);
  const pages = usePages(['invoices', filter], (api, options) => api.invoices.list(filter, options));
  const columns = useMemo(
    () => columnsOf(texts).filter(({ key }) => !isOfSubscription || (key !== 'customer' && key !== 'plan')),
    [texts, isOfSubscription],
  );
  return (
    <PagedList
      pages={pages}
      empty={
        <Empty icon="invoices" title={isFiltered ? texts.noneFits : texts.noInvoices}>
          {isFiltered ? undefined : texts.noInvoicesHint}
        </Empty>
      }
    >
      {(rows) => (
        <Table
          label={texts.invoices}
          columns={columns}
          rows={rows}
          rowKey={({ id }) => id}
          href={({ id }) => `/dashboard/invoices/${id}`}
          rowTone={({ status }) => (status === 'failed' ? 'bad' : undefined)}
        />
      )}
    </PagedList>
  );
}

const columnsOf = (texts: BillingMessages): readonly Column<Invoice>[] => [
  { key: 'number', header: texts.number, cell: ({ number }) => <span class="nowrap">{number}</span> },
  { key: 'customer', header: texts.customer, isWide: true, cell: ({ customer_id }) => customer_id },
  { key: 'plan', header: texts.plan, hideOn: 'phone', cell: ({ plan_id }) => plan_id },
  {
    key: 'amount',
    header: texts.amount,
    align: 'end',
    cell: ({ amount, currency }) => <Money amount={amount} currency={currency} />,
  },
  { key: 'status', header: texts.status, cell: (invoice) => <InvoiceStatus invoice={invoice} /> },
  { key: 'attempts', header: texts.attempts, align: 'end', hideOn: 'phone', cell: ({ attempts }) => attempts },
  { key: 'retry', header: texts.nextRetry, cell: ({ next_retry_at }) => <Time at={next_retry_at} /> },
  {
    key: 'period',
    header: texts.periodStart,
    hideOn: 'phone',
    cell: ({ period_start }) => <Time at={period_start} as="date" />,
  },
];
