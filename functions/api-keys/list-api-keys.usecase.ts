import type { ListApiKeysInput } from '#functions/api-keys/api-keys.schema.ts';
import { pageOf } from '#shared/domain/page.rules.ts';
import { Answer } from '#shared/http/route.ts';
import { nextLink } from '#shared/http/schema/common.schema.ts';
import type { Caller } from '#shared/ports/caller.ts';
import type { Deps } from '#shared/ports/deps.ts';

export async function listApiKeys(query: ListApiKeysInput, caller: Caller, { keys, config }: Pick<Deps, 'keys' | 'config'>) {
  const page = pageOf(await keys.list(caller.orgId), query, ({ id }) => id);
  const link = nextLink(`${config.apiUrl}/v1/api-keys`, query, page.next);
  return new Answer({ api_keys: page.items, pagination: page.pagination }, { link });
}
