import type {
  ListRetryPoliciesInput,
  RetryPolicyInput,
  SaveRetryPolicyInput,
} from '#functions/policies/retry-policy.schema.ts';
import { DEFAULT_RETRY_POLICY, type RetryPolicy } from '#shared/domain/billing/retry-policy.rules.ts';
import { pageOf } from '#shared/domain/reference/page.rules.ts';
import { orNotFound } from '#shared/kernel/errors.ts';
import { retryOnConflict } from '#shared/kernel/retry-on-conflict.ts';
import type { Caller } from '#shared/ports/caller.ts';
import type { Deps } from '#shared/ports/deps.ts';

/** Only a policy saved for exactly this plan, not the one it falls back to. */
export const getRetryPolicy = async (
  { plan_id }: RetryPolicyInput,
  caller: Caller,
  { retryPolicies }: Pick<Deps, 'retryPolicies'>,
): Promise<RetryPolicy> => orNotFound(await retryPolicies.get(caller.orgId, plan_id), 'There is no such retry policy.');

/** The specification wants a bare array here, so only the `Link` header says whether there is another page. */
export async function listRetryPolicies(
  query: ListRetryPoliciesInput,
  caller: Caller,
  deps: Pick<Deps, 'retryPolicies'>,
) {
  return pageOf(
    await deps.retryPolicies.list(caller.orgId),
    query,
    ({ created_at, plan_id }) => `${created_at} ${plan_id}`,
  );
}

/** Applies from the next failed attempt on: a retry that is planned already keeps its time. */
export function saveRetryPolicy(
  { plan_id, delays, max_retries }: SaveRetryPolicyInput,
  { orgId }: Caller,
  { retryPolicies, clock }: Pick<Deps, 'retryPolicies' | 'clock'>,
): Promise<RetryPolicy> {
  return retryOnConflict(async () => {
    const before = await retryPolicies.get(orgId, plan_id);
    const at = clock.now().toISOString();
    const current = before ?? { ...DEFAULT_RETRY_POLICY, created_at: at, version: 0 };
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
  }, 'This retry policy is being changed by other requests. Try again.');
}
