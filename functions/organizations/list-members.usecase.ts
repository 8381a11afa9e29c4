import type { ListMembersInput } from '#functions/organizations/organizations.schema.ts';
import { shownMember } from '#functions/organizations/shown-member.ts';
import { pageOf } from '#shared/domain/reference/page.rules.ts';
import { Answer } from '#shared/http/route.ts';
import { nextLink } from '#shared/http/schema/common.schema.ts';
import type { Caller } from '#shared/ports/caller.ts';
import type { Deps } from '#shared/ports/deps.ts';

export async function listMembers(
  query: ListMembersInput,
  { orgId }: Caller,
  { members, config }: Pick<Deps, 'members' | 'config'>,
) {
  const page = pageOf(await members.list(orgId), query, ({ created_at, user_id }) => `${created_at} ${user_id}`);
  const link = nextLink(`${config.apiUrl}/v1/members`, query, page.next);
  return new Answer({ members: page.items.map(shownMember), pagination: page.pagination }, { link });
}
