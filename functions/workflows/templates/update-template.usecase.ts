import { changeDefinitions } from '#functions/workflows/change-definitions.ts';
import { templateIn } from '#functions/workflows/templates/stored-template.ts';
import type { UpdateTemplateInput } from '#functions/workflows/templates/templates.schema.ts';
import type { Template } from '#shared/domain/workflow.model.ts';
import { refuseLoops, refuseSteps, saysTheSame, withRecord } from '#shared/domain/workflow-definitions.rules.ts';
import { refuseForeignSteps } from '#shared/domain/workflow-scopes.rules.ts';
import type { Caller } from '#shared/ports/caller.ts';
import type { Deps } from '#shared/ports/deps.ts';

/** What is not sent stays; decided again on what won a race. What changes nothing makes no version: a repeat after a crash makes none. */
export function updateTemplate(
  { id, ...wish }: UpdateTemplateInput & { readonly id: string },
  caller: Caller,
  deps: Pick<Deps, 'workflows' | 'clock'>,
): Promise<Template> {
  return changeDefinitions<Template>(
    caller.orgId,
    ({ templates, integrations, rules }) => {
      const before = templateIn(templates, id);
      const wished: Template = { ...before, ...wish };
      if (saysTheSame(wished, before)) return { answer: before };
      const after: Template = { ...wished, version: before.version + 1, updated_at: deps.clock.now().toISOString() };
      if (wish.steps) {
        refuseForeignSteps(after.steps, caller);
        refuseSteps(after.steps, integrations);
      }
      refuseLoops({ rules, templates: withRecord(templates, after) });
      return { answer: after, change: { kind: 'template', save: after } };
    },
    deps,
  );
}
