import { useRoute } from 'preact-iso';
import { usePages } from '#client/dashboard/api/use-pages.ts';
import { useQuery } from '#client/dashboard/api/use-query.ts';
import { Capabilities } from '#client/dashboard/screens/connections/capabilities.tsx';
import { ConnectionActions } from '#client/dashboard/screens/connections/connection-actions.tsx';
import { readableChanges } from '#client/dashboard/screens/connections/connection-changes.ts';
import { ConnectionFacts } from '#client/dashboard/screens/connections/connection-facts.tsx';
import { AuditTable, ofConnection } from '#client/dashboard/screens/developers/audit-table.tsx';
import { useSession } from '#client/dashboard/shell/session.tsx';
import { Alert } from '#client/dashboard/ui/alert.tsx';
import { Badge, StatusBadge } from '#client/dashboard/ui/badge.tsx';
import { Columns, Page, Section } from '#client/dashboard/ui/page.tsx';
import { PagedList } from '#client/dashboard/ui/pager.tsx';
import { providerName } from '#client/dashboard/ui/provider-name.ts';
import { Empty, isNotFound, Loaded, Loading } from '#client/dashboard/ui/states.tsx';
import { Id } from '#client/dashboard/ui/values.tsx';
import type { Connection } from '#client/typescript/src/index.ts';

const CRUMBS = [{ label: 'Connections', href: '/dashboard/connections' }];
const EVERY = 30_000;
const LAST = { limit: 1 } as const;

export function ConnectionScreen() {
  const { id = '' } = useRoute().params;
  const query = useQuery(['connection', id], (api, options) => api.connections.get(id, {}, options), { every: EVERY });
  const isGone = query.problem !== undefined && isNotFound(query.problem);
  const log = useQuery(['connection-log', id], (api, options) => api.logs.listConnectionAudit(id, LAST, options), {
    enabled: isGone,
  });
  if (query.data && !isGone) return <ConnectionPage connection={query.data} />;
  // Only what existed has a log.
  if (isGone && log.data) return <DeletedConnection id={id} />;
  return (
    <Page title="Connection" breadcrumbs={CRUMBS}>
      {log.isLoading ? (
        <Loading rows={8} />
      ) : (
        <Loaded query={query} rows={8}>
          {() => null}
        </Loaded>
      )}
    </Page>
  );
}

/** Payments and disputes still lead to it. */
const DeletedConnection = ({ id }: { readonly id: string }) => (
  <Page title="Deleted connection" breadcrumbs={CRUMBS} badge={<Badge>Deleted</Badge>} subtitle={<Id id={id} />}>
    <Alert tone="info">
      <p>This connection was deleted. Its payments can be refunded for 30 days after that.</p>
    </Alert>
    <Audit id={id} />
  </Page>
);

function ConnectionPage({ connection }: { readonly connection: Connection }) {
  const { can } = useSession();
  const { id, provider, status, mode } = connection;
  return (
    <Page
      title={providerName(provider)}
      breadcrumbs={CRUMBS}
      badge={
        <span class="row">
          <StatusBadge status={status} />
          <Badge>{mode}</Badge>
        </span>
      }
      subtitle={<Id id={id} />}
      actions={can('connections:write') ? <ConnectionActions connection={connection} /> : undefined}
    >
      <Columns>
        <ConnectionFacts connection={connection} />
        <Capabilities connection={connection} />
      </Columns>
      <Audit id={id} />
    </Page>
  );
}

function Audit({ id }: { readonly id: string }) {
  const pages = usePages(['audit', id], (api, options) => api.logs.listConnectionAudit(id, {}, options));
  return (
    <Section title="Changes" description="Who has changed it. Credentials are never shown, only that they changed.">
      <PagedList pages={pages} empty={<Empty icon="clock" title="Nothing was changed yet" />}>
        {(rows) => (
          <AuditTable
            label="Changes of the connection"
            entries={rows.map((entry) => ({ ...ofConnection(entry), changes: readableChanges(entry) }))}
          />
        )}
      </PagedList>
    </Section>
  );
}
