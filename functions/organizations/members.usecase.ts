import {
  type ChangeMemberDeps,
  changeMember,
  memberActor,
  viewMember,
} from '#functions/organizations/change-member.ts';
import type { ListMembersInput } from '#functions/organizations/organizations.schema.ts';
import { assertRoleAllows } from '#shared/domain/accounts/members.rules.ts';
import { pageOf } from '#shared/domain/reference/page.rules.ts';
import { orNotFound } from '#shared/kernel/errors.ts';
import { isId } from '#shared/kernel/ids.ts';
import type { Caller } from '#shared/ports/caller.ts';
import type { Deps } from '#shared/ports/deps.ts';

export async function listMembers(query: ListMembersInput, { orgId }: Caller, { members }: Pick<Deps, 'members'>) {
  const page = pageOf(await members.list(orgId), query, ({ created_at, user_id }) => `${created_at} ${user_id}`);
  return { ...page, items: page.items.map(viewMember) };
}

/**
 * Takes effect with the member's next request, as sessions read the membership with each one. A retry after a crash may
 * find the member already removed by its first run: that is success.
 */
export async function removeMember({ id }: { readonly id: string }, caller: Caller, deps: ChangeMemberDeps) {
  const actor = memberActor(caller);
  // Callers who may not remove members must not learn which members exist.
  if (id !== actor.user_id) assertRoleAllows(actor.role, { role: 'viewer' }, undefined, false);
  await changeMember(
    async () => ({ id }),
    (before) => {
      if (!caller.operation.resumed || !isId('user', id))
        orNotFound(before, 'This organization has no member with this id.');
      return undefined;
    },
    caller,
    deps,
  );
  return { id, deleted: true as const };
}
