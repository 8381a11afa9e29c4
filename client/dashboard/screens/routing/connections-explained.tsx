import { useConnectionName } from '#client/dashboard/screens/routing/use-routing.ts';
import { reasonText } from '#client/dashboard/screens/routing/words.ts';
import { Badge, StatusBadge } from '#client/dashboard/ui/badge.tsx';
import { Section } from '#client/dashboard/ui/page.tsx';
import { type Column, Table } from '#client/dashboard/ui/table.tsx';
import { Nothing } from '#client/dashboard/ui/time.tsx';
import type { ConnectionExplained } from '#client/typescript/src/index.ts';

/** Every connection: when it would be tried, or why not. */
export function ConnectionsExplained({ connections }: { readonly connections: readonly ConnectionExplained[] }) {
  const nameOf = useConnectionName();
  const columns: readonly Column<ConnectionExplained>[] = [
    { key: 'name', header: 'Connection', cell: ({ id }) => nameOf(id) },
    { key: 'position', header: 'Tried', cell: ({ position }) => <Place position={position} /> },
    {
      key: 'why',
      header: 'Why',
      isWide: true,
      cell: (connection) => <span class="wraps">{whyOf(connection)}</span>,
    },
    { key: 'health', header: 'Health', hideOn: 'phone', cell: ({ health }) => <StatusBadge status={health} /> },
  ];
  return (
    <Section title="Connections">
      <Table
        label="Connections"
        columns={columns}
        rows={connections}
        rowKey={({ id }) => id}
        href={({ id }) => `/dashboard/connections/${id}`}
      />
    </Section>
  );
}

const PLACES: Readonly<Record<number, string>> = { 1: 'First', 2: 'Second', 3: 'Third' };

const Place = ({ position }: { readonly position: number | null }) =>
  position === null ? (
    <Nothing />
  ) : (
    <Badge tone={position === 1 ? 'good' : 'neutral'}>{PLACES[position] ?? `${position}.`}</Badge>
  );

/** What speaks for its place; or what keeps it out. */
function whyOf({ reason, probe, preferred_country, method_bias, fallback_only, fee }: ConnectionExplained): string {
  if (reason !== null) return `It ${reasonText(reason)}.`;
  const facts = [
    probe && 'probes whether it has recovered',
    preferred_country && 'prefers this country',
    method_bias > 0 && 'prefers this method',
    method_bias < 0 && 'stands back for this method',
    fallback_only && 'is for failover only',
    fee > 0 && `costs ${fee} in minor units`,
  ].filter((fact) => fact !== false);
  return facts.length === 0 ? 'It can take the payment.' : `It ${facts.join(', ')}.`;
}
