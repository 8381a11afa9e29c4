import { useState } from 'preact/hooks';
import { useNames } from '#client/dashboard/api/use-names.ts';
import { usePages } from '#client/dashboard/api/use-pages.ts';
import { AgentLimits } from '#client/dashboard/screens/developers/agent-limits.tsx';
import { CreateKeyDialog } from '#client/dashboard/screens/developers/create-key-dialog.tsx';
import { NewKeyDialog } from '#client/dashboard/screens/developers/new-key-dialog.tsx';
import { RevokeKeyDialog } from '#client/dashboard/screens/developers/revoke-key-dialog.tsx';
import { scopesInWords } from '#client/dashboard/screens/developers/scopes.ts';
import { useSession } from '#client/dashboard/shell/session.tsx';
import { Badge } from '#client/dashboard/ui/badge.tsx';
import { Button } from '#client/dashboard/ui/button.tsx';
import { Section } from '#client/dashboard/ui/page.tsx';
import { PagedList } from '#client/dashboard/ui/pager.tsx';
import { Empty } from '#client/dashboard/ui/states.tsx';
import { type Column, Table } from '#client/dashboard/ui/table.tsx';
import { Time } from '#client/dashboard/ui/time.tsx';
import type { CreatedApiKey, ListedApiKey } from '#client/typescript/src/index.ts';

const KINDS = { service: 'Service', secret: 'Secret', public: 'Public' } as const;

type Open = { readonly dialog: 'create' } | { readonly dialog: 'revoke'; readonly apiKey: ListedApiKey };

/** The organization's API keys. A key's text is shown once, when it is created. */
export function ApiKeys() {
  const { can } = useSession();
  const [open, setOpen] = useState<Open>();
  const [created, setCreated] = useState<CreatedApiKey>();
  const pages = usePages(['api-keys'], (api, options) => api.apiKeys.list({}, options));
  const close = () => setOpen(undefined);
  const create = can('api_keys:write') && (
    <Button tone="primary" icon="plus" onClick={() => setOpen({ dialog: 'create' })}>
      Create key
    </Button>
  );
  return (
    <Section
      title="API keys"
      description="Requests of your servers carry one of these keys. Give each program a key of its own, with the scopes that it needs."
      actions={create}
    >
      <PagedList pages={pages} empty={<NoKeys />}>
        {(rows) => <KeyTable rows={rows} onRevoke={(apiKey) => setOpen({ dialog: 'revoke', apiKey })} />}
      </PagedList>
      {open?.dialog === 'create' && (
        <CreateKeyDialog
          onClose={close}
          onDone={(key) => {
            close();
            setCreated(key);
          }}
        />
      )}
      {open?.dialog === 'revoke' && <RevokeKeyDialog apiKey={open.apiKey} onClose={close} />}
      <AgentLimits />
      {created && <NewKeyDialog created={created} onClose={() => setCreated(undefined)} />}
    </Section>
  );
}

const NoKeys = () => (
  <Empty icon="key" title="No API keys yet">
    Create one to send the first request from your server.
  </Empty>
);

type KeyTableProps = { readonly rows: readonly ListedApiKey[]; readonly onRevoke: (apiKey: ListedApiKey) => void };

function KeyTable({ rows, onRevoke }: KeyTableProps) {
  const { can } = useSession();
  const nameOf = useNames();
  const columns: readonly Column<ListedApiKey>[] = [
    { key: 'name', header: 'Name', cell: ({ name }) => <span class="strong">{name}</span> },
    { key: 'kind', header: 'Kind', cell: (apiKey) => <Kind apiKey={apiKey} /> },
    { key: 'scopes', header: 'Scopes', cell: ({ kind, scopes }) => scopesInWords(kind, scopes) },
    {
      key: 'created',
      header: 'Created',
      cell: ({ created_at, created_by }) => (
        <div>
          <Time at={created_at} as="date" />{' '}
          <span class="muted">{created_by !== null && `by ${nameOf(created_by)}`}</span>
        </div>
      ),
    },
    {
      key: 'used',
      header: 'Last used',
      cell: ({ last_used_at }) =>
        last_used_at ? <Time at={last_used_at} as="relative" /> : <span class="muted">Never</span>,
    },
    ...(can('api_keys:write') ? [revokeColumn(onRevoke)] : []),
  ];
  return <Table label="API keys" columns={columns} rows={rows} rowKey={({ id }) => id} />;
}

const Kind = ({ apiKey: { kind, agent } }: { readonly apiKey: ListedApiKey }) => (
  <>
    <Badge>{KINDS[kind]}</Badge> {agent && <Badge tone="info">Agent</Badge>}
  </>
);

const revokeColumn = (onRevoke: (apiKey: ListedApiKey) => void): Column<ListedApiKey> => ({
  key: 'revoke',
  header: 'Actions',
  isHeaderHidden: true,
  align: 'end',
  cell: (apiKey) => (
    <Button tone="quiet" size="small" icon="trash" label={`Revoke ${apiKey.name}`} onClick={() => onRevoke(apiKey)} />
  ),
});
