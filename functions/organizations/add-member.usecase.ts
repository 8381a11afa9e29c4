import { actorOf, changeMember, type Subject } from '#functions/organizations/change-member.ts';
import { countInvitation, invite } from '#functions/organizations/invite.ts';
import type { AddMemberInput } from '#functions/organizations/organizations.schema.ts';
import { shownMember } from '#functions/organizations/shown-member.ts';
import { owesInvitation, refuseByRole } from '#shared/domain/accounts/members.rules.ts';
import { type Membership, newUser } from '#shared/domain/accounts/user.model.ts';
import { normalEmail } from '#shared/domain/reference/mail-address.rules.ts';
import type { Caller } from '#shared/ports/caller.ts';
import type { Deps } from '#shared/ports/deps.ts';

type Needs = Pick<Deps, 'members' | 'organizations' | 'rates' | 'mail' | 'clock' | 'config' | 'log'>;

/**
 * The membership is written first, with a user where the address has none, and is marked as owing its mail until that
 * is sent: after a crash in between a repeat sends it. Whether the address was known shows neither in the answer nor in
 * its cost.
 */
export async function addMember(input: AddMemberInput, caller: Caller, deps: Needs) {
  const [email, at] = [normalEmail(input.email), deps.clock.now()];
  const find = async (): Promise<Subject> => {
    const { id, isNew } = await deps.members.userOf(email);
    return { id, ...(isNew && { newUser: newUser(id, email, at) }) };
  };
  await countMail(email, input.role, caller, deps);
  const begun = {
    org_id: caller.orgId,
    email,
    role: input.role,
    created_at: at.toISOString(),
    invited_at: null,
    joined_at: null,
  };
  const { member } = await changeMember(
    find,
    (before, { id }) => (before ? { ...before, role: input.role } : { ...begun, user_id: id }),
    caller,
    deps,
  );
  if (!member) throw new Error('Whoever is added is there.');
  return shownMember(owesInvitation(member) ? await invite(member, caller, deps) : member);
}

/** Checked before any write: a request that is refused for too many mails changes nothing. */
async function countMail(email: string, role: Membership['role'], caller: Caller, deps: Needs): Promise<void> {
  const { id } = await deps.members.userOf(email);
  const known = await deps.members.get(caller.orgId, id);
  refuseByRole(actorOf(caller).role, known, { role }, false);
  if (!known || owesInvitation(known)) await countInvitation(email, caller, deps);
}
