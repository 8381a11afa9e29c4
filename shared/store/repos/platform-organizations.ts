import type { Organization } from '#shared/domain/accounts/organization.model.ts';
import type { ListPage } from '#shared/ports/list-page.port.ts';
import type { OrganizationsWhere } from '#shared/ports/platform.port.ts';
import type { Entry, TablePort } from '#shared/ports/table.port.ts';
import { getAll } from '#shared/store/get-all.ts';
import { indexKeys, LIST_SHARDS, shards } from '#shared/store/keys.ts';
import { entriesOf } from '#shared/store/record-list-entries.ts';
import type { Source } from '#shared/store/record-list-source.ts';
import { toOrganization } from '#shared/store/repos/organization.entity.ts';

/** Newest first: merges the shards of the narrowest index. Costs the page, and keys for the skipped offset. */
export async function listOrganizations(table: TablePort, where: OrganizationsWhere): Promise<ListPage<Organization>> {
  const { limit, offset, cursor, kyc } = where;
  const onPage: Entry[] = [];
  for await (const entry of entriesOf(table, sourceOf(kyc), {
    before: cursor,
    floor: '',
    skip: offset,
    wanted: offset + limit + 1,
  })) {
    onPage.push(entry);
    if (onPage.length > limit) break;
  }
  const found = await getAll(table, onPage.slice(0, limit));
  // Entries lag: the KYC state may have changed since.
  const fits = (organization: Organization) => kyc === undefined || organization.kyc === kyc;
  return {
    items: found.flatMap((item) => (item ? [toOrganization(item)] : [])).filter(fits),
    next: onPage.length > limit ? onPage[limit - 1]?.at : undefined,
  };
}

const sourceOf = (kyc: Organization['kyc'] | undefined): Source => ({
  index: kyc === undefined ? 'list' : 'status',
  partitions: shards(LIST_SHARDS).map((n) =>
    kyc === undefined ? indexKeys.organizations(n) : indexKeys.organizationsBy(kyc, n),
  ),
  exact: true,
});
