import { useMemo } from 'preact/hooks';
import { useMessages } from '#client/dashboard/i18n/i18n.tsx';
import { DisputeDeadline, deadlineTone } from '#client/dashboard/screens/disputes/dispute-deadline.tsx';
import { DISPUTES } from '#client/dashboard/screens/disputes/disputes.catalog.ts';
import type { DisputeMessages } from '#client/dashboard/screens/disputes/disputes-messages.ts';
import { StatusBadge } from '#client/dashboard/ui/badge.tsx';
import { providerName } from '#client/dashboard/ui/provider-name.ts';
import { type Column, Table } from '#client/dashboard/ui/table.tsx';
import { Time } from '#client/dashboard/ui/time.tsx';
import { Money } from '#client/dashboard/ui/values.tsx';
import type { Dispute } from '#client/typescript/src/generated/schemas.ts';

export function DisputeTable({ rows }: { readonly rows: readonly Dispute[] }) {
  const texts = useMessages(DISPUTES);
  return (
    <Table
      label={texts.title}
      columns={useMemo(() => columnsOf(texts), [texts])}
      rows={rows}
      rowKey={({ id }) => id}
      href={({ id }) => `/dashboard/disputes/${id}`}
      rowTone={(dispute) => deadlineTone(dispute)}
    />
  );
}

const columnsOf = (texts: DisputeMessages): readonly Column<Dispute>[] => [
  {
    key: 'amount',
    header: texts.amount,
    cell: ({ amount, currency }) => <Money amount={amount} currency={currency} />,
  },
  { key: 'reason', header: texts.reason, isWide: true, cell: ({ reason }) => texts.reasons[reason] },
  {
    key: 'status',
    header: texts.status,
    cell: ({ status }) => <StatusBadge status={status} label={texts.statuses[status].name} />,
  },
  { key: 'respond_by', header: texts.respondBy, cell: (dispute) => <DisputeDeadline dispute={dispute} /> },
  { key: 'provider', header: texts.provider, hideOn: 'phone', cell: ({ provider }) => providerName(provider) },
  { key: 'opened', header: texts.opened, hideOn: 'phone', cell: ({ opened_at }) => <Time at={opened_at} as="date" /> },
];
