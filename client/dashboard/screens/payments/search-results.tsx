import { usePages } from '#client/dashboard/api/use-pages.ts';
import { useQuery } from '#client/dashboard/api/use-query.ts';
import { useMessages } from '#client/dashboard/i18n/i18n.tsx';
import { PAYMENTS } from '#client/dashboard/screens/payments/payments.catalog.ts';
import { PaymentsTable } from '#client/dashboard/screens/payments/payments-table.tsx';
import { addressOfFound, type Found } from '#client/dashboard/shell/found-address.ts';
import { wordsOf } from '#client/dashboard/ui/badge.tsx';
import { Section } from '#client/dashboard/ui/page.tsx';
import { PagedList } from '#client/dashboard/ui/pager.tsx';
import { Empty, Loaded } from '#client/dashboard/ui/states.tsx';
import { Table } from '#client/dashboard/ui/table.tsx';
import type { Payfork, Payment, RequestOptions } from '#client/typescript/src/index.ts';

/** What the search finds, and the payments of each customer among it. */
export function SearchResults({ text }: { readonly text: string }) {
  const texts = useMessages(PAYMENTS);
  const query = useQuery(['search', text], (api, options) => api.search.findRecords({ q: text }, options));
  return (
    <Loaded query={query}>
      {({ results }) =>
        results.length === 0 ? (
          <Empty icon="search" title={texts.nothingFoundTitle}>
            {texts.nothingFoundText}
          </Empty>
        ) : (
          <>
            <FoundPayments ids={paymentsIn(results)} />
            <FoundTable text={text} found={results.filter(({ type }) => type !== 'payment')} />
            {results.map(({ type, id }) => type === 'customer' && <PaymentsOf key={id} customerId={id} />)}
          </>
        )
      }
    </Loaded>
  );
}

/** The payments of a customer who was found have a list of their own. */
function paymentsIn(found: readonly Found[]): readonly string[] {
  const hasCustomer = found.some(({ type }) => type === 'customer');
  const shown = found.filter(
    ({ type, found_by }) => type === 'payment' && !(hasCustomer && found_by === 'customer_id'),
  );
  return shown.map(({ id }) => id);
}

/** A search finds a few at most: each is read, so that the list says more than its ID. */
function FoundPayments({ ids }: { readonly ids: readonly string[] }) {
  const texts = useMessages(PAYMENTS);
  const query = useQuery(['payments', 'found', ids], (api, options) => readAll(api, ids, options), {
    enabled: ids.length > 0,
  });
  if (ids.length === 0) return null;
  return <Loaded query={query}>{(payments) => <PaymentsTable label={texts.found} payments={payments} />}</Loaded>;
}

/** One that cannot be read hides no other. */
async function readAll(api: Payfork, ids: readonly string[], options: RequestOptions): Promise<readonly Payment[]> {
  const read = await Promise.allSettled(ids.map((id) => api.payments.get(id, {}, options)));
  return read.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
}

type FoundProps = { readonly text: string; readonly found: readonly Found[] };

function FoundTable({ text, found }: FoundProps) {
  const texts = useMessages(PAYMENTS);
  if (found.length === 0) return null;
  return (
    <Table
      label={texts.found}
      columns={[
        { key: 'id', header: 'ID', isWide: true, cell: ({ id }) => <code>{id}</code> },
        { key: 'type', header: texts.record, cell: ({ type }) => texts.recordTypes[type] ?? wordsOf(type) },
        {
          key: 'found',
          header: texts.foundBy,
          cell: ({ found_by }) => texts.foundByNames[found_by] ?? wordsOf(found_by),
        },
      ]}
      rows={found}
      rowKey={({ type, id }) => `${type} ${id}`}
      href={(record) => addressBeyond(text, record)}
    />
  );
}

/** Some records have no screen of their own, and their address is this search. */
function addressBeyond(text: string, record: Found): string | undefined {
  const address = addressOfFound(record);
  return address === `/dashboard/payments?search=${encodeURIComponent(text)}` ? undefined : address;
}

function PaymentsOf({ customerId }: { readonly customerId: string }) {
  const texts = useMessages(PAYMENTS);
  const query = { customer_id: customerId };
  const pages = usePages(['payments', query], (api, options) => api.payments.list(query, options));
  return (
    <Section title={texts.paymentsOf(customerId)}>
      <PagedList pages={pages} empty={<Empty title={texts.emptyTitle} />}>
        {(rows) => <PaymentsTable label={texts.paymentsOf(customerId)} payments={rows} />}
      </PagedList>
    </Section>
  );
}
