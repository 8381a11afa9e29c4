import { useState } from 'preact/hooks';
import { DeleteDialog } from '#client/dashboard/screens/workflows/delete-dialog.tsx';
import { IntegrationDialog } from '#client/dashboard/screens/workflows/integration-dialog.tsx';
import { useIntegrations } from '#client/dashboard/screens/workflows/use-definitions.ts';
import { useSession } from '#client/dashboard/shell/session.tsx';
import { Badge, StatusBadge } from '#client/dashboard/ui/badge.tsx';
import { Button } from '#client/dashboard/ui/button.tsx';
import { Section } from '#client/dashboard/ui/page.tsx';
import { Empty, Loaded } from '#client/dashboard/ui/states.tsx';
import { type Column, RowActions, Table } from '#client/dashboard/ui/table.tsx';
import { Time } from '#client/dashboard/ui/time.tsx';
import type { Integration } from '#client/typescript/src/generated/schemas.ts';

type Open = { readonly dialog: 'create' } | { readonly dialog: 'change' | 'delete'; readonly integration: Integration };

export function IntegrationsTab() {
  const integrations = useIntegrations();
  const { can } = useSession();
  const [open, setOpen] = useState<Open>();
  const close = () => setOpen(undefined);
  const mayWrite = can('workflows:write');
  const create = mayWrite && (
    <Button tone="primary" icon="plus" onClick={() => setOpen({ dialog: 'create' })}>
      New integration
    </Button>
  );
  return (
    <Section
      title="Integrations"
      actions={create}
      description="What steps call or tell. Their secrets are never shown here."
    >
      <Loaded query={integrations}>
        {(rows) =>
          rows.length === 0 ? (
            <Empty icon="link" title="There are no integrations">
              Your own server, a Slack channel, or mail to your people.
            </Empty>
          ) : (
            <Table
              label="Integrations"
              rows={rows}
              rowKey={({ id }) => id}
              columns={[...COLUMNS, ...(mayWrite ? [actions(setOpen)] : [])]}
            />
          )
        }
      </Loaded>
      {open?.dialog === 'create' && <IntegrationDialog onClose={close} />}
      {open?.dialog === 'change' && <IntegrationDialog integration={open.integration} onClose={close} />}
      {open?.dialog === 'delete' && (
        <DeleteDialog
          what={`the integration ${open.integration.name}`}
          effect="No template may use it. Its secrets are deleted."
          send={(api, input, options) => api.workflows.deleteIntegration(open.integration.id, input, options)}
          onClose={close}
        />
      )}
    </Section>
  );
}

const COLUMNS: readonly Column<Integration>[] = [
  { key: 'name', header: 'Name', cell: ({ name }) => name },
  { key: 'type', header: 'Type', cell: ({ type }) => <Badge>{type}</Badge> },
  { key: 'target', header: 'Goes to', isWide: true, cell: (integration) => targetOf(integration) },
  { key: 'enabled', header: 'Status', cell: ({ enabled }) => <StatusBadge status={enabled ? 'enabled' : 'off'} /> },
  {
    key: 'updated',
    header: 'Changed',
    hideOn: 'phone',
    cell: ({ updated_at }) => <Time at={updated_at} as="relative" />,
  },
];

/** The names of headers, and never their values. */
function targetOf(integration: Integration): string {
  if (integration.type === 'email') return integration.config.to.join(', ');
  if (integration.type === 'slack') return integration.config.url;
  const headers = Object.keys(integration.config.headers);
  return headers.length > 0 ? `${integration.config.url} (${headers.join(', ')})` : integration.config.url;
}

const actions = (open: (what: Open) => void): Column<Integration> => ({
  key: 'actions',
  header: 'Actions',
  isHeaderHidden: true,
  align: 'end',
  cell: (integration) => (
    <RowActions>
      <Button
        size="small"
        tone="quiet"
        icon="edit"
        label={`Change ${integration.name}`}
        onClick={() => open({ dialog: 'change', integration })}
      />
      <Button
        size="small"
        tone="quiet"
        icon="trash"
        label={`Delete ${integration.name}`}
        onClick={() => open({ dialog: 'delete', integration })}
      />
    </RowActions>
  ),
});
