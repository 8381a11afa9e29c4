import { useState } from 'preact/hooks';
import { invalidate } from '#client/dashboard/api/query-cache.ts';
import { serverNow } from '#client/dashboard/api/server-time.ts';
import { useAction } from '#client/dashboard/api/use-action.ts';
import { usePages } from '#client/dashboard/api/use-pages.ts';
import { createdRange } from '#client/dashboard/screens/payments/created-range.ts';
import { EVENT_TYPES, isEventType } from '#client/dashboard/screens/webhooks/event-types.ts';
import { ReplayDialog } from '#client/dashboard/screens/webhooks/replay-dialog.tsx';
import { WebhooksPage } from '#client/dashboard/screens/webhooks/webhooks-page.tsx';
import { useSession } from '#client/dashboard/shell/session.tsx';
import { StatusBadge } from '#client/dashboard/ui/badge.tsx';
import { Button } from '#client/dashboard/ui/button.tsx';
import { wordOptions } from '#client/dashboard/ui/choices.tsx';
import { ActionProblem } from '#client/dashboard/ui/confirm-dialog.tsx';
import { FilterBar, FilterInput, FilterSelect, type Filters, useFilters } from '#client/dashboard/ui/filters.tsx';
import { PagedList } from '#client/dashboard/ui/pager.tsx';
import { Empty } from '#client/dashboard/ui/states.tsx';
import { type Column, Table } from '#client/dashboard/ui/table.tsx';
import { Nothing, Time } from '#client/dashboard/ui/time.tsx';
import { showToast } from '#client/dashboard/ui/toast.tsx';
import type { Event } from '#client/typescript/src/index.ts';

const STATUSES = ['pending', 'delivered', 'failed', 'skipped'] as const;
const REFRESH_MS = 30_000;

type EventFilters = Filters<'status' | 'type' | 'from' | 'to'>;

/** Every event, whether or not it was sent. */
export function EventsScreen() {
  const filters = useFilters(['status', 'type', 'from', 'to'], { status: STATUSES });
  const { can } = useSession();
  return (
    <WebhooksPage actions={can('webhooks:write') ? <EventActions /> : undefined}>
      <FilterBar filters={filters}>
        <FilterSelect filters={filters} name="status" label="Status" options={wordOptions(STATUSES)} />
        <FilterSelect
          filters={filters}
          name="type"
          label="Type"
          options={EVENT_TYPES.map(({ value }) => ({ value, label: value }))}
        />
        <FilterInput filters={filters} name="from" label="From" type="date" />
        <FilterInput filters={filters} name="to" label="To" type="date" />
      </FilterBar>
      <EventList filters={filters} />
    </WebhooksPage>
  );
}

function EventList({ filters }: { readonly filters: EventFilters }) {
  const query = queryOf(filters);
  const pages = usePages(['events', query], (api, options) => api.webhooks.listEvents(query, options), {
    every: REFRESH_MS,
  });
  return (
    <PagedList
      pages={pages}
      empty={
        <Empty icon="webhooks" title={filters.isFiltered ? 'No event matches these filters' : 'No events yet'}>
          {filters.isFiltered ? undefined : 'Each change of a payment, subscription, invoice or dispute is one event.'}
        </Empty>
      }
    >
      {(rows) => (
        <Table
          label="Events"
          columns={COLUMNS}
          rows={rows}
          rowKey={({ id }) => id}
          href={({ id }) => `/dashboard/webhooks/events/${id}`}
          rowTone={({ status }) => (status === 'failed' ? 'bad' : undefined)}
        />
      )}
    </PagedList>
  );
}

/** Days are those of the viewer, and the last one is included. */
function queryOf({ values: { status, type, from, to } }: EventFilters) {
  const known = STATUSES.find((one) => one === status);
  return {
    ...(known && { status: known }),
    ...(isEventType(type) && { type }),
    ...createdRange({ ...(from && { from }), ...(to && { to }) }, serverNow()),
  };
}

const COLUMNS: readonly Column<Event>[] = [
  { key: 'type', header: 'Type', isWide: true, cell: ({ type }) => type },
  {
    key: 'of',
    header: 'About',
    cell: ({ data }) => ('id' in data ? <code>{data.id}</code> : <Nothing />),
  },
  { key: 'status', header: 'Status', cell: ({ status }) => <StatusBadge status={status} /> },
  { key: 'last', header: 'Last attempt', cell: ({ attempts }) => <LastAttempt attempt={attempts.at(-1)} /> },
  { key: 'attempts', header: 'Attempts', align: 'end', hideOn: 'phone', cell: ({ attempts }) => attempts.length },
  { key: 'created', header: 'Created', cell: ({ created_at }) => <Time at={created_at} /> },
];

function LastAttempt({ attempt }: { readonly attempt: Event['attempts'][number] | undefined }) {
  if (!attempt) return <Nothing />;
  return <>{attempt.status_code ?? attempt.error}</>;
}

function EventActions() {
  const [isReplaying, replay] = useState(false);
  const test = useAction(
    (api, _: object, options) => api.webhooks.sendTestEvent({}, options),
    () => {
      invalidate('events');
      showToast('A test event is on its way.');
    },
  );
  return (
    <>
      <Button icon="play" isPending={test.isPending} onClick={() => void test.run({})}>
        Send test event
      </Button>
      <Button icon="retry" onClick={() => replay(true)}>
        Replay failed events
      </Button>
      <ActionProblem problem={test.problem} isUnknown={test.isUnknown} />
      {isReplaying && <ReplayDialog onClose={() => replay(false)} />}
    </>
  );
}
