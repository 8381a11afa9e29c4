import {
  Health,
  Labels,
  Latency,
  SuccessRate,
  Validation,
} from '#client/dashboard/screens/connections/connection-values.tsx';
import { StatusBadge } from '#client/dashboard/ui/badge.tsx';
import { providerName } from '#client/dashboard/ui/provider-name.ts';
import { type Column, Table } from '#client/dashboard/ui/table.tsx';
import type { Connection } from '#client/typescript/src/index.ts';

const COLUMNS: readonly Column<Connection>[] = [
  {
    key: 'provider',
    header: 'Provider',
    isWide: true,
    cell: ({ provider, id }) => (
      <>
        <span class="strong">{providerName(provider)}</span> <code class="muted small">{id}</code>
      </>
    ),
  },
  { key: 'status', header: 'Status', cell: ({ status }) => <StatusBadge status={status} /> },
  { key: 'health', header: 'Health', cell: (connection) => <Health connection={connection} /> },
  { key: 'credentials', header: 'Credentials', cell: (connection) => <Validation connection={connection} /> },
  { key: 'success', header: 'Success', align: 'end', cell: (connection) => <SuccessRate connection={connection} /> },
  { key: 'latency', header: 'Latency', align: 'end', cell: (connection) => <Latency connection={connection} /> },
  { key: 'labels', header: 'Labels', hideOn: 'phone', cell: ({ labels }) => <Labels labels={labels} /> },
];

export const ConnectionTable = ({ connections }: { readonly connections: readonly Connection[] }) => (
  <Table
    label="Connections"
    columns={COLUMNS}
    rows={connections}
    rowKey={({ id }) => id}
    href={({ id }) => `/dashboard/connections/${id}`}
    rowTone={({ status, health_status }) => (status === 'active' && health_status === 'down' ? 'bad' : undefined)}
  />
);
