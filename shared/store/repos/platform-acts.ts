import type { PlatformAct } from '#shared/domain/accounts/platform.model.ts';
import type { ListPage } from '#shared/ports/list-page.port.ts';
import type { ActsWhere } from '#shared/ports/platform.port.ts';
import type { Item, TablePort } from '#shared/ports/table.port.ts';
import { keys } from '#shared/store/keys.ts';
import { toAct } from '#shared/store/repos/platform.entity.ts';

const MOST_AT_ONCE = 1_000;

/** Newest first, as their ids sort. */
export async function listActs(table: TablePort, { limit, offset, cursor }: ActsWhere): Promise<ListPage<PlatformAct>> {
  const found: Item[] = [];
  let [skip, below, more] = [offset, cursor, true];
  while (more && found.length <= limit) {
    const wanted = Math.min(MOST_AT_ONCE, skip + limit + 1 - found.length);
    const page = await table.query({
      pk: keys.platformAct('').pk,
      limit: wanted,
      newestFirst: true,
      consistent: true,
      ...(below !== undefined && { range: { lt: below } }),
    });
    found.push(...page.items.slice(skip));
    skip = Math.max(0, skip - page.items.length);
    below = page.items.at(-1)?.sk;
    more = page.next !== undefined && page.items.length > 0;
  }
  const items = found.slice(0, limit).map(toAct);
  return { items, next: found.length > limit ? items.at(-1)?.id : undefined };
}
