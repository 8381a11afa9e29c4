import type { SaveRetryPolicyInput } from '#functions/policies/retry-policy.schema.ts';
import { type RetryPolicy, USUAL_RETRIES } from '#shared/domain/billing/retry-policy.model.ts';
import { inRounds } from '#shared/kernel/rounds.ts';
import type { Caller } from '#shared/ports/caller.ts';
import type { Deps } from '#shared/ports/deps.ts';

/** It applies from the next failure on: a retry that is scheduled already stays. */
export function saveRetryPolicy(
  { plan_id, delays, max_retries }: SaveRetryPolicyInput,
  { orgId }: Caller,
  { retryPolicies, clock }: Pick<Deps, 'retryPolicies' | 'clock'>,
): Promise<RetryPolicy> {
  return inRounds(async () => {
    const [before, at] = [await retryPolicies.get(orgId, plan_id), clock.now().toISOString()];
    const current = before ?? { ...USUAL_RETRIES, created_at: at, version: 0 };
    const after: RetryPolicy = {
      org_id: orgId,
      plan_id,
      delays: delays ?? current.delays,
      max_retries: max_retries ?? current.max_retries,
      created_at: current.created_at,
      updated_at: at,
      version: current.version + 1,
    };
    return (await retryPolicies.save(before, after)) ? after : undefined;
  }, 'Others are changing this retry policy right now. Please try again.');
}
