import type { ChangeAgentLimitsInput } from '#functions/agents/agents.schema.ts';
import { changedLimits } from '#shared/domain/accounts/agent.rules.ts';
import { describeAgentLimits, organizationAuditEntry } from '#shared/domain/accounts/organization-audit.rules.ts';
import { retryOnConflict } from '#shared/kernel/retry-on-conflict.ts';
import type { Caller } from '#shared/ports/caller.ts';
import type { Deps } from '#shared/ports/deps.ts';

type LimitDeps = Pick<Deps, 'agents'>;

/** Without limits of its own, an organization is asked about everything that its agents want to move. */
export async function getAgentLimits(_: unknown, { orgId }: Caller, { agents }: LimitDeps) {
  return { daily: await (await agents()).limits(orgId) };
}

/**
 * Takes effect with the next request; what was let through within a day still counts. Of two changes at once, the second
 * starts from what the first has made.
 */
export async function changeAgentLimits(
  { daily: changes }: ChangeAgentLimitsInput,
  caller: Caller,
  { agents }: LimitDeps,
) {
  const { orgId, operation } = caller;
  const store = await agents();
  return retryOnConflict(async () => {
    const before = await store.limits(orgId);
    const daily = changedLimits(before, changes);
    // Also a repeat of a request whose process crashed: its audit entry stands, and would lose what was before.
    if (!daily) return { daily: before };
    const audit = organizationAuditEntry(describeAgentLimits(orgId, before, daily), caller, operation);
    return (await store.saveLimits(orgId, before, daily, audit)) ? { daily } : undefined;
  }, 'These limits are being changed by other requests. Try again.');
}
