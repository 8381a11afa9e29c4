import type { Organization } from '#shared/domain/accounts/organization.model.ts';
import { shardOf } from '#shared/kernel/ids.ts';
import type { Change, Item } from '#shared/ports/table.port.ts';
import { indexKeys, keys, LIST_SHARDS } from '#shared/store/keys.ts';

/** Also indexed in the list of all organizations, and by KYC state, for the platform's administrators. */
export const organizationItem = (organization: Organization): Item => ({
  ...keys.organization(organization.id),
  item_type: 'organization',
  ...organization,
  list_pk: indexKeys.organizations(shardOf(organization.id, LIST_SHARDS)),
  list_sk: placeOf(organization),
  ...verdictEntry(organization),
});

/** Partial writes go through this, so that the lists' index keys stay in step. */
export const organizationChange = (
  before: Organization,
  changed: Partial<Omit<Organization, 'id' | 'created_at'>>,
): Change => ({
  set: { ...changed, ...(changed.kyc && verdictEntry({ ...before, kyc: changed.kyc })) },
});

const verdictEntry = (organization: Organization) => ({
  status_pk: indexKeys.organizationsBy(organization.kyc, shardOf(organization.id, LIST_SHARDS)),
  status_sk: placeOf(organization),
});

const placeOf = ({ created_at, id }: Organization): string => `${created_at}#${id}`;

export const toOrganization = (item: Item): Organization => {
  const { id, name, legal_name, kyc, plan, created_at } = item as unknown as Organization;
  return { id, name, legal_name, kyc, plan, created_at };
};
