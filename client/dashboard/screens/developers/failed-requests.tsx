import { useMemo } from 'preact/hooks';
import { useNames } from '#client/dashboard/api/use-names.ts';
import { usePages } from '#client/dashboard/api/use-pages.ts';
import { addressOfId } from '#client/dashboard/screens/developers/address-of-id.ts';
import { Badge } from '#client/dashboard/ui/badge.tsx';
import { Button } from '#client/dashboard/ui/button.tsx';
import { Section } from '#client/dashboard/ui/page.tsx';
import { PagedList } from '#client/dashboard/ui/pager.tsx';
import { Empty } from '#client/dashboard/ui/states.tsx';
import { type Column, Table } from '#client/dashboard/ui/table.tsx';
import { Time } from '#client/dashboard/ui/time.tsx';
import { Id } from '#client/dashboard/ui/values.tsx';
import type { FailedRequest } from '#client/typescript/src/index.ts';

const EVERY = 30_000;
const SERVER_ERROR = 500;

/** Why the integration fails. What succeeded is in the records themselves. */
export function FailedRequests() {
  const pages = usePages(['failed-requests'], (api, options) => api.logs.listFailedRequests({}, options), {
    every: EVERY,
  });
  return (
    <Section
      title="Failed requests"
      description="A sample of the last 7 days: at most 20 a minute, 5 more with public keys, and about 3 that are alike. Bodies and queries are not kept."
      actions={
        <Button icon="retry" onClick={pages.refetch} isPending={pages.isLoading}>
          Refresh
        </Button>
      }
    >
      <PagedList
        pages={pages}
        empty={
          <Empty icon="check" title="No request has failed">
            Requests with a valid key or session that get an error are shown here.
          </Empty>
        }
      >
        {(rows) => <RequestTable rows={rows} />}
      </PagedList>
    </Section>
  );
}

function RequestTable({ rows }: { readonly rows: readonly FailedRequest[] }) {
  const nameOf = useNames();
  return (
    <Table
      label="Failed requests"
      columns={useMemo(() => columnsOf(nameOf), [nameOf])}
      rows={rows}
      rowKey={({ request_id }) => request_id}
      rowTone={({ status }) => (status >= SERVER_ERROR ? 'bad' : undefined)}
    />
  );
}

const columnsOf = (nameOf: (id: string) => string): readonly Column<FailedRequest>[] => [
  { key: 'at', header: 'Time', cell: ({ created_at }) => <Time at={created_at} /> },
  {
    key: 'request',
    header: 'Request',

    cell: ({ method, route }) => (
      <code>
        {method} {route}
      </code>
    ),
  },
  {
    key: 'error',
    header: 'Error',
    cell: ({ status, code }) => (
      <span class="row">
        <Badge tone={status >= SERVER_ERROR ? 'bad' : 'warn'}>{status}</Badge>
        <code>{code}</code>
      </span>
    ),
  },
  {
    key: 'resource',
    header: 'About',
    hideOn: 'phone',
    cell: ({ resource_id }) => resource_id && <Id id={resource_id} href={addressOfId(resource_id)} canCopy={false} />,
  },
  {
    key: 'who',
    header: 'Key',
    cell: ({ credential_id, credential_kind }) =>
      credential_kind === 'session' ? 'A member, signed in' : nameOf(credential_id),
  },
  { key: 'id', header: 'Request ID', hideOn: 'phone', cell: ({ request_id }) => <Id id={request_id} /> },
];
