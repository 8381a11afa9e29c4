import type { Organization } from '#shared/domain/accounts/organization.model.ts';
import { creationPosition } from '#shared/domain/reference/page.rules.ts';
import { shardOf } from '#shared/kernel/ids.ts';
import { indexKeys, keys, LIST_SHARDS } from '#shared/store/keys.ts';
import type { Condition, Item, ItemChange } from '#shared/store/table/table.port.ts';

/** Also indexed in the list of all organizations, and by KYC state, for the platform's administrators. */
export const organizationItem = (organization: Organization): Item => ({
  ...keys.organization(organization.id),
  item_type: 'organization',
  ...organization,
  list_pk: indexKeys.organizations(shardOf(organization.id, LIST_SHARDS)),
  list_sk: creationPosition(organization),
  ...kycEntry(organization),
});

/** Partial writes use this, so that the lists' index keys stay correct. Each of them goes through `writeSetup`. */
export const organizationChange = (
  before: Organization,
  changed: Partial<Omit<Organization, 'id' | 'created_at'>>,
): ItemChange => ({
  set: { ...changed, ...(changed.kyc && kycEntry({ ...before, kyc: changed.kyc })) },
});

const kycEntry = (organization: Organization) => ({
  status_pk: indexKeys.organizationsByKyc(organization.kyc, shardOf(organization.id, LIST_SHARDS)),
  status_sk: creationPosition(organization),
});

export const toOrganization = (item: Item): Organization => {
  const { id, name, legal_name, requested_legal_name, kyc, plan, created_at, renamed_by, settings, capacity, rate } =
    item as unknown as Organization;
  const { quarantined_at } = item as unknown as Organization;
  const added = {
    ...(requested_legal_name && { requested_legal_name }),
    ...(renamed_by && { renamed_by }),
    ...(settings && { settings }),
    ...(capacity && { capacity }),
    ...(rate && { rate }),
    ...(quarantined_at && { quarantined_at }),
  };
  return { id, name, legal_name, kyc, plan, created_at, ...added };
};

/** Organizations of an older release have no such attribute. */
export const sameRequestedName = ({ requested_legal_name: name = null }: Organization): Condition =>
  name === null
    ? { any: [{ absent: 'requested_legal_name' }, { eq: ['requested_legal_name', null] }] }
    : { eq: ['requested_legal_name', name] };
