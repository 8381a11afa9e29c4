import type { SaveAdminInput } from '#functions/platform/platform.schema.ts';
import { platformActorOf, refuseDemoted } from '#functions/platform/platform-actor.ts';
import { shownAdmin } from '#functions/platform/shown-admin.ts';
import { actOf, ownerStaying, roleTold } from '#shared/domain/accounts/platform.rules.ts';
import { newUser } from '#shared/domain/accounts/user.model.ts';
import { inRounds } from '#shared/kernel/rounds.ts';
import { type Caller, personOf } from '#shared/ports/caller.ts';
import type { Deps } from '#shared/ports/deps.ts';

type Needs = Pick<Deps, 'users' | 'platform'>;

/** An address without a user gets one now: the role is there at the first sign-in. */
export function saveAdmin({ email, role }: SaveAdminInput, caller: Caller, { users, platform }: Needs) {
  const { at } = caller.operation;
  return inRounds(async () => {
    const [known, admins] = await Promise.all([users.byEmail(email), platform.admins()]);
    const user = known ?? newUser(users.idFor(email), email, at);
    const before = admins.find(({ user_id }) => user_id === user.id);
    const after = { user_id: user.id, email: user.email, role, created_at: before?.created_at ?? at.toISOString() };
    const change = { before, after, staying: ownerStaying(before, role, admins), ...(!known && { newUser: user }) };
    const act = actOf(roleTold(before, after), personOf(caller), caller.operation);
    const outcome = refuseDemoted(await platform.changeAdmin(change, act, platformActorOf(caller)));
    if (outcome === 'done') return shownAdmin(after);
    return outcome === 'repeated' ? shownAdmin(before ?? after) : undefined;
  }, 'Others changed the administrators at the same moment. Try again.');
}
