import { type FraudPolicy, NO_POLICY } from '#shared/domain/routing/fraud-policy.model.ts';
import type { Caller } from '#shared/ports/caller.ts';
import type { Deps } from '#shared/ports/deps.ts';

export const getFraudPolicy = async (
  _: unknown,
  caller: Caller,
  { fraudPolicies }: Pick<Deps, 'fraudPolicies'>,
): Promise<FraudPolicy> => (await fraudPolicies.get(caller.orgId)) ?? NO_POLICY;
