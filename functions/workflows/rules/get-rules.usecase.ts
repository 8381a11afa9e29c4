import type { ListRulesInput } from '#functions/workflows/rules/rules.schema.ts';
import { pageOf } from '#shared/domain/reference/page.rules.ts';
import type { Definitions, WorkflowRule } from '#shared/domain/workflows/workflow.model.ts';
import {
  assertFits,
  assertNoLoops,
  assertRulesPerEvent,
  withRecord,
} from '#shared/domain/workflows/workflow-definitions.rules.ts';
import {
  assertConditionScope,
  assertReadScopes,
  assertStepScopes,
} from '#shared/domain/workflows/workflow-scopes.rules.ts';
import { invalidFields, orNotFound } from '#shared/kernel/errors.ts';
import type { Caller } from '#shared/ports/caller.ts';
import type { Deps } from '#shared/ports/deps.ts';

export const getRule = async (
  { id }: { readonly id: string },
  { orgId }: Caller,
  { workflows }: Pick<Deps, 'workflows'>,
): Promise<WorkflowRule> => ruleIn(await workflows.rules(orgId), id);

export const MISSING = 'There is no such workflow rule.';

export const ruleIn = (rules: readonly WorkflowRule[], id: string): WorkflowRule =>
  orNotFound(
    rules.find((each) => each.id === id),
    MISSING,
  );

/**
 * A rule must fit the other definitions. A change that starts no new runs skips the check of its events, so that an
 * older rule can always be disabled.
 */
export function assertRuleFits(rule: WorkflowRule, { rules, templates }: Definitions, startsNewRuns: boolean): void {
  if (!templates.some(({ id }) => id === rule.template_id))
    throw invalidFields([{ path: 'template_id', message: 'There is no such workflow template.' }]);
  if (startsNewRuns) assertFits(rule, templates);
  assertRulesPerEvent(rule, rules);
  assertNoLoops({ templates, rules: withRecord(rules, rule) });
}

/**
 * The caller who saves a rule needs the scopes of the steps that it runs, and to read its events where the rule does. A
 * missing template is reported elsewhere.
 */
export function assertRuleAllowed(
  { event, condition, template_id }: WorkflowRule,
  { templates }: Definitions,
  caller: Caller,
): void {
  const steps = templates.find(({ id }) => id === template_id)?.steps ?? [];
  assertStepScopes(steps, caller);
  assertReadScopes([event], steps, caller);
  assertConditionScope(event, condition, caller);
}

export async function listRules(query: ListRulesInput, { orgId }: Caller, { workflows }: Pick<Deps, 'workflows'>) {
  return pageOf(await workflows.rules(orgId), query, ({ id }) => id);
}
