import { Newest, type Numbered } from '#client/dashboard/screens/lab/newest.tsx';
import { MAX_SEEN, useControl } from '#client/dashboard/screens/lab/use-control.ts';
import { Badge } from '#client/dashboard/ui/badge.tsx';
import { FilterBar, FilterInput, FilterSelect, useFilters } from '#client/dashboard/ui/filters.tsx';
import { Section } from '#client/dashboard/ui/page.tsx';
import { providerName } from '#client/dashboard/ui/provider-name.ts';
import { Empty, Loaded } from '#client/dashboard/ui/states.tsx';
import { type Column, Table } from '#client/dashboard/ui/table.tsx';
import { Nothing, Time } from '#client/dashboard/ui/time.tsx';
import { Id, Money } from '#client/dashboard/ui/values.tsx';

type Call = {
  readonly provider: string;
  readonly operation: string;
  readonly payment_id: string | null;
  readonly idempotency_key: string | null;
  readonly status: number;
  readonly at: string;
};
type Charge = { readonly amount: number; readonly refunded: number; readonly currency: string; readonly count: number };
type Seen = { readonly calls: readonly Call[]; readonly charges: Readonly<Record<string, Charge>> };
type Taken = Charge & { readonly payment: string };

/** Every call that the simulators got, and the money that they took. A payment with two charges would be ours to mend. */
export function ProviderCalls({ providers }: { readonly providers: readonly string[] }) {
  const filters = useFilters(['provider', 'payment_id']);
  const query = useControl<Seen>(
    'lab-calls',
    `/psp/calls?${new URLSearchParams({ ...filters.values, limit: String(MAX_SEEN) })}`,
  );
  return (
    <>
      <Section title="What the providers saw" description="The newest calls, newest first.">
        <FilterBar filters={filters}>
          <FilterSelect
            filters={filters}
            name="provider"
            label="Provider"
            options={providers.map((value) => ({ value, label: providerName(value) }))}
          />
          <FilterInput filters={filters} name="payment_id" label="Payment" />
        </FilterBar>
        <Loaded query={query}>{({ calls }) => <CallTable calls={calls} />}</Loaded>
      </Section>
      <Section
        title="The money that they took"
        description="Of the newest payments. One charge each, however often it was asked for."
      >
        <Loaded query={query}>{({ charges }) => <ChargeTable charges={charges} />}</Loaded>
      </Section>
    </>
  );
}

const CALL_COLUMNS: readonly Column<Numbered<Call>>[] = [
  { key: 'at', header: 'Time', cell: ({ at }) => <Time at={at} /> },
  { key: 'provider', header: 'Provider', cell: ({ provider }) => providerName(provider) },
  { key: 'operation', header: 'Operation', cell: ({ operation }) => <code>{operation}</code> },
  { key: 'status', header: 'Response', cell: ({ status }) => <Badge tone={toneOf(status)}>{status || 'none'}</Badge> },
  { key: 'payment', header: 'Payment', isWide: true, cell: ({ payment_id }) => <PaymentLink id={payment_id} /> },
  {
    key: 'key',
    header: 'Idempotency key',
    hideOn: 'phone',
    cell: ({ idempotency_key }) => (idempotency_key ? <Id id={idempotency_key} canCopy={false} /> : <Nothing />),
  },
];

const toneOf = (status: number) => (status >= 200 && status < 400 ? 'good' : 'bad');

const PaymentLink = ({ id }: { readonly id: string | null }) =>
  id ? <Id id={id} href={`/dashboard/payments/${id}`} canCopy={false} /> : <Nothing />;

const CallTable = ({ calls }: { readonly calls: readonly Call[] }) => (
  <Newest all={calls} empty={<Empty icon="connections" title="No call yet" />}>
    {(rows) => <Table label="Calls" columns={CALL_COLUMNS} rows={rows} rowKey={({ number }) => String(number)} />}
  </Newest>
);

const CHARGE_COLUMNS: readonly Column<Numbered<Taken>>[] = [
  { key: 'payment', header: 'Payment', isWide: true, cell: ({ payment }) => <PaymentLink id={payment} /> },
  {
    key: 'amount',
    header: 'Charged',
    align: 'end',
    cell: ({ amount, currency }) => <Money amount={amount} currency={currency} />,
  },
  {
    key: 'refunded',
    header: 'Refunded',
    align: 'end',
    cell: ({ refunded, currency }) => <Money amount={refunded} currency={currency} isMuted />,
  },
  { key: 'count', header: 'Charges', align: 'end', cell: ({ count }) => count },
];

const ChargeTable = ({ charges }: { readonly charges: Readonly<Record<string, Charge>> }) => (
  <Newest
    all={Object.entries(charges).map(([payment, charge]) => ({ ...charge, payment }))}
    empty={<Empty icon="payments" title="No money yet" />}
  >
    {(rows) => (
      <Table
        label="Money"
        columns={CHARGE_COLUMNS}
        rows={rows}
        rowKey={({ payment }) => payment}
        rowTone={({ count }) => (count > 1 ? 'bad' : undefined)}
      />
    )}
  </Newest>
);
