import * as z from 'zod';
import { KYC_STATUSES } from '#shared/domain/accounts/organization.model.ts';
import { PLAN_NAMES } from '#shared/domain/accounts/plans.catalog.ts';
import { SCOPES } from '#shared/domain/reference/access.catalog.ts';
import { newId } from '#shared/kernel/ids.ts';
import { unkeyedOperation } from '#shared/kernel/operation.ts';
import type { Deps } from '#shared/ports/deps.ts';
import { issueApiKey } from '#shared/services/accounts/issue-api-key.service.ts';
import { randomSecretBytes } from '#shared/services/accounts/new-secret.service.ts';

/** What `POST /organizations` takes. */
export const NewOrganization = z.strictObject({
  name: z.string().min(1).max(200),
  legal_name: z.string().min(1).max(200).nullable(),
  kyc: z.enum(KYC_STATUSES).default('approved'),
  plan: z.enum(PLAN_NAMES).default('scale'),
});
export type NewOrganization = z.output<typeof NewOrganization>;

/** Another organization, with a service key that may do everything. */
export async function createOrganization(
  input: NewOrganization,
  deps: Pick<Deps, 'organizations' | 'keys' | 'clock' | 'config'>,
) {
  const at = deps.clock.now();
  const org_id = newId('organization', at);
  await deps.organizations.create({ id: org_id, ...input, created_at: at.toISOString() });
  const { text } = await issueApiKey(
    { org_id, name: 'Service key', kind: 'service', scopes: SCOPES },
    unkeyedOperation(at),
    randomSecretBytes(),
    deps,
  );
  return { org_id, key: text.reveal() };
}
