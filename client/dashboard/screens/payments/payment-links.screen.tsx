import { useState } from 'preact/hooks';
import { usePages } from '#client/dashboard/api/use-pages.ts';
import { useQuery } from '#client/dashboard/api/use-query.ts';
import { useMessages } from '#client/dashboard/i18n/i18n.tsx';
import { LinksTable } from '#client/dashboard/screens/payments/links-table.tsx';
import { NewLinkDialog } from '#client/dashboard/screens/payments/new-link-dialog.tsx';
import { PAYMENTS } from '#client/dashboard/screens/payments/payments.catalog.ts';
import { useSession } from '#client/dashboard/shell/session.tsx';
import { Button, LinkButton } from '#client/dashboard/ui/button.tsx';
import { FilterBar, FilterSelect, type Filters, useFilters } from '#client/dashboard/ui/filters.tsx';
import { Page } from '#client/dashboard/ui/page.tsx';
import { PagedList } from '#client/dashboard/ui/pager.tsx';
import { Empty, Loaded } from '#client/dashboard/ui/states.tsx';
import type { PaymentLink } from '#client/typescript/src/generated/schemas.ts';

const STATUSES = ['active', 'completed', 'expired', 'inactive'] as const satisfies readonly PaymentLink['status'][];
type Name = 'status' | 'id';

/** The organization's payment links. A search leads to one of them. */
export function PaymentLinksScreen() {
  const texts = useMessages(PAYMENTS);
  const { can } = useSession();
  const filters = useFilters<Name>(['status', 'id']);
  const [isCreating, create] = useState(false);
  return (
    <Page
      title={texts.links}
      breadcrumbs={[{ label: texts.title, href: '/dashboard/payments' }]}
      actions={
        can('payments:write') && (
          <Button tone="primary" icon="plus" onClick={() => create(true)}>
            {texts.newLink}
          </Button>
        )
      }
    >
      {filters.values.id === undefined ? <AllLinks filters={filters} /> : <OneLink id={filters.values.id} />}
      {isCreating && <NewLinkDialog currency={undefined} onClose={() => create(false)} />}
    </Page>
  );
}

function AllLinks({ filters }: { readonly filters: Filters<Name> }) {
  const texts = useMessages(PAYMENTS);
  const status = STATUSES.find((each) => each === filters.values.status);
  const pages = usePages(['payment-links', status], (api, options) =>
    api.paymentLinks.list({ ...(status && { status }) }, options),
  );
  return (
    <>
      <FilterBar filters={filters}>
        <FilterSelect
          filters={filters}
          name="status"
          label={texts.status}
          options={STATUSES.map((value) => ({ value, label: texts.linkStatuses[value] }))}
        />
      </FilterBar>
      <PagedList
        pages={pages}
        empty={
          <Empty icon="link" title={texts.noLinksTitle}>
            {texts.noLinksText}
          </Empty>
        }
      >
        {(rows) => <LinksTable links={rows} />}
      </PagedList>
    </>
  );
}

function OneLink({ id }: { readonly id: string }) {
  const texts = useMessages(PAYMENTS);
  const query = useQuery(['payment-link', id], (api, options) => api.paymentLinks.get(id, {}, options));
  return (
    <>
      <Loaded query={query}>{(link) => <LinksTable links={[link]} />}</Loaded>
      <p>
        <LinkButton href="/dashboard/payments/links">{texts.allLinks}</LinkButton>
      </p>
    </>
  );
}
