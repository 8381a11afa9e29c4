import type { SaveFraudPolicyInput } from '#functions/policies/fraud-policy.schema.ts';
import { type FraudPolicy, NO_POLICY } from '#shared/domain/routing/fraud-policy.model.ts';
import { invalidFields } from '#shared/kernel/errors.ts';
import { retryOnConflict } from '#shared/kernel/retry-on-conflict.ts';
import type { Caller } from '#shared/ports/caller.ts';
import type { Deps } from '#shared/ports/deps.ts';

export const getFraudPolicy = async (
  _: unknown,
  caller: Caller,
  { fraudPolicies }: Pick<Deps, 'fraudPolicies'>,
): Promise<FraudPolicy> => (await fraudPolicies.get(caller.orgId)) ?? NO_POLICY;

/** Every payment reads the policy, so its size is limited. */
const MAX_POLICY_BYTES = 100_000;

/** Applies from the next payment on; running payments are not screened again. */
export function saveFraudPolicy(
  input: SaveFraudPolicyInput,
  caller: Caller,
  { fraudPolicies, clock }: Pick<Deps, 'fraudPolicies' | 'clock'>,
): Promise<FraudPolicy> {
  return retryOnConflict(async () => {
    const before = await fraudPolicies.get(caller.orgId);
    const current = before ?? NO_POLICY;
    const after: FraudPolicy = {
      ...current,
      ...input,
      updated_at: clock.now().toISOString(),
      version: current.version + 1,
    };
    assertSize(input, after);
    return (await fraudPolicies.save(caller.orgId, before, after)) ? after : undefined;
  }, 'The fraud policy is being changed by other requests. Try again.');
}

function assertSize(input: SaveFraudPolicyInput, after: FraudPolicy): void {
  const changedLists = (['blocked', 'allowed'] as const).filter((list) => input[list] !== undefined);
  if (changedLists.length === 0 || Buffer.byteLength(JSON.stringify(after)) <= MAX_POLICY_BYTES) return;
  throw invalidFields(
    changedLists.map((path) => ({
      path,
      message: `All lists together must not exceed ${MAX_POLICY_BYTES} bytes. Remove some entries.`,
    })),
  );
}
