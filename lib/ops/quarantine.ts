import { type Operator, operatorEntry } from '#lib/ops/audit.ts';
import type { OpsDeps, OpsResult } from '#lib/ops/ops-host.ts';
import { requireOrganization } from '#lib/recovery/walk-records.ts';

/**
 * Stops an organization, or lets it go on. While it is stopped no key of it works, its members can only look, and
 * nothing of it is charged: no payment, retry, link or renewal. Money under way still settles: callbacks, look-ups and
 * deliveries go on, because a charge that the provider has made must not be forgotten.
 */
export async function quarantine(
  orgId: string,
  release: boolean,
  operator: Operator | undefined,
  { organizations, platform, clock }: Pick<OpsDeps, 'organizations' | 'platform' | 'clock'>,
): Promise<OpsResult> {
  const before = await requireOrganization(orgId, { organizations });
  const { name, quarantined_at = null } = before;
  const at = clock.now();
  const isThere = release ? quarantined_at === null : quarantined_at !== null;
  const after = release ? null : at.toISOString();
  const data = { org_id: orgId, name, quarantined_at: isThere || !operator ? quarantined_at : after };
  if (isThere)
    return {
      text: `${orgId} (${name}) ${release ? 'is not stopped' : `has been stopped since ${quarantined_at}`}.\n`,
      data,
    };
  if (!operator) return { text: `Would ${release ? 'release' : 'stop'} ${orgId} (${name}).\n`, data };
  const action = release ? 'organization_released' : 'organization_quarantined';
  const changes = { quarantined_at: { from: quarantined_at, to: after } };
  const entry = operatorEntry({ action, organization: before, changes }, operator, at);
  if (!(await platform.operate(entry, { before, quarantined_at: after })))
    throw new Error('The organization was changed at the same time. Nothing was written. Try again.');
  return { text: `${orgId} (${name}) is ${release ? 'released' : 'stopped'}.\n`, data };
}
