import { useConnectionList } from '#client/dashboard/api/use-connection-list.ts';
import { usePages } from '#client/dashboard/api/use-pages.ts';
import {
  AuditTable,
  ofConnection,
  ofOrganization,
  ofWebhooks,
} from '#client/dashboard/screens/developers/audit-table.tsx';
import { loadWebhookAudit } from '#client/dashboard/screens/webhooks/webhook-audit.ts';
import { useSession } from '#client/dashboard/shell/session.tsx';
import { Select } from '#client/dashboard/ui/choices.tsx';
import { FilterBar, useFilters } from '#client/dashboard/ui/filters.tsx';
import { Section } from '#client/dashboard/ui/page.tsx';
import { PagedList } from '#client/dashboard/ui/pager.tsx';
import { providerName } from '#client/dashboard/ui/provider-name.ts';
import { Empty } from '#client/dashboard/ui/states.tsx';

const FILTERS = ['of'] as const;

/** Who changed what: keys, members and names, the webhooks, or a connection. */
export function AuditLog() {
  const { can } = useSession();
  const filters = useFilters(FILTERS);
  const { of } = filters.values;
  const connections = useConnectionList();
  const options = [
    { value: '', label: 'Keys, members and names' },
    ...(can('webhooks:read') ? [{ value: 'webhooks', label: 'Webhooks' }] : []),
    ...connections.map(({ id, provider }) => ({ value: id, label: `${providerName(provider)}: ${id}` })),
  ];
  return (
    <Section title="Audit" description="What people, keys and the service have changed, newest first.">
      <FilterBar filters={filters}>
        <Select label="Changes of" value={of ?? ''} options={options} onValue={(value) => filters.set('of', value)} />
      </FilterBar>
      <Entries of={of} />
    </Section>
  );
}

function Entries({ of }: { readonly of: string | undefined }) {
  if (of === undefined) return <OrganizationEntries />;
  return of === 'webhooks' ? <WebhookEntries /> : <ConnectionEntries id={of} />;
}

const NOTHING = <Empty icon="clock" title="Nothing was changed yet" />;

function OrganizationEntries() {
  const pages = usePages(['audit'], (api, options) => api.logs.listOrganizationAudit({}, options));
  return (
    <PagedList pages={pages} empty={NOTHING}>
      {(rows) => <AuditTable label="Changes of keys, members and names" entries={rows.map(ofOrganization)} />}
    </PagedList>
  );
}

function WebhookEntries() {
  const pages = usePages(['audit', 'webhooks'], loadWebhookAudit);
  return (
    <PagedList pages={pages} empty={NOTHING}>
      {(rows) => <AuditTable label="Changes of the webhooks" entries={rows.map(ofWebhooks)} />}
    </PagedList>
  );
}

function ConnectionEntries({ id }: { readonly id: string }) {
  const pages = usePages(['audit', id], (api, options) => api.logs.listConnectionAudit(id, {}, options));
  return (
    <PagedList pages={pages} empty={NOTHING}>
      {(rows) => <AuditTable label="Changes of the connection" entries={rows.map(ofConnection)} />}
    </PagedList>
  );
}
