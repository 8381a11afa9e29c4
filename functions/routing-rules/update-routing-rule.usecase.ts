import type { UpdateRoutingRuleInput } from '#functions/routing-rules/routing-rules.schema.ts';
import { refuseUnknown } from '#functions/routing-rules/rule-written.ts';
import { storedRule } from '#functions/routing-rules/stored-rule.ts';
import type { RoutingRule } from '#shared/domain/routing-rule.model.ts';
import { AppError } from '#shared/kernel/errors.ts';
import type { Caller } from '#shared/ports/caller.ts';
import type { Deps } from '#shared/ports/deps.ts';

const ROUNDS = 10;

/** What is not sent stays; decided again on what won a race. */
export async function updateRoutingRule(
  { id, ...wish }: UpdateRoutingRuleInput & { readonly id: string },
  caller: Caller,
  deps: Pick<Deps, 'routingRules' | 'clock'>,
): Promise<RoutingRule> {
  for (let round = 0; round < ROUNDS; round += 1) {
    const before = await storedRule(id, caller, deps);
    const after: RoutingRule = { ...before, ...wish, updated_at: deps.clock.now().toISOString(), version: before.version + 1 };
    const written = await deps.routingRules.replace(before, after);
    refuseUnknown(written);
    if (written === 'done') return after;
  }
  throw new AppError('write_conflict', `Others are changing ${id} right now. Please try again.`);
}
