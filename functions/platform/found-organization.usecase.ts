import type { Organization } from '#shared/domain/organization.model.ts';
import { idFrom } from '#shared/kernel/ids.ts';
import type { Deps } from '#shared/ports/deps.ts';

type Needs = Pick<Deps, 'organizations' | 'clock'>;
type Wish = Pick<Organization, 'name' | 'legal_name'>;

/** The id tells no time: it must be the same one at every try. */
const NO_TIME = new Date(0);

/**
 * The organization that follows from `bits`: the one that an earlier try made, or a new one. Whoever runs the service
 * makes it, and vouches for it thereby: it is verified, and of the largest plan.
 */
export async function foundOrganization(bits: Uint8Array, { name, legal_name }: Wish, { organizations, clock }: Needs): Promise<Organization> {
  const id = idFrom('organization', NO_TIME, bits);
  const stored = (await organizations.setup(id)).organization;
  if (stored) return stored;
  const organization: Organization = { id, name, legal_name, kyc: 'approved', plan: 'scale', created_at: clock.now().toISOString() };
  return organizations.create(organization);
}
