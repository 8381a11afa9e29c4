import type { ListOrganizationsInput } from '#functions/platform/platform.schema.ts';
import { Answer } from '#shared/http/route.ts';
import { nextLink } from '#shared/http/schema/common.schema.ts';
import type { Caller } from '#shared/ports/caller.ts';
import type { Deps } from '#shared/ports/deps.ts';

export async function listOrganizations(
  query: ListOrganizationsInput,
  _caller: Caller,
  { platform, config }: Pick<Deps, 'platform' | 'config'>,
) {
  const { items, next } = await platform.organizations(query);
  const { limit, offset } = query;
  const listed = { organizations: items, pagination: { limit, offset, has_more: next !== undefined } };
  return new Answer(listed, { link: nextLink(`${config.apiUrl}/v1/platform/organizations`, query, next) });
}
