import { useState } from 'preact/hooks';
import { TemplateDialog } from '#client/dashboard/screens/workflows/template-dialog.tsx';
import { useRules, useTemplates } from '#client/dashboard/screens/workflows/use-definitions.ts';
import { useSession } from '#client/dashboard/shell/session.tsx';
import { Button } from '#client/dashboard/ui/button.tsx';
import { Section } from '#client/dashboard/ui/page.tsx';
import { Empty, Loaded } from '#client/dashboard/ui/states.tsx';
import { type Column, Table } from '#client/dashboard/ui/table.tsx';
import { Time } from '#client/dashboard/ui/time.tsx';
import type { WorkflowTemplate } from '#client/typescript/src/generated/schemas.ts';

export function TemplatesTab() {
  const templates = useTemplates();
  const rules = useRules();
  const { can } = useSession();
  const [isCreating, setCreating] = useState(false);
  const rulesOf = (id: string) => rules.data?.filter(({ template_id }) => template_id === id).length;
  const create = can('workflows:write') && (
    <Button tone="primary" icon="plus" onClick={() => setCreating(true)}>
      New template
    </Button>
  );
  return (
    <Section title="Templates" actions={create} description="Each is a list of steps. Rules and connections run it.">
      <Loaded query={templates}>
        {(rows) =>
          rows.length === 0 ? (
            <Empty icon="workflows" title="There are no templates">
              A template says what happens after an event, step by step.
            </Empty>
          ) : (
            <Table
              label="Templates"
              rows={rows}
              rowKey={({ id }) => id}
              href={({ id }) => `/dashboard/workflows/templates/${id}`}
              columns={columnsOf(rulesOf)}
            />
          )
        }
      </Loaded>
      {isCreating && <TemplateDialog onClose={() => setCreating(false)} />}
    </Section>
  );
}

const columnsOf = (rulesOf: (id: string) => number | undefined): readonly Column<WorkflowTemplate>[] => [
  { key: 'name', header: 'Name', isWide: true, cell: ({ name }) => name },
  { key: 'steps', header: 'Steps', align: 'end', cell: ({ steps }) => steps.length },
  { key: 'rules', header: 'Rules', align: 'end', cell: ({ id }) => rulesOf(id) ?? '' },
  { key: 'version', header: 'Version', align: 'end', hideOn: 'phone', cell: ({ version }) => version },
  { key: 'updated', header: 'Changed', cell: ({ updated_at }) => <Time at={updated_at} as="relative" /> },
];
