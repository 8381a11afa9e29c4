import { deleteDefinition } from '#functions/workflows/delete-definition.ts';
import { MISSING } from '#functions/workflows/templates/stored-template.ts';
import type { Definitions } from '#shared/domain/workflows/workflow.model.ts';
import { refuseUsedTemplate } from '#shared/domain/workflows/workflow-definitions.rules.ts';
import type { Caller } from '#shared/ports/caller.ts';
import type { Deps } from '#shared/ports/deps.ts';

/**
 * Not while a rule or a connection runs it. Connections are read after the definitions, which whoever has one name the
 * template changes too. Executions that have begun go on with the version they began with.
 */
export function deleteTemplate(
  { id }: { readonly id: string },
  caller: Caller,
  deps: Pick<Deps, 'workflows' | 'organizations'>,
) {
  const refuse = async ({ rules }: Definitions) =>
    refuseUsedTemplate(id, rules, (await deps.organizations.setup(caller.orgId)).connections);
  return deleteDefinition(
    id,
    { kind: 'template', idKind: 'template', among: ({ templates }) => templates, missing: MISSING, refuse },
    caller,
    deps,
  );
}
