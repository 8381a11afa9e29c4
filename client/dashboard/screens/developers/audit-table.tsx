import { useNames } from '#client/dashboard/api/use-names.ts';
import { wordsOf } from '#client/dashboard/ui/badge.tsx';
import { Changes } from '#client/dashboard/ui/changes.tsx';
import { type Column, Table } from '#client/dashboard/ui/table.tsx';
import { Time } from '#client/dashboard/ui/time.tsx';
import type { ConnectionAudit, OrganizationAudit, WebhookAudit } from '#client/typescript/src/index.ts';

/** An entry of any of the audit logs. */
type Entry = {
  readonly id: string;
  readonly at: string;
  /** An id, or `system`. */
  readonly actor: string;
  /** Whom a holder of an API key says they act for: nobody has verified it. */
  readonly claimed: string | null;
  readonly action: string;
  /** What was changed, where the log is about more than one thing. */
  readonly target?: string;
  readonly changes: OrganizationAudit['metadata']['changes'];
};

export const ofOrganization = ({ id, actor_id, action, target, metadata, created_at }: OrganizationAudit): Entry => ({
  id,
  at: created_at,
  actor: actor_id,
  claimed: metadata.claimed_actor_id,
  action: wordsOf(action).replace('Api', 'API'),
  target: target.name ?? target.id,
  changes: metadata.changes,
});

type Numbered = Pick<ConnectionAudit, 'id' | 'actor_id' | 'actor_claimed' | 'created_at' | 'metadata'>;

const ofNumbered = ({ id, actor_id, actor_claimed, created_at, metadata }: Numbered): Omit<Entry, 'action'> => ({
  id: String(id),
  at: created_at,
  actor: actor_claimed ? (metadata.credential_id ?? actor_id) : actor_id,
  claimed: actor_claimed ? actor_id : null,
  changes: metadata.changes,
});

export const ofConnection = (entry: ConnectionAudit): Entry => ({
  ...ofNumbered(entry),
  action: wordsOf(entry.action),
});

export const ofWebhooks = (entry: WebhookAudit): Entry => ({
  ...ofNumbered(entry),
  action: wordsOf(entry.action.slice('webhook.'.length)),
});

type AuditTableProps = { readonly label: string; readonly entries: readonly Entry[] };

export function AuditTable({ label, entries }: AuditTableProps) {
  const nameOf = useNames();
  const columns: readonly Column<Entry>[] = [
    { key: 'at', header: 'Time', cell: ({ at }) => <Time at={at} /> },
    { key: 'action', header: 'What', cell: (entry) => <What entry={entry} nameOf={nameOf} /> },
    { key: 'changes', header: 'Changes', cell: ({ changes }) => <Changes changes={changes} /> },
    { key: 'actor', header: 'Who', cell: (entry) => <Who entry={entry} nameOf={nameOf} /> },
  ];
  return <Table label={label} columns={columns} rows={entries} rowKey={({ id }) => id} />;
}

type EntryProps = { readonly entry: Entry; readonly nameOf: (id: string) => string };

const What = ({ entry: { action, target }, nameOf }: EntryProps) => (
  <div>
    <div class="strong">{action}</div>
    {target !== undefined && <div class="muted">{nameOf(target)}</div>}
  </div>
);

const Who = ({ entry: { actor, claimed }, nameOf }: EntryProps) => (
  <div>
    {nameOf(actor)}
    {claimed !== null && <div class="muted">says for {claimed}</div>}
  </div>
);
