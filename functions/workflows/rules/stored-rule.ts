import type { Definitions, WorkflowRule } from '#shared/domain/workflows/workflow.model.ts';
import {
  refuseBeyondMostOfAnEvent,
  refuseLoops,
  refuseMisfit,
  withRecord,
} from '#shared/domain/workflows/workflow-definitions.rules.ts';
import { refuseForeignSteps } from '#shared/domain/workflows/workflow-scopes.rules.ts';
import { invalidFields, need } from '#shared/kernel/errors.ts';
import type { Caller } from '#shared/ports/caller.ts';

export const MISSING = 'There is no such workflow rule.';

export const ruleIn = (rules: readonly WorkflowRule[], id: string): WorkflowRule =>
  need(
    rules.find((each) => each.id === id),
    MISSING,
  );

/**
 * What a rule must agree with. One that runs nothing it did not run before may stay as it fits its events, if only to
 * be turned off.
 */
export function refuseRule(rule: WorkflowRule, { rules, templates }: Definitions, runsAnew: boolean): void {
  if (!templates.some(({ id }) => id === rule.template_id))
    throw invalidFields([{ path: 'template_id', message: 'There is no such workflow template.' }]);
  if (runsAnew) refuseMisfit(rule, templates);
  refuseBeyondMostOfAnEvent(rule, rules);
  refuseLoops({ templates, rules: withRecord(rules, rule) });
}

/** It runs a template, and so does what the template's steps do. One that there is not is a fault of another kind. */
export function refuseForeignTemplate({ template_id }: WorkflowRule, { templates }: Definitions, caller: Caller): void {
  refuseForeignSteps(templates.find(({ id }) => id === template_id)?.steps ?? [], caller);
}
