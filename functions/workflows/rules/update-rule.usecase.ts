import { changeDefinitions } from '#functions/workflows/change-definitions.ts';
import type { UpdateRuleInput } from '#functions/workflows/rules/rules.schema.ts';
import { refuseForeignTemplate, refuseRule, ruleIn } from '#functions/workflows/rules/stored-rule.ts';
import type { WorkflowRule } from '#shared/domain/workflows/workflow.model.ts';
import { runsAnew } from '#shared/domain/workflows/workflow-definitions.rules.ts';
import type { Caller } from '#shared/ports/caller.ts';
import type { Deps } from '#shared/ports/deps.ts';

/**
 * What is not sent stays; decided again on what won a race. What runs by it from then on must be allowed to the caller,
 * and counts for events from then on.
 */
export function updateRule(
  { id, ...wish }: UpdateRuleInput & { readonly id: string },
  caller: Caller,
  deps: Pick<Deps, 'workflows' | 'clock'>,
): Promise<WorkflowRule> {
  return changeDefinitions<WorkflowRule>(
    caller.orgId,
    (definitions) => {
      const before = ruleIn(definitions.rules, id);
      const at = deps.clock.now().toISOString();
      const changed: WorkflowRule = { ...before, ...wish, updated_at: at, version: before.version + 1 };
      const isNew = runsAnew(before, changed);
      const after = isNew ? { ...changed, counts_since: at } : changed;
      if (isNew) refuseForeignTemplate(after, definitions, caller);
      refuseRule(after, definitions, isNew);
      return { answer: after, change: { kind: 'rule', save: after } };
    },
    deps,
  );
}
