import { changeDefinitions } from '#functions/workflows/change-definitions.ts';
import { templateIn } from '#functions/workflows/templates/stored-template.ts';
import type { UpdateTemplateInput } from '#functions/workflows/templates/templates.schema.ts';
import type { Template } from '#shared/domain/workflows/workflow.model.ts';
import {
  faultsOfConnection,
  refuseLoops,
  refuseMisfitSteps,
  refuseSteps,
  saysTheSame,
  withRecord,
} from '#shared/domain/workflows/workflow-definitions.rules.ts';
import { refuseForeignSteps } from '#shared/domain/workflows/workflow-scopes.rules.ts';
import type { Caller } from '#shared/ports/caller.ts';
import type { Deps } from '#shared/ports/deps.ts';

type Needs = Pick<Deps, 'workflows' | 'organizations' | 'clock'>;

/**
 * What is not sent stays; decided again on what won a race. What changes nothing makes no version: a repeat after a
 * crash makes none.
 */
export function updateTemplate(
  { id, ...wish }: UpdateTemplateInput & { readonly id: string },
  caller: Caller,
  deps: Needs,
): Promise<Template> {
  return changeDefinitions<Template>(
    caller.orgId,
    async ({ templates, integrations, rules }) => {
      const before = templateIn(templates, id);
      const wished: Template = { ...before, ...wish };
      if (saysTheSame(wished, before)) return { answer: before };
      const after: Template = { ...wished, version: before.version + 1, updated_at: deps.clock.now().toISOString() };
      if (wish.steps) {
        refuseForeignSteps(after.steps, caller);
        refuseSteps(after.steps, integrations);
        refuseMisfitSteps(after, rules, await runningConnections(after, caller, deps));
      }
      refuseLoops({ rules, templates: withRecord(templates, after) });
      return { answer: after, change: { kind: 'template', save: after } };
    },
    deps,
  );
}

/** Nobody is looked for where the steps fit any connection. */
async function runningConnections({ id, steps }: Template, { orgId }: Caller, { organizations }: Needs) {
  if (faultsOfConnection(steps).length === 0) return [];
  return (await organizations.setup(orgId)).connections.filter(({ workflow_id }) => workflow_id === id);
}
