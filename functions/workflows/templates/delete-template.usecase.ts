import { deleteDefinition } from '#functions/workflows/delete-definition.ts';
import { MISSING } from '#functions/workflows/templates/stored-template.ts';
import { refuseUsedTemplate } from '#shared/domain/workflow-definitions.rules.ts';
import type { Caller } from '#shared/ports/caller.ts';
import type { Deps } from '#shared/ports/deps.ts';

/** Not while a rule or a connection runs it. Executions that have begun go on with the version they began with. */
export async function deleteTemplate({ id }: { readonly id: string }, caller: Caller, deps: Pick<Deps, 'workflows'>) {
  const { connections } = await caller.setup();
  const refuse = ({ rules }: Parameters<Parameters<typeof deleteDefinition>[1]['refuse']>[0]) => refuseUsedTemplate(id, rules, connections);
  return deleteDefinition(id, { kind: 'template', idKind: 'template', among: ({ templates }) => templates, missing: MISSING, refuse }, caller, deps);
}
