import { platformActorOf, refuseDemoted } from '#functions/platform/platform-actor.ts';
import { actOf, ownerStaying, roleTold } from '#shared/domain/accounts/platform.rules.ts';
import { AppError } from '#shared/kernel/errors.ts';
import { inRounds } from '#shared/kernel/rounds.ts';
import { type Caller, personOf } from '#shared/ports/caller.ts';
import type { Deps } from '#shared/ports/deps.ts';

/**
 * Takes effect with the administrator's next request, as roles are read with each. A retry after a crash may find them
 * removed by its own first run: that is success.
 */
export function removeAdmin({ id }: { readonly id: string }, caller: Caller, { platform }: Pick<Deps, 'platform'>) {
  const deleted = { id, deleted: true as const };
  return inRounds(async () => {
    const admins = await platform.admins();
    const before = admins.find(({ user_id }) => user_id === id);
    if (!before && caller.operation.resumed) return deleted;
    if (!before) throw new AppError('not_found', 'There is no such administrator.');
    const act = actOf(roleTold(before, undefined), personOf(caller), caller.operation);
    const change = { before, after: undefined, staying: ownerStaying(before, undefined, admins) };
    const outcome = refuseDemoted(await platform.changeAdmin(change, act, platformActorOf(caller)));
    return outcome === 'raced' ? undefined : deleted;
  }, 'Others changed the administrators at the same moment. Try again.');
}
