import { useState } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { usePages } from '#client/dashboard/api/use-pages.ts';
import { AddConnection } from '#client/dashboard/screens/connections/add-connection.tsx';
import { ConnectionTable } from '#client/dashboard/screens/connections/connection-table.tsx';
import { CREDENTIAL_FIELDS, type Provider } from '#client/dashboard/screens/connections/credential-fields.ts';
import { useSession } from '#client/dashboard/shell/session.tsx';
import { Button } from '#client/dashboard/ui/button.tsx';
import type { Option } from '#client/dashboard/ui/choices.tsx';
import { FilterBar, FilterInput, FilterSelect, type Filters, useFilters } from '#client/dashboard/ui/filters.tsx';
import { Page } from '#client/dashboard/ui/page.tsx';
import { PagedList } from '#client/dashboard/ui/pager.tsx';
import { providerName } from '#client/dashboard/ui/provider-name.ts';
import { Empty } from '#client/dashboard/ui/states.tsx';

const FILTERS = ['provider', 'status', 'label'] as const;
type FilterName = (typeof FILTERS)[number];

const PROVIDERS = (Object.keys(CREDENTIAL_FIELDS) as readonly Provider[]).map((value) => ({
  value,
  label: providerName(value),
}));
const STATUSES = [
  { value: 'active', label: 'Active' },
  { value: 'inactive', label: 'Inactive' },
] as const;

const valuesOf = (options: readonly Option[]): readonly string[] => options.map(({ value }) => value);
const CHOICES = { provider: valuesOf(PROVIDERS), status: valuesOf(STATUSES) };

/** Health and calls change with every payment. */
const EVERY = 30_000;

/** The organization's own accounts at providers. */
export function ConnectionsScreen() {
  const { can } = useSession();
  const { route } = useLocation();
  const [isAdding, setAdding] = useState(false);
  const filters = useFilters(FILTERS, CHOICES);
  const mayWrite = can('connections:write');
  const add = mayWrite && (
    <Button tone="primary" icon="plus" onClick={() => setAdding(true)}>
      Add connection
    </Button>
  );
  return (
    <Page title="Connections" subtitle="Your own accounts at providers, and how they do." actions={add || undefined}>
      <FilterBar filters={filters}>
        <FilterSelect filters={filters} name="provider" label="Provider" options={PROVIDERS} />
        <FilterSelect filters={filters} name="status" label="Status" options={STATUSES} />
        <FilterInput filters={filters} name="label" label="Label" />
      </FilterBar>
      <ConnectionList filters={filters} mayWrite={mayWrite} />
      {isAdding && (
        <AddConnection onAdded={({ id }) => route(`/dashboard/connections/${id}`)} onClose={() => setAdding(false)} />
      )}
    </Page>
  );
}

type ListProps = { readonly filters: Filters<FilterName>; readonly mayWrite: boolean };

function ConnectionList({ filters, mayWrite }: ListProps) {
  const { provider, status, label } = filters.values;
  const query = { provider, label, status: STATUSES.find(({ value }) => value === status)?.value };
  const pages = usePages(['connections', query], (api, options) => api.connections.list(query, options), {
    every: EVERY,
  });
  const empty = filters.isFiltered ? (
    <Empty icon="filter" title="No connection matches" />
  ) : (
    <Empty icon="connections" title="No connection yet">
      {mayWrite
        ? 'Add an account at a provider, and payments can be routed there.'
        : 'Somebody with the right to change connections can add one.'}
    </Empty>
  );
  return (
    <PagedList pages={pages} empty={empty}>
      {(rows) => <ConnectionTable connections={rows} />}
    </PagedList>
  );
}
