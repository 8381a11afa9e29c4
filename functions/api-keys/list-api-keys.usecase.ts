import type { ListApiKeysInput } from '#functions/api-keys/api-keys.schema.ts';
import { pageOf } from '#shared/domain/reference/page.rules.ts';
import { Answer } from '#shared/http/route.ts';
import { nextLink } from '#shared/http/schema/common.schema.ts';
import type { Caller } from '#shared/ports/caller.ts';
import type { Deps } from '#shared/ports/deps.ts';

/** The time of last use is stored where the key's requests are counted, so it is read for this page's keys alone. */
export async function listApiKeys(
  query: ListApiKeysInput,
  caller: Caller,
  { keys, config }: Pick<Deps, 'keys' | 'config'>,
) {
  const page = pageOf(await keys.list(caller.orgId), query, ({ id }) => id);
  const used = await keys.lastUsed(page.items);
  const api_keys = page.items.map(({ hash: _, ...key }, n) => ({ ...key, last_used_at: used[n] ?? null }));
  return new Answer(
    { api_keys, pagination: page.pagination },
    { link: nextLink(`${config.apiUrl}/v1/api-keys`, query, page.next) },
  );
}
