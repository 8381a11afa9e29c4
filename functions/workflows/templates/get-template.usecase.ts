import { MISSING } from '#functions/workflows/templates/stored-template.ts';
import type { Template } from '#shared/domain/workflows/workflow.model.ts';
import { need } from '#shared/kernel/errors.ts';
import type { Caller } from '#shared/ports/caller.ts';
import type { Deps } from '#shared/ports/deps.ts';

export const getTemplate = async (
  { id }: { readonly id: string },
  { orgId }: Caller,
  { workflows }: Pick<Deps, 'workflows'>,
): Promise<Template> => need(await workflows.template(orgId, id), MISSING);
