import type { RetryPolicy } from '#shared/domain/retry-policy.model.ts';
import type { Caller } from '#shared/ports/caller.ts';
import type { Deps } from '#shared/ports/deps.ts';

export const listRetryPolicies = (_: unknown, caller: Caller, { retryPolicies }: Pick<Deps, 'retryPolicies'>): Promise<readonly RetryPolicy[]> =>
  retryPolicies.list(caller.orgId);
