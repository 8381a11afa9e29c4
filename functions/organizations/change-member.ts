import { assertCountsAllow, assertRoleAllows, countChange } from '#shared/domain/accounts/members.rules.ts';
import type { Membership, User } from '#shared/domain/accounts/user.model.ts';
import { AppError } from '#shared/kernel/errors.ts';
import { retryOnConflict } from '#shared/kernel/retry-on-conflict.ts';
import { type Caller, signedInUserOf } from '#shared/ports/caller.ts';
import type { Deps } from '#shared/ports/deps.ts';
import type { MemberActor } from '#shared/ports/members.port.ts';

/** The member to change, with a new user for an address without one. */
export type MemberToChange = { readonly id: string; readonly newUser?: User };

type MemberChangeResult = { readonly member: Membership | undefined };

/**
 * Reads, decides and writes, again after a lost race. `decide` returns the new membership, or undefined to remove the
 * member.
 */
export function changeMember(
  find: () => Promise<MemberToChange>,
  decide: (before: Membership | undefined, target: MemberToChange) => Membership | undefined,
  caller: Caller,
  { members }: Pick<Deps, 'members'>,
): Promise<MemberChangeResult> {
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
    if (self?.role !== actor.role)
      throw new AppError('missing_role', 'Your own role in this organization was just changed. Reload and try again.');
    const isSaved = await members.change({ before, after, ...(target.newUser && { newUser: target.newUser }) }, actor);
    return isSaved ? { member: after } : undefined;
  }, 'The members are being changed by other requests. Try again.');
}

/** The caller, with the role that the request was authorized with. */
export function memberActor(caller: Caller): MemberActor {
  const { userId, role } = signedInUserOf(caller);
  if (!role) throw new Error('The middleware let a caller pass who is not a member.');
  return { user_id: userId, role };
}

export const viewMember = ({ user_id, email, role, created_at, invited_at, joined_at }: Membership) => ({
  id: user_id,
  email,
  role,
  status: joined_at === null ? ('invited' as const) : ('active' as const),
  created_at,
  invited_at,
  joined_at,
});
