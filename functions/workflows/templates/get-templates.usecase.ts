import type { ListTemplatesInput } from '#functions/workflows/templates/templates.schema.ts';
import { pageOf } from '#shared/domain/reference/page.rules.ts';
import type { Template } from '#shared/domain/workflows/workflow.model.ts';
import { orNotFound } from '#shared/kernel/errors.ts';
import type { Caller } from '#shared/ports/caller.ts';
import type { Deps } from '#shared/ports/deps.ts';

export const getTemplate = async (
  { id }: { readonly id: string },
  { orgId }: Caller,
  { workflows }: Pick<Deps, 'workflows'>,
): Promise<Template> => orNotFound(await workflows.template(orgId, id), MISSING);

export const MISSING = 'There is no such workflow template.';

export const templateIn = (templates: readonly Template[], id: string): Template =>
  orNotFound(
    templates.find((each) => each.id === id),
    MISSING,
  );

export async function listTemplates(
  query: ListTemplatesInput,
  { orgId }: Caller,
  { workflows }: Pick<Deps, 'workflows'>,
) {
  return pageOf((await workflows.definitions(orgId)).templates, query, ({ id }) => id);
}
