import {
  type AuditActor,
  type OrganizationAction,
  type OrganizationAuditEntry,
  organizationAuditEntry,
} from '#shared/domain/accounts/organization-audit.rules.ts';
import type { Operation } from '#shared/kernel/operation.ts';
import type { Deps } from '#shared/ports/deps.ts';

/** They are written in one transaction with the change, up to two for each organization. It has room for 100 writes. */
const MAX_ORGANIZATIONS = 25;

type SignInAction = Extract<OrganizationAction, `second_factor_${string}` | `passkey_${string}`>;

/**
 * The entries for a change of how a user signs in, one for each organization that they have joined: whoever signs in as
 * this user acts there.
 */
export async function signInAudit(
  action: SignInAction,
  userId: string,
  actor: AuditActor,
  operation: Pick<Operation, 'seed' | 'at'>,
  { users }: Pick<Deps, 'users'>,
): Promise<readonly OrganizationAuditEntry[]> {
  const joined = (await users.memberships(userId)).filter(({ joined_at }) => joined_at !== null);
  const target = { type: 'user', id: userId, name: null } as const;
  return joined
    .toSorted((a, b) => String(a.joined_at).localeCompare(String(b.joined_at)))
    .slice(0, MAX_ORGANIZATIONS)
    .map(({ org_id }) => organizationAuditEntry({ org_id, action, target }, actor, operation));
}
