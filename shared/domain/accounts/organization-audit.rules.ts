import type { AgentLimits, AgentRequest } from '#shared/domain/accounts/agent.model.ts';
import type { ApiKey } from '#shared/domain/accounts/api-key.model.ts';
import type { Organization } from '#shared/domain/accounts/organization.model.ts';
import type { PlatformAuditEntry } from '#shared/domain/accounts/platform.model.ts';
import type { Membership } from '#shared/domain/accounts/user.model.ts';
import { type Changes, changesBetween } from '#shared/domain/reference/changes.rules.ts';
import { derivedId } from '#shared/kernel/ids.ts';
import type { Operation } from '#shared/kernel/operation.ts';

export const ORGANIZATION_ACTIONS = [
  'api_key_created',
  'api_key_revoked',
  'member_added',
  'member_removed',
  'role_changed',
  'renamed',
  'second_factor_enabled',
  'second_factor_disabled',
  'passkey_added',
  'passkey_removed',
  'agent_limits_changed',
  'agent_acted',
  'agent_asked',
  'agent_approved',
  'agent_rejected',
] as const;
export type OrganizationAction = (typeof ORGANIZATION_ACTIONS)[number];

/** An entry of an organization's audit log. It is written in one transaction with the change. */
export type OrganizationAuditEntry = {
  readonly id: string;
  readonly org_id: string;
  /** Who acted: a user, an API key, or `system`. Never what a caller claims in `X-Actor-Id`. */
  readonly actor_id: string;
  readonly action: OrganizationAction;
  /** Users have no name here: who may read the log may not be allowed to read addresses. */
  readonly target: {
    readonly type: 'api_key' | 'user' | 'organization' | 'agent_approval';
    readonly id: string;
    readonly name: string | null;
  };
  readonly metadata: {
    readonly changes: Changes;
    /** The API key or session that was used. */
    readonly credential_id: string | null;
    /** What the holder of the API key says about on whose behalf they act. */
    readonly claimed_actor_id: string | null;
  };
  readonly created_at: string;
};

/** What an audit entry needs of the caller. */
export type AuditActor = {
  readonly credentialId: string;
  readonly actorId: string | null;
  readonly person?: { readonly userId: string } | undefined;
};

/** The signed-in user, or the API key. It stays on what they create, as `created_by`. */
export const creatorOf = ({ credentialId, person }: Omit<AuditActor, 'actorId'>): string =>
  person?.userId ?? credentialId;

type AuditedChange = Pick<OrganizationAuditEntry, 'org_id' | 'action' | 'target'> & { readonly changes?: Changes };

/**
 * The id derives from the operation and its target, so that a retry after a crash does not log the change twice, and one
 * operation can change several things.
 */
export const organizationAuditEntry = (
  { org_id, action, target, changes = {} }: AuditedChange,
  actor: AuditActor,
  { seed, at }: Pick<Operation, 'seed' | 'at'>,
): OrganizationAuditEntry => ({
  id: derivedId('act', at, seed, 'act', org_id, action, target.id),
  org_id,
  actor_id: creatorOf(actor),
  action,
  target,
  metadata: {
    changes,
    credential_id: actor.credentialId,
    claimed_actor_id: actor.person ? null : actor.actorId,
  },
  created_at: at.toISOString(),
});

type ChangedKey = Pick<ApiKey, 'id' | 'org_id' | 'name' | 'kind' | 'scopes' | 'agent'>;

export const describeKey = (
  action: 'api_key_created' | 'api_key_revoked',
  { id, org_id, name, kind, scopes, agent }: ChangedKey,
): AuditedChange => {
  const values = { kind, scopes, agent };
  const changes = action === 'api_key_created' ? changesBetween(KEY_FIELDS, undefined, values) : {};
  return { org_id, action, target: { type: 'api_key', id, name }, changes };
};

const KEY_FIELDS = ['kind', 'scopes', 'agent'] as const;

/** A change of one member. At least one of the two is set. */
export function describeMemberChange(before: Membership | undefined, after: Membership | undefined): AuditedChange {
  const { org_id, user_id } = after ?? before ?? { org_id: '', user_id: '' };
  return {
    org_id,
    action: memberAction(before, after),
    target: { type: 'user', id: user_id, name: null },
    changes: { role: { from: before?.role ?? null, to: after?.role ?? null } },
  };
}

type AgentAction = 'agent_acted' | 'agent_asked' | 'agent_approved' | 'agent_rejected';

/** What an agent did, or asked for. The entry's actor is its key, or the person who has decided. */
export function describeAgentRequest(action: AgentAction, request: AgentRequest): AuditedChange {
  const { id, org_id, operation, resource_id, amount, currency, key_id, agent_name } = request;
  const known = Object.entries({ operation, resource_id, amount, currency, key_id, agent_name });
  const changes = known.flatMap(([name, to]) => (to === null ? [] : [[name, { from: null, to }] as const]));
  return {
    org_id,
    action,
    target: { type: 'agent_approval', id, name: operation },
    changes: Object.fromEntries(changes),
  };
}

export const describeAgentLimits = (org_id: string, before: AgentLimits, after: AgentLimits): AuditedChange => ({
  org_id,
  action: 'agent_limits_changed',
  target: { type: 'organization', id: org_id, name: null },
  changes: { daily: { from: before, to: after } },
});

type Names = Pick<Organization, 'id' | 'name' | 'legal_name' | 'requested_legal_name' | 'kyc'>;

/** A new legal name may need a new identity verification, so the entry shows that too. */
export const describeRenaming = (before: Names, names: Omit<Names, 'id'>): AuditedChange => ({
  org_id: before.id,
  action: 'renamed',
  target: { type: 'organization', id: before.id, name: names.name },
  changes: changesBetween(
    ['name', 'legal_name', 'requested_legal_name', 'kyc'],
    { requested_legal_name: null, ...before },
    { id: before.id, ...names },
  ),
});

/** The organization's own entry for a decision of the platform about its legal name; undefined for any other one. */
export function auditOfReview(
  { id: org_id, name }: Pick<Organization, 'id' | 'name'>,
  { id, actor_id, metadata, created_at }: PlatformAuditEntry,
): OrganizationAuditEntry | undefined {
  const { changes } = metadata;
  if (!changes.legal_name && !changes.requested_legal_name) return undefined;
  return {
    id,
    org_id,
    actor_id,
    action: 'renamed',
    target: { type: 'organization', id: org_id, name },
    metadata: { changes, credential_id: null, claimed_actor_id: null },
    created_at,
  };
}

function memberAction(before: Membership | undefined, after: Membership | undefined): OrganizationAction {
  if (before === undefined) return 'member_added';
  return after === undefined ? 'member_removed' : 'role_changed';
}

type ListedKey = { readonly id: string; readonly created_by: string | null };

/**
 * The existing keys that this key created, and those that they created, and so on. `revoked` keys are links of the chain:
 * a key that was revoked may have created others before.
 */
export function descendantsOf<K extends ListedKey>(
  id: string,
  existing: readonly K[],
  revoked: readonly ListedKey[],
): readonly K[] {
  const found = new Set([id]);
  const all = [...existing, ...revoked];
  for (let before = 0; before < found.size; ) {
    before = found.size;
    for (const key of all) if (key.created_by !== null && found.has(key.created_by)) found.add(key.id);
  }
  return existing.filter((key) => key.id !== id && found.has(key.id));
}
