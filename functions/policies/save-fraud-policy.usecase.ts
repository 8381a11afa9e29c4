import type { SaveFraudPolicyInput } from '#functions/policies/fraud-policy.schema.ts';
import { type FraudPolicy, NO_POLICY } from '#shared/domain/routing/fraud-policy.model.ts';
import { invalidFields } from '#shared/kernel/errors.ts';
import { inRounds } from '#shared/kernel/rounds.ts';
import type { Caller } from '#shared/ports/caller.ts';
import type { Deps } from '#shared/ports/deps.ts';

/** The limit on size: every payment reads the policy. */
const MOST_BYTES = 100_000;

/** It applies from the next payment on; payments on their way are not screened again. */
export function saveFraudPolicy(
  input: SaveFraudPolicyInput,
  caller: Caller,
  { fraudPolicies, clock }: Pick<Deps, 'fraudPolicies' | 'clock'>,
): Promise<FraudPolicy> {
  return inRounds(async () => {
    const before = await fraudPolicies.get(caller.orgId);
    const current = before ?? NO_POLICY;
    const after: FraudPolicy = {
      ...current,
      ...input,
      updated_at: clock.now().toISOString(),
      version: current.version + 1,
    };
    refuseTooLong(input, after);
    return (await fraudPolicies.save(caller.orgId, before, after)) ? after : undefined;
  }, 'Others are changing the fraud policy right now. Please try again.');
}

function refuseTooLong(input: SaveFraudPolicyInput, after: FraudPolicy): void {
  const grown = (['blocked', 'allowed'] as const).filter((list) => input[list] !== undefined);
  if (grown.length === 0 || Buffer.byteLength(JSON.stringify(after)) <= MOST_BYTES) return;
  throw invalidFields(
    grown.map((path) => ({ path, message: `All lists together may have up to ${MOST_BYTES} bytes.` })),
  );
}
