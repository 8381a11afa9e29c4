import { useRoute } from 'preact-iso';
import { useQuery } from '#client/dashboard/api/use-query.ts';
import { useMessages } from '#client/dashboard/i18n/i18n.tsx';
import { Dunning } from '#client/dashboard/screens/invoices/dunning.tsx';
import { InvoiceActions } from '#client/dashboard/screens/invoices/invoice-actions.tsx';
import { BILLING } from '#client/dashboard/screens/subscriptions/billing.catalog.ts';
import { InvoiceStatus, Period } from '#client/dashboard/screens/subscriptions/billing-values.tsx';
import { Columns, Page, Section } from '#client/dashboard/ui/page.tsx';
import { Loaded } from '#client/dashboard/ui/states.tsx';
import { Time } from '#client/dashboard/ui/time.tsx';
import { Id, KeyValue, Money } from '#client/dashboard/ui/values.tsx';
import type { Invoice } from '#client/typescript/src/index.ts';

/** One invoice: what was tried to collect it, and what follows. */
export function InvoiceScreen() {
  const texts = useMessages(BILLING);
  const { id = '' } = useRoute().params;
  const query = useQuery(['invoice', id], (api, options) => api.invoices.get(id, {}, options));
  const found = query.data;
  return (
    <Page
      title={found?.number ?? texts.invoice}
      breadcrumbs={[{ label: texts.invoices, href: '/dashboard/invoices' }]}
      badge={found && <InvoiceStatus invoice={found} />}
      subtitle={found && <Money amount={found.amount} currency={found.currency} />}
      actions={found && <InvoiceActions invoice={found} />}
    >
      <Loaded query={query} rows={8}>
        {(invoice) => (
          <Columns>
            <Section title={texts.details} isCard>
              <Facts invoice={invoice} />
            </Section>
            <Dunning invoice={invoice} />
          </Columns>
        )}
      </Loaded>
    </Page>
  );
}

function Facts({ invoice }: { readonly invoice: Invoice }) {
  const texts = useMessages(BILLING);
  const { id, subscription_id, customer_id, plan_id, payment_id, period_start, period_end, created_at } = invoice;
  return (
    <KeyValue
      items={[
        ['ID', <Id key="id" id={id} />],
        [
          texts.subscription,
          <Id key="subscription" id={subscription_id} href={`/dashboard/subscriptions/${subscription_id}`} />,
        ],
        [
          texts.customer,
          <Id
            key="customer"
            id={customer_id}
            href={`/dashboard/invoices?customer=${encodeURIComponent(customer_id)}`}
          />,
        ],
        [texts.plan, plan_id],
        [texts.period, <Period key="period" from={period_start} to={period_end} />],
        [texts.payment, payment_id && <Id id={payment_id} href={`/dashboard/payments/${payment_id}`} />],
        [texts.created, <Time key="created" at={created_at} />],
      ]}
    />
  );
}
