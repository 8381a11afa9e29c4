import type { Organization } from '#shared/domain/accounts/organization.model.ts';
import { idFrom } from '#shared/kernel/ids.ts';
import type { Deps } from '#shared/ports/deps.ts';

type CreateOrganizationInput = Pick<Organization, 'name' | 'legal_name'>;

/** The id contains no time, so that each try makes the same id. */
const NO_TIME = new Date(0);

/**
 * Creates the organization whose id derives from `bits`, or returns the one that an earlier try created. It is the
 * operator's own, so it is approved and on the largest plan.
 */
export async function createOrganization(
  bits: Uint8Array,
  { name, legal_name }: CreateOrganizationInput,
  { organizations, clock }: Pick<Deps, 'organizations' | 'clock'>,
): Promise<Organization> {
  const id = idFrom('organization', NO_TIME, bits);
  const stored = await organizations.byId(id);
  if (stored) return stored;
  const organization: Organization = {
    id,
    name,
    legal_name,
    kyc: 'approved',
    plan: 'scale',
    created_at: clock.now().toISOString(),
  };
  return organizations.create(organization);
}
