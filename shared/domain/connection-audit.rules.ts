import { isDeepStrictEqual } from 'node:util';
import type { Connection } from '#shared/domain/connection.model.ts';

export type ConnectionAct = 'created' | 'updated' | 'status_changed' | 'labels_changed' | 'validated' | 'deleted' | 'credentials_purged';

/** Who did what to a connection. Its id counts 1, 2, 3 … of that connection. */
export type ConnectionAudit = {
  readonly id: number;
  readonly actor_id: string;
  readonly action: ConnectionAct;
  /** Time itself uses no credential. */
  readonly metadata: { readonly changes: Changes; readonly credential_id: string | null };
  readonly created_at: string;
};

type Changes = Readonly<Record<string, { readonly from: unknown; readonly to: unknown }>>;

/** What an entry tells of. Credentials have no line: only that there are others now. */
const TOLD = [
  'provider',
  'mode',
  'status',
  'capabilities',
  'routing_hints',
  'labels',
  'workflow_id',
  'fee_structure',
  'last_validation_status',
  'last_validation_error',
  'name_match_status',
] as const satisfies readonly (keyof Connection)[];

/** `actorId`: whom a key says it acts for; without that the key itself is the actor. */
export type Actor = { readonly actorId: string | null; readonly credentialId: string };

/** The entry of a change, or undefined where it changed nothing that counts. */
export function auditOf(
  before: Connection | undefined,
  after: Connection,
  action: ConnectionAct,
  { actorId, credentialId }: Actor,
  at: Date,
): ConnectionAudit | undefined {
  const changes = changesBetween(before?.deleted_at === undefined ? before : undefined, after);
  const counts = Object.keys(changes).length > 0 || action === 'validated';
  return counts
    ? { id: after.audits, actor_id: actorId ?? credentialId, action, metadata: { changes, credential_id: credentialId }, created_at: at.toISOString() }
    : undefined;
}

/** The entry of what time takes out of the store by itself. */
export const auditOfPurge = (before: Connection, after: Connection, at: Date): ConnectionAudit => ({
  id: after.audits,
  actor_id: 'system',
  action: 'credentials_purged',
  metadata: { changes: purgedBetween(before, after), credential_id: null },
  created_at: at.toISOString(),
});

const purgedBetween = (before: Connection, after: Connection): Changes => ({
  ...(before.sealed_credentials !== after.sealed_credentials && { credentials: { from: 'sealed', to: 'purged' } }),
  ...(before.former.length !== after.former.length && { former_credentials: { from: before.former.length, to: after.former.length } }),
});

function changesBetween(before: Connection | undefined, after: Connection): Changes {
  const changes: Record<string, { from: unknown; to: unknown }> = {};
  for (const field of TOLD) if (!isDeepStrictEqual(before?.[field], after[field])) changes[field] = { from: before?.[field] ?? null, to: after[field] };
  if (before?.sealed_credentials !== after.sealed_credentials) changes.credentials = { from: before ? 'replaced' : null, to: 'sealed' };
  if (after.deleted_at !== before?.deleted_at) changes.deleted_at = { from: null, to: after.deleted_at ?? null };
  return changes;
}
