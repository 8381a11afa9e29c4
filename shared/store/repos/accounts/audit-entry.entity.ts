import type { OrganizationAuditEntry } from '#shared/domain/accounts/organization-audit.rules.ts';
import type { ListPage } from '#shared/domain/reference/page.rules.ts';
import { fromItem } from '#shared/store/from-item.ts';
import { keys } from '#shared/store/keys.ts';
import type { Item, TablePort, Write } from '#shared/store/table/table.port.ts';

/** Part of the transaction with the audited change. */
export const auditWrite = (entry: OrganizationAuditEntry): Write => ({
  put: {
    ...keys.organizationAuditEntry(entry.org_id, entry.id),
    item_type: 'organization_audit',
    ...(entry as unknown as Item),
  },
});

type EntriesQuery = { readonly limit: number; readonly offset: number; readonly cursor?: string | undefined };

const MAX_READ = 1_000;

/** The entries of one partition, newest first, as their sort keys sort. */
export async function listAuditEntries<T>(
  table: TablePort,
  partition: string,
  { limit, offset, cursor }: EntriesQuery,
): Promise<ListPage<T>> {
  const found: Item[] = [];
  let [skip, below, more] = [offset, cursor, true];
  while (more && found.length <= limit) {
    const wanted = Math.min(MAX_READ, skip + limit + 1 - found.length);
    const page = await table.query({
      pk: partition,
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
  const items = found.slice(0, limit).map((item) => fromItem<T>(item));
  return { items, next: found.length > limit ? found[limit - 1]?.sk : undefined };
}
