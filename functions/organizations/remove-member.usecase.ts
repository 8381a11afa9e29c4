import { actorOf, changeMember } from '#functions/organizations/change-member.ts';
import { refuseByRole } from '#shared/domain/accounts/members.rules.ts';
import { need } from '#shared/kernel/errors.ts';
import { isId } from '#shared/kernel/ids.ts';
import type { Caller } from '#shared/ports/caller.ts';
import type { Deps } from '#shared/ports/deps.ts';

/**
 * Sessions read the membership with each request, so a removal takes effect with the next one. A retry after a crash
 * may find the member removed by its own first run: that is success.
 */
export async function removeMember({ id }: { readonly id: string }, caller: Caller, deps: Pick<Deps, 'members'>) {
  const actor = actorOf(caller);
  // Callers without the right to remove are not told which members exist.
  if (id !== actor.user_id) refuseByRole(actor.role, { role: 'viewer' }, undefined, false);
  await changeMember(
    async () => ({ id }),
    (before) => {
      if (!caller.operation.resumed || !isId('user', id)) need(before, 'There is no such member.');
      return undefined;
    },
    caller,
    deps,
  );
  return { id, deleted: true as const };
}
