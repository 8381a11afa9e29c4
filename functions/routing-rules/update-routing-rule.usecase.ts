import type { UpdateRoutingRuleInput } from '#functions/routing-rules/routing-rules.schema.ts';
import { refuseUnknown } from '#functions/routing-rules/rule-written.ts';
import { storedRule } from '#functions/routing-rules/stored-rule.ts';
import type { RoutingRule } from '#shared/domain/routing/routing-rule.model.ts';
import { inRounds } from '#shared/kernel/rounds.ts';
import type { Caller } from '#shared/ports/caller.ts';
import type { Deps } from '#shared/ports/deps.ts';

/** Fields that are not sent stay; a lost race decides again on the newer state. */
export function updateRoutingRule(
  { id, ...wish }: UpdateRoutingRuleInput & { readonly id: string },
  caller: Caller,
  deps: Pick<Deps, 'routingRules' | 'clock'>,
): Promise<RoutingRule> {
  return inRounds(async () => {
    const before = await storedRule(id, caller, deps);
    const after: RoutingRule = {
      ...before,
      ...wish,
      updated_at: deps.clock.now().toISOString(),
      version: before.version + 1,
    };
    const written = await deps.routingRules.replace(before, after);
    refuseUnknown(written);
    return written === 'done' ? after : undefined;
  }, `Others are changing ${id} right now. Please try again.`);
}
