import {
  assertCountsAllow,
  assertRoleAllows,
  countChange,
  needsFreshProof,
} from '#shared/domain/accounts/members.rules.ts';
import { describeMemberChange, organizationAuditEntry } from '#shared/domain/accounts/organization-audit.rules.ts';
import type { Membership, User } from '#shared/domain/accounts/user.model.ts';
import { AppError } from '#shared/kernel/errors.ts';
import { retryOnConflict } from '#shared/kernel/retry-on-conflict.ts';
import { type Caller, signedInUserOf } from '#shared/ports/caller.ts';
import type { Deps } from '#shared/ports/deps.ts';
import type { MemberActor } from '#shared/ports/members.port.ts';
import { assertFreshProof } from '#shared/services/accounts/fresh-proof.service.ts';

/** The member to change, with a new user for an address without one. */
export type MemberToChange = { readonly id: string; readonly newUser?: User };

export type ChangeMemberDeps = Pick<Deps, 'members' | 'users' | 'passkeys' | 'clock'>;

type MemberChangeResult = { readonly member: Membership | undefined };

/**
 * Reads, decides and writes, again after a lost race. `decide` returns the new membership, or undefined to remove the
 * member.
 */
export function changeMember(
  find: () => Promise<MemberToChange>,
  decide: (before: Membership | undefined, target: MemberToChange) => Membership | undefined,
  caller: Caller,
  deps: ChangeMemberDeps,
): Promise<MemberChangeResult> {
  const { members } = deps;
  const actor = memberActor(caller);
  return retryOnConflict(async () => {
    const target = await find();
    const [before, count, self] = await Promise.all([
      members.get(caller.orgId, target.id),
      members.count(caller.orgId),
      members.get(caller.orgId, actor.user_id),
    ]);
    const after = decide(before, target);
    if (before?.role === after?.role) return { member: before };
    assertRoleAllows(actor.role, before, after, target.id === actor.user_id);
    assertCountsAllow(count, countChange(before, after));
    await assertProvedForChange(before, after, caller, deps);
    if (self?.role !== actor.role)
      throw new AppError('missing_role', 'Your own role in this organization was just changed. Reload and try again.');
    const audit = organizationAuditEntry(describeMemberChange(before, after), caller, caller.operation);
    const change = { before, after, ...(target.newUser && { newUser: target.newUser }) };
    const isSaved = await members.change(change, actor, audit);
    return isSaved ? { member: after } : undefined;
  }, 'The members are being changed by other requests. Try again.');
}

/** Some changes could take the organization away, or give lasting access to it. */
export async function assertProvedForChange(
  before: Pick<Membership, 'role'> | undefined,
  after: Pick<Membership, 'role'> | undefined,
  caller: Caller,
  deps: ChangeMemberDeps,
): Promise<void> {
  if (needsFreshProof(before, after)) await assertFreshProof(signedInUserOf(caller), deps.clock.now(), deps);
}

/** The caller, with the role that the request was authorized with. */
export function memberActor(caller: Caller): MemberActor {
  const { userId, role } = signedInUserOf(caller);
  if (!role) throw new Error('The middleware let a caller pass who is not a member.');
  return { user_id: userId, role };
}

export const viewMember = ({ user_id, joined_at, ...member }: Membership) => ({
  ...member,
  id: user_id,
  status: joined_at === null ? ('invited' as const) : ('active' as const),
  joined_at,
});
