import { changeDefinitions, deleteDefinition } from '#functions/workflows/change-definitions.ts';
import { assertRuleAllowed, assertRuleFits, MISSING, ruleIn } from '#functions/workflows/rules/get-rules.usecase.ts';
import type { CreateRuleInput, UpdateRuleInput } from '#functions/workflows/rules/rules.schema.ts';
import type { WorkflowRule } from '#shared/domain/workflows/workflow.model.ts';
import { assertBelowLimit, startsNewRuns } from '#shared/domain/workflows/workflow-definitions.rules.ts';
import { operationId } from '#shared/kernel/operation.ts';
import type { Caller } from '#shared/ports/caller.ts';
import type { Deps } from '#shared/ports/deps.ts';

/** A retry of the same operation finds the rule that it created. */
export async function createRule(input: CreateRuleInput, caller: Caller, deps: Pick<Deps, 'workflows'>) {
  const { orgId, operation } = caller;
  const [id, at] = [operationId(operation, 'workflowRule'), operation.at.toISOString()];
  const defaults = { condition: null, enabled: true, priority: 0 };
  const created: WorkflowRule = {
    ...defaults,
    ...input,
    id,
    org_id: orgId,
    created_at: at,
    updated_at: at,
    version: 1,
    counts_since: at,
  };
  const rule = await changeDefinitions<WorkflowRule>(
    orgId,
    (definitions) => {
      const existing = definitions.rules.find((each) => each.id === id);
      if (existing) return { result: existing };
      assertRuleAllowed(created, definitions, caller);
      assertBelowLimit(definitions.rules, 'workflow rules');
      assertRuleFits(created, definitions, true);
      return { result: created, change: { kind: 'rule', save: created } };
    },
    deps,
  );
  return rule;
}

/**
 * Fields that are not sent stay. If the change starts new runs, the caller needs the scopes of what it runs, and the rule
 * applies to events from now on.
 */
export function updateRule(
  { id, ...input }: UpdateRuleInput & { readonly id: string },
  caller: Caller,
  deps: Pick<Deps, 'workflows' | 'clock'>,
): Promise<WorkflowRule> {
  return changeDefinitions<WorkflowRule>(
    caller.orgId,
    (definitions) => {
      const before = ruleIn(definitions.rules, id);
      const at = deps.clock.now().toISOString();
      const changed: WorkflowRule = { ...before, ...input, updated_at: at, version: before.version + 1 };
      const isNew = startsNewRuns(before, changed);
      const after = isNew ? { ...changed, counts_since: at } : changed;
      if (isNew) assertRuleAllowed(after, definitions, caller);
      assertRuleFits(after, definitions, isNew);
      return { result: after, change: { kind: 'rule', save: after } };
    },
    deps,
  );
}

/** Executions that the rule has started continue, and keep its id. */
export const deleteRule = ({ id }: { readonly id: string }, caller: Caller, deps: Pick<Deps, 'workflows'>) =>
  deleteDefinition(
    id,
    {
      kind: 'rule',
      idKind: 'workflowRule',
      listIn: ({ rules }) => rules,
      missing: MISSING,
      assertUnused: () => undefined,
    },
    caller,
    deps,
  );
