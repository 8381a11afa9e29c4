import { changeDefinitions } from '#functions/workflows/change-definitions.ts';
import type { CreateTemplateInput } from '#functions/workflows/templates/templates.schema.ts';
import type { Template } from '#shared/domain/workflows/workflow.model.ts';
import { refuseBeyondMost, refuseSteps } from '#shared/domain/workflows/workflow-definitions.rules.ts';
import { refuseForeignSteps } from '#shared/domain/workflows/workflow-scopes.rules.ts';
import { Answer } from '#shared/http/route.ts';
import { operationId } from '#shared/kernel/operation.ts';
import type { Caller } from '#shared/ports/caller.ts';
import type { Deps } from '#shared/ports/deps.ts';

/**
 * Its steps may do what the caller may. The same operation makes the same template, however often it is tried. No rule
 * names it yet, so that none loops by it.
 */
export async function createTemplate(
  { name, steps }: CreateTemplateInput,
  caller: Caller,
  deps: Pick<Deps, 'workflows'>,
) {
  const { orgId, operation } = caller;
  const [id, at] = [operationId(operation, 'template'), operation.at.toISOString()];
  const made: Template = { id, org_id: orgId, name, steps, version: 1, created_at: at, updated_at: at };
  const template = await changeDefinitions<Template>(
    orgId,
    ({ templates, integrations }) => {
      const stands = templates.find((each) => each.id === id);
      if (stands) return { answer: stands };
      refuseForeignSteps(made.steps, caller);
      refuseBeyondMost(templates, 'workflow templates');
      refuseSteps(made.steps, integrations);
      return { answer: made, change: { kind: 'template', save: made } };
    },
    deps,
  );
  return new Answer(template, { location: `/v1/workflows/templates/${id}` });
}
