import {
  assertProvedForChange,
  type ChangeMemberDeps,
  changeMember,
  type MemberToChange,
  memberActor,
  viewMember,
} from '#functions/organizations/change-member.ts';
import { assertInvitationLimit, sendInvitation } from '#functions/organizations/invite-member.ts';
import type { AddMemberInput } from '#functions/organizations/organizations.schema.ts';
import { assertRoleAllows, needsInvitation } from '#shared/domain/accounts/members.rules.ts';
import { creatorOf } from '#shared/domain/accounts/organization-audit.rules.ts';
import { type Membership, newUser } from '#shared/domain/accounts/user.model.ts';
import { normalizeEmail } from '#shared/domain/reference/email.rules.ts';
import type { Caller } from '#shared/ports/caller.ts';
import type { Deps } from '#shared/ports/deps.ts';

type AddDeps = ChangeMemberDeps & Pick<Deps, 'organizations' | 'signInLinks' | 'rates' | 'mail' | 'config' | 'log'>;

/**
 * Writes the membership first, and a user if the address has none. It is marked as not yet invited until the email is
 * sent, so that a retry after a crash sends it. Neither the response nor its cost reveals whether the address was
 * known.
 */
export async function addMember(input: AddMemberInput, caller: Caller, deps: AddDeps) {
  const [email, at] = [normalizeEmail(input.email), deps.clock.now()];
  const find = async (): Promise<MemberToChange> => {
    const { id, isNew } = await deps.members.userFor(email);
    return { id, ...(isNew && { newUser: newUser(id, email, at) }) };
  };
  await checkInvitationLimit(email, input.role, caller, deps);
  const newMember = {
    org_id: caller.orgId,
    email,
    role: input.role,
    created_at: at.toISOString(),
    created_by: creatorOf(caller),
    role_given_by: creatorOf(caller),
    invited_at: null,
    joined_at: null,
  };
  const { member } = await changeMember(
    find,
    (before, { id }) =>
      before ? { ...before, role: input.role, role_given_by: creatorOf(caller) } : { ...newMember, user_id: id },
    caller,
    deps,
  );
  if (!member) throw new Error('Adding a member never removes one.');
  return viewMember(needsInvitation(member, at) ? await sendInvitation(member, caller, deps) : member);
}

/** Runs before any write, so that a request that would send too many invitations changes nothing. */
async function checkInvitationLimit(
  email: string,
  role: Membership['role'],
  caller: Caller,
  deps: AddDeps,
): Promise<void> {
  const { id } = await deps.members.userFor(email);
  const existing = await deps.members.get(caller.orgId, id);
  assertRoleAllows(memberActor(caller).role, existing, { role }, false);
  if (existing?.role !== role) await assertProvedForChange(existing, { role }, caller, deps);
  if (!existing || needsInvitation(existing, deps.clock.now())) await assertInvitationLimit(email, caller, deps);
}
