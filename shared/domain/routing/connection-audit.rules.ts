import { type Changes, changesBetween } from '#shared/domain/reference/changes.rules.ts';
import type { Connection } from '#shared/domain/routing/connection.model.ts';
import { isId } from '#shared/kernel/ids.ts';

export type ConnectionAction =
  | 'created'
  | 'updated'
  | 'status_changed'
  | 'labels_changed'
  | 'validated'
  | 'deleted'
  | 'credentials_purged';

/** An audit entry of a connection. Its id counts 1, 2, 3 … within that connection. */
export type ConnectionAudit = {
  readonly id: number;
  readonly actor_id: string;
  readonly action: ConnectionAction;
  /** Null for what the scheduler does, without a credential. */
  readonly metadata: { readonly changes: Changes; readonly credential_id: string | null };
  readonly created_at: string;
};

/** The audited fields. Credentials are not among them: an entry shows only that they changed. */
const AUDITED_FIELDS = [
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

type ActorEntry = { readonly actor_id: string; readonly metadata: { readonly credential_id: string | null } };

/** Whether the actor is what the holder of an API key said in `X-Actor-Id`. We know only the key. */
export const isClaimedActor = ({ actor_id, metadata: { credential_id } }: ActorEntry): boolean =>
  credential_id !== null && actor_id !== credential_id && !isId('session', credential_id);

/** `actorId`: the person a key says it acts for; without one the key itself is the actor. */
export type Actor = { readonly actorId: string | null; readonly credentialId: string };

/** The entry for a change; undefined if no audited field changed. */
export function auditOf(
  before: Connection | undefined,
  after: Connection,
  action: ConnectionAction,
  { actorId, credentialId }: Actor,
  at: Date,
): ConnectionAudit | undefined {
  const changes = changesOf(before?.deleted_at === undefined ? before : undefined, after);
  const counts = Object.keys(changes).length > 0 || action === 'validated';
  return counts
    ? {
        id: after.audits,
        actor_id: actorId ?? credentialId,
        action,
        metadata: { changes, credential_id: credentialId },
        created_at: at.toISOString(),
      }
    : undefined;
}

/** The entry of a scheduled purge. */
export const auditOfPurge = (before: Connection, after: Connection, at: Date): ConnectionAudit => ({
  id: after.audits,
  actor_id: 'system',
  action: 'credentials_purged',
  metadata: { changes: purgedBetween(before, after), credential_id: null },
  created_at: at.toISOString(),
});

const purgedBetween = (before: Connection, after: Connection): Changes => ({
  ...(before.sealed_credentials !== after.sealed_credentials && { credentials: { from: 'sealed', to: 'purged' } }),
  ...(before.former.length !== after.former.length && {
    former_credentials: { from: before.former.length, to: after.former.length },
  }),
});

const changesOf = (before: Connection | undefined, after: Connection): Changes => ({
  ...changesBetween(AUDITED_FIELDS, before, after),
  ...(before?.sealed_credentials !== after.sealed_credentials && {
    credentials: { from: before ? 'replaced' : null, to: 'sealed' },
  }),
  ...(before?.deleted_at !== after.deleted_at && { deleted_at: { from: null, to: after.deleted_at ?? null } }),
});
