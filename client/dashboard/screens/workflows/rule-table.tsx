import { useState } from 'preact/hooks';
import { DeleteDialog } from '#client/dashboard/screens/workflows/delete-dialog.tsx';
import { RuleDialog } from '#client/dashboard/screens/workflows/rule-dialog.tsx';
import { useTemplates } from '#client/dashboard/screens/workflows/use-definitions.ts';
import { useSession } from '#client/dashboard/shell/session.tsx';
import { StatusBadge } from '#client/dashboard/ui/badge.tsx';
import { Button } from '#client/dashboard/ui/button.tsx';
import { Empty } from '#client/dashboard/ui/states.tsx';
import { type Column, RowActions, Table } from '#client/dashboard/ui/table.tsx';
import { Nothing } from '#client/dashboard/ui/time.tsx';
import type { WorkflowRule } from '#client/typescript/src/generated/schemas.ts';

type Open = { readonly dialog: 'change' | 'delete'; readonly rule: WorkflowRule };

type RuleTableProps = {
  readonly rules: readonly WorkflowRule[];
  /** On the page of one template it says nothing. */
  readonly hidesTemplate?: boolean;
};

export function RuleTable({ rules, hidesTemplate }: RuleTableProps) {
  const templates = useTemplates();
  const { can } = useSession();
  const [open, setOpen] = useState<Open>();
  const close = () => setOpen(undefined);
  const nameOf = (id: string) => templates.data?.find((template) => template.id === id)?.name ?? id;
  if (rules.length === 0) return <Empty icon="workflows" title="There are no rules" />;
  return (
    <>
      <Table
        label="Rules"
        rows={rules.toSorted((a, b) => a.event.localeCompare(b.event) || b.priority - a.priority)}
        rowKey={({ id }) => id}
        columns={[
          ...columnsOf(nameOf).filter(({ key }) => !(hidesTemplate && key === 'template')),
          ...(can('workflows:write') ? [actions(setOpen)] : []),
        ]}
      />
      {open?.dialog === 'change' && <RuleDialog rule={open.rule} onClose={close} />}
      {open?.dialog === 'delete' && (
        <DeleteDialog
          what={`the rule ${open.rule.name}`}
          effect="Later events start no run by it. Runs under way go on."
          send={(api, input, options) => api.workflows.deleteRule(open.rule.id, input, options)}
          onClose={close}
        />
      )}
    </>
  );
}

const columnsOf = (nameOf: (id: string) => string): readonly Column<WorkflowRule>[] => [
  { key: 'name', header: 'Name', cell: ({ name }) => name },
  { key: 'event', header: 'Event', cell: ({ event }) => <code>{event}</code> },
  {
    key: 'condition',
    header: 'Condition',
    cell: ({ condition }) =>
      condition ? <code title={condition}>{cut(condition)}</code> : <span class="muted">Every event</span>,
  },
  {
    key: 'template',
    header: 'Runs',
    cell: ({ template_id }) => <a href={`/dashboard/workflows/templates/${template_id}`}>{nameOf(template_id)}</a>,
  },
  { key: 'priority', header: 'Priority', align: 'end', cell: ({ priority }) => priority || <Nothing /> },
  {
    key: 'enabled',
    header: 'Status',
    cell: ({ enabled }) => <StatusBadge status={enabled ? 'enabled' : 'off'} />,
  },
];

const MAX_CONDITION = 60;
const cut = (text: string): string => (text.length > MAX_CONDITION ? `${text.slice(0, MAX_CONDITION)}…` : text);

const actions = (open: (what: Open) => void): Column<WorkflowRule> => ({
  key: 'actions',
  header: 'Actions',
  isHeaderHidden: true,
  align: 'end',
  cell: (rule) => (
    <RowActions>
      <Button
        size="small"
        tone="quiet"
        icon="edit"
        label={`Change ${rule.name}`}
        onClick={() => open({ dialog: 'change', rule })}
      />
      <Button
        size="small"
        tone="quiet"
        icon="trash"
        label={`Delete ${rule.name}`}
        onClick={() => open({ dialog: 'delete', rule })}
      />
    </RowActions>
  ),
});
