import type { Organization } from '#shared/domain/accounts/organization.model.ts';
import { idFrom } from '#shared/kernel/ids.ts';
import type { Deps } from '#shared/ports/deps.ts';

type Needs = Pick<Deps, 'organizations' | 'clock'>;
type Wish = Pick<Organization, 'name' | 'legal_name'>;

/** The id holds no time: each try must make the same one. */
const NO_TIME = new Date(0);

/**
 * The organization derived from `bits`: an earlier try's, or a new one. It is the operator's own, so it is verified and
 * on the largest plan.
 */
export async function foundOrganization(
  bits: Uint8Array,
  { name, legal_name }: Wish,
  { organizations, clock }: Needs,
): Promise<Organization> {
  const id = idFrom('organization', NO_TIME, bits);
  const stored = (await organizations.setup(id)).organization;
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
