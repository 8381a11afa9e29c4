import { RunList } from '#client/dashboard/screens/workflows/run-list.tsx';
import { useTemplates } from '#client/dashboard/screens/workflows/use-definitions.ts';
import { wordOptions } from '#client/dashboard/ui/choices.tsx';
import { FilterBar, FilterSelect, useFilters } from '#client/dashboard/ui/filters.tsx';
import { Section } from '#client/dashboard/ui/page.tsx';
import type { ListWorkflowExecutionsQuery } from '#client/typescript/src/generated/workflows.ts';

const STATUSES = ['pending', 'running', 'waiting', 'succeeded', 'failed', 'canceled', 'refused'];

export function RunsTab() {
  const filters = useFilters(['status', 'template_id'], { status: STATUSES });
  const templates = useTemplates();
  const { status, template_id } = filters.values;
  // A template in the address may be any text: the API says what is wrong with it.
  const filter = { ...(status && { status }), ...(template_id && { template_id }) } as ListWorkflowExecutionsQuery;
  return (
    <Section
      title="Runs"
      description="One for each event that a rule or a connection matched, or that somebody started."
    >
      <FilterBar filters={filters}>
        <FilterSelect filters={filters} name="status" label="Status" options={wordOptions(STATUSES)} />
        <FilterSelect
          filters={filters}
          name="template_id"
          label="Template"
          options={templates.data?.map(({ id, name }) => ({ value: id, label: name })) ?? []}
        />
      </FilterBar>
      <RunList filter={filter} empty="There are no such runs" />
    </Section>
  );
}
