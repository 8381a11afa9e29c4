import type { RetryPolicyInput } from '#functions/policies/retry-policy.schema.ts';
import type { RetryPolicy } from '#shared/domain/billing/retry-policy.model.ts';
import { need } from '#shared/kernel/errors.ts';
import type { Caller } from '#shared/ports/caller.ts';
import type { Deps } from '#shared/ports/deps.ts';

/** The policy saved for exactly this plan; a fallback is not shown here. */
export const getRetryPolicy = async (
  { plan_id }: RetryPolicyInput,
  caller: Caller,
  { retryPolicies }: Pick<Deps, 'retryPolicies'>,
): Promise<RetryPolicy> => need(await retryPolicies.get(caller.orgId, plan_id), 'There is no such retry policy.');
