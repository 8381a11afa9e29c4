import { useState } from 'preact/hooks';
import { useConnectionList } from '#client/dashboard/api/use-connection-list.ts';
import { CURRENCY_CODES } from '#client/dashboard/i18n/currency-codes.ts';
import { useMessages } from '#client/dashboard/i18n/i18n.tsx';
import { RANGES } from '#client/dashboard/screens/payments/created-range.ts';
import { PAYMENTS } from '#client/dashboard/screens/payments/payments.catalog.ts';
import { type FilterName, STATUSES } from '#client/dashboard/screens/payments/payments-query.ts';
import { Button } from '#client/dashboard/ui/button.tsx';
import { FilterBar, FilterInput, FilterSelect, type Filters } from '#client/dashboard/ui/filters.tsx';
import { usePaymentWords } from '#client/dashboard/ui/payment-words.ts';
import { providerName } from '#client/dashboard/ui/provider-name.ts';
import type { Connection } from '#client/typescript/src/generated/schemas.ts';

type Props = { readonly filters: Filters<FilterName> };

/**
 * While a search is on, it shows whatever it finds: filters would only hide it. On a phone they are folded, so that the
 * list comes first.
 */
export function PaymentFilters({ filters }: Props) {
  const texts = useMessages(PAYMENTS);
  const [isOpen, setOpen] = useState(filters.isFiltered);
  const isSearch = filters.values.search !== undefined;
  return (
    <div class="payment-filters">
      <FilterBar filters={filters}>
        <FilterInput filters={filters} name="search" label={texts.search} />
        {!isSearch && (
          <>
            <div class="phone-only">
              <Button icon="filter" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
                {texts.filters}
              </Button>
            </div>
            <div class={isOpen ? 'list-filters' : 'list-filters closed'}>
              <ListFilters filters={filters} />
            </div>
          </>
        )}
      </FilterBar>
    </div>
  );
}

function ListFilters({ filters }: Props) {
  const texts = useMessages(PAYMENTS);
  const { statusWords } = usePaymentWords();
  return (
    <>
      <FilterSelect
        filters={filters}
        name="status"
        label={texts.status}
        options={STATUSES.map((value) => ({ value, label: statusWords(value) }))}
      />
      <CreatedFilter filters={filters} />
      <ConnectionFilter filters={filters} />
      <FilterInput filters={filters} name="currency" label={texts.currency} suggestions={CURRENCY_CODES} />
      <FilterInput filters={filters} name="customer_id" label={texts.customer} />
    </>
  );
}

/** A period that ends now, or two days of one's own. */
function CreatedFilter({ filters }: Props) {
  const texts = useMessages(PAYMENTS);
  const { created, from, to } = filters.values;
  const isCustom = created === 'dates' || from !== undefined || to !== undefined;
  const options = [
    { value: 'today', label: texts.today },
    ...Object.entries(RANGES)
      .filter(([, days]) => days > 1)
      .map(([value, days]) => ({ value, label: texts.lastDays(String(days)) })),
    { value: 'dates', label: texts.chosenDates },
  ];
  const shown: Filters<FilterName> = {
    ...filters,
    values: { ...filters.values, ...(isCustom && { created: 'dates' }) },
    set: (name, value) => filters.setAll({ ...filters.values, [name]: value, from: undefined, to: undefined }),
  };
  return (
    <>
      <FilterSelect filters={shown} name="created" label={texts.created} options={options} />
      {isCustom && (
        <>
          <FilterInput filters={filters} name="from" label={texts.from} type="date" />
          <FilterInput filters={filters} name="to" label={texts.to} type="date" />
        </>
      )}
    </>
  );
}

/** The address may name a connection that is not among them: a deleted one, for example. */
function ConnectionFilter({ filters }: Props) {
  const texts = useMessages(PAYMENTS);
  const { connection_id: chosen } = filters.values;
  const options = useConnectionList().map((connection) => ({ value: connection.id, label: nameOf(connection) }));
  const all =
    chosen === undefined || options.some(({ value }) => value === chosen)
      ? options
      : [...options, { value: chosen, label: chosen }];
  if (all.length === 0) return null;
  return <FilterSelect filters={filters} name="connection_id" label={texts.connection} options={all} />;
}

const nameOf = ({ provider, labels, id }: Connection): string =>
  `${providerName(provider)} · ${labels[0] ?? `…${id.slice(-6)}`}`;
