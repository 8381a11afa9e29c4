import { useMemo } from 'preact/hooks';
import { usePages } from '#client/dashboard/api/use-pages.ts';
import { useTemplates } from '#client/dashboard/screens/workflows/use-definitions.ts';
import { StatusBadge } from '#client/dashboard/ui/badge.tsx';
import { PagedList } from '#client/dashboard/ui/pager.tsx';
import { Empty } from '#client/dashboard/ui/states.tsx';
import { type Column, Table } from '#client/dashboard/ui/table.tsx';
import { Nothing, Time } from '#client/dashboard/ui/time.tsx';
import type { WorkflowExecution } from '#client/typescript/src/generated/schemas.ts';
import type { ListWorkflowExecutionsQuery } from '#client/typescript/src/generated/workflows.ts';

const EVERY = 10_000;

type RunListProps = {
  readonly filter: Pick<ListWorkflowExecutionsQuery, 'status' | 'template_id'>;
  readonly empty: string;
};

/** Newest first, kept up to date while it is looked at. */
export function RunList({ filter, empty }: RunListProps) {
  const templates = useTemplates();
  const columns = useMemo(() => {
    const nameOf = (id: string) => templates.data?.find((template) => template.id === id)?.name ?? id;
    return columnsOf(nameOf, filter.template_id === undefined);
  }, [templates.data, filter.template_id]);
  const pages = usePages(
    ['runs', filter],
    (api, options) => api.workflows.listExecutions({ limit: 20, ...filter }, options),
    { every: EVERY },
  );
  return (
    <PagedList pages={pages} empty={<Empty icon="workflows" title={empty} />}>
      {(rows) => (
        <Table
          label="Runs"
          rows={rows}
          rowKey={({ id }) => id}
          href={({ id }) => `/dashboard/workflows/runs/${id}`}
          rowTone={({ status }) => (status === 'failed' ? 'bad' : undefined)}
          columns={columns}
        />
      )}
    </PagedList>
  );
}

/** On the page of one template its name says nothing. */
const columnsOf = (nameOf: (id: string) => string, showsTemplate: boolean): readonly Column<WorkflowExecution>[] => [
  ...(showsTemplate
    ? [
        {
          key: 'template',
          header: 'Template',
          isWide: true,
          cell: (run: WorkflowExecution) => nameOf(run.template_id),
        },
      ]
    : []),
  {
    key: 'event',
    header: 'Event',
    isWide: !showsTemplate,
    cell: ({ event }) => <code>{event.type}</code>,
  },
  { key: 'status', header: 'Status', cell: ({ status }) => <StatusBadge status={status} /> },
  { key: 'step', header: 'Step', cell: (run) => lastStep(run) },
  { key: 'next', header: 'Goes on', cell: ({ next_step_at }) => <Time at={next_step_at} as="relative" /> },
  { key: 'created', header: 'Started', cell: ({ created_at }) => <Time at={created_at} as="relative" /> },
];

const lastStep = ({ steps }: WorkflowExecution) => {
  const last = steps.at(-1);
  return last ? <code>{last.id}</code> : <Nothing />;
};
