import type { Organization } from '#shared/domain/organization.model.ts';
import type { OrganizationsWhere } from '#shared/ports/platform.port.ts';
import type { ListPage } from '#shared/ports/stores.port.ts';
import type { Entry, TablePort } from '#shared/ports/table.port.ts';
import { indexKeys, LIST_SHARDS, shards } from '#shared/store/keys.ts';
import { toOrganization } from '#shared/store/organization.entity.ts';
import { entriesOf } from '#shared/store/record-list-entries.ts';
import type { Source } from '#shared/store/record-list-source.ts';

/** The store reads up to 100 items at once. */
const AT_ONCE = 100;

/** Newest first: the shards of the narrowest index, merged. It costs what is on the page, and keys for what the offset skips. */
export async function listOrganizations(table: TablePort, where: OrganizationsWhere): Promise<ListPage<Organization>> {
  const { limit, offset, cursor, kyc } = where;
  const onPage: Entry[] = [];
  for await (const entry of entriesOf(table, sourceOf(kyc), { before: cursor, floor: '', skip: offset, wanted: offset + limit + 1 })) {
    onPage.push(entry);
    if (onPage.length > limit) break;
  }
  const items = await readAll(table, onPage.slice(0, limit));
  // An entry is late: the verdict may be another one since.
  const fits = (organization: Organization) => kyc === undefined || organization.kyc === kyc;
  return { items: items.filter(fits), next: onPage.length > limit ? onPage[limit - 1]?.at : undefined };
}

const sourceOf = (kyc: Organization['kyc'] | undefined): Source => ({
  index: kyc === undefined ? 'list' : 'status',
  partitions: shards(LIST_SHARDS).map((n) => (kyc === undefined ? indexKeys.organizations(n) : indexKeys.organizationsBy(kyc, n))),
  exact: true,
});

async function readAll(table: TablePort, entries: readonly Entry[]): Promise<readonly Organization[]> {
  const found: Organization[] = [];
  for (let from = 0; from < entries.length; from += AT_ONCE) {
    const items = await table.getMany(entries.slice(from, from + AT_ONCE).map(({ pk, sk }) => ({ pk, sk })));
    found.push(...items.flatMap((item) => (item ? [toOrganization(item)] : [])));
  }
  return found;
}
