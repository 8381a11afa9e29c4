import { changeDefinitions } from '#functions/workflows/change-definitions.ts';
import type { CreateRuleInput } from '#functions/workflows/rules/rules.schema.ts';
import { refuseForeignTemplate, refuseRule } from '#functions/workflows/rules/stored-rule.ts';
import type { WorkflowRule } from '#shared/domain/workflows/workflow.model.ts';
import { refuseBeyondMost } from '#shared/domain/workflows/workflow-definitions.rules.ts';
import { Answer } from '#shared/http/route.ts';
import { operationId } from '#shared/kernel/operation.ts';
import type { Caller } from '#shared/ports/caller.ts';
import type { Deps } from '#shared/ports/deps.ts';

/** The same operation makes the same rule, however often it is tried. */
export async function createRule(input: CreateRuleInput, caller: Caller, deps: Pick<Deps, 'workflows'>) {
  const { orgId, operation } = caller;
  const [id, at] = [operationId(operation, 'workflowRule'), operation.at.toISOString()];
  const usual = { condition: null, enabled: true, priority: 0 };
  const made: WorkflowRule = {
    ...usual,
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
      const stands = definitions.rules.find((each) => each.id === id);
      if (stands) return { answer: stands };
      refuseForeignTemplate(made, definitions, caller);
      refuseBeyondMost(definitions.rules, 'workflow rules');
      refuseRule(made, definitions, true);
      return { answer: made, change: { kind: 'rule', save: made } };
    },
    deps,
  );
  return new Answer(rule, { location: `/v1/workflows/rules/${id}` });
}
