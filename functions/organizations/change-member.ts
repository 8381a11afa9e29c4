import { headsOf, refuseByCount, refuseByRole } from '#shared/domain/accounts/members.rules.ts';
import type { Membership, User } from '#shared/domain/accounts/user.model.ts';
import { AppError } from '#shared/kernel/errors.ts';
import { inRounds } from '#shared/kernel/rounds.ts';
import { type Caller, personOf } from '#shared/ports/caller.ts';
import type { Deps } from '#shared/ports/deps.ts';
import type { Actor } from '#shared/ports/members.port.ts';

type Needs = Pick<Deps, 'members'>;

/** The member to change. */
export type Subject = { readonly id: string; readonly newUser?: User };

type Changed = { readonly member: Membership | undefined };

/**
 * Reads, decides and writes, again after a lost race. `decide` gives the new membership; `undefined` removes the
 * member.
 */
export function changeMember(
  find: () => Promise<Subject>,
  decide: (before: Membership | undefined, subject: Subject) => Membership | undefined,
  caller: Caller,
  { members }: Needs,
): Promise<Changed> {
  const actor = actorOf(caller);
  return inRounds(async () => {
    const subject = await find();
    const [before, count, self] = await Promise.all([
      members.get(caller.orgId, subject.id),
      members.count(caller.orgId),
      members.get(caller.orgId, actor.user_id),
    ]);
    const after = decide(before, subject);
    if (before?.role === after?.role) return { member: before };
    refuseByRole(actor.role, before, after, subject.id === actor.user_id);
    refuseByCount(count, headsOf(before, after));
    if (self?.role !== actor.role)
      throw new AppError('missing_role', 'Your own role in the organization has just been changed.');
    const done = await members.change({ before, after, ...(subject.newUser && { newUser: subject.newUser }) }, actor);
    return done ? { member: after } : undefined;
  }, 'Others are changing the members right now. Please try again.');
}

/** The role that the request was authorized with. */
export function actorOf(caller: Caller): Actor {
  const { userId, role } = personOf(caller);
  if (!role) throw new Error('The chain let somebody pass who is no member.');
  return { user_id: userId, role };
}
