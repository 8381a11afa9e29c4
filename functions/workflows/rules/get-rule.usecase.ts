import { ruleIn } from '#functions/workflows/rules/stored-rule.ts';
import type { WorkflowRule } from '#shared/domain/workflows/workflow.model.ts';
import type { Caller } from '#shared/ports/caller.ts';
import type { Deps } from '#shared/ports/deps.ts';

export const getRule = async (
  { id }: { readonly id: string },
  { orgId }: Caller,
  { workflows }: Pick<Deps, 'workflows'>,
): Promise<WorkflowRule> => ruleIn(await workflows.rules(orgId), id);
