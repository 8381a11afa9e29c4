import type { ListAdminsInput } from '#functions/platform/platform.schema.ts';
import { shownAdmin } from '#functions/platform/shown-admin.ts';
import { pageOf } from '#shared/domain/reference/page.rules.ts';
import { Answer } from '#shared/http/route.ts';
import { nextLink } from '#shared/http/schema/common.schema.ts';
import type { Caller } from '#shared/ports/caller.ts';
import type { Deps } from '#shared/ports/deps.ts';

export async function listAdmins(
  query: ListAdminsInput,
  _caller: Caller,
  { platform, config }: Pick<Deps, 'platform' | 'config'>,
) {
  const page = pageOf(await platform.admins(), query, ({ created_at, user_id }) => `${created_at}#${user_id}`);
  const link = nextLink(`${config.apiUrl}/v1/platform/admins`, query, page.next);
  return new Answer({ admins: page.items.map(shownAdmin), pagination: page.pagination }, { link });
}
