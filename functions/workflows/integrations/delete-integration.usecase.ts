import { deleteDefinition } from '#functions/workflows/delete-definition.ts';
import { MISSING } from '#functions/workflows/integrations/stored-integration.ts';
import { refuseUsedIntegration } from '#shared/domain/workflows/workflow-definitions.rules.ts';
import type { Caller } from '#shared/ports/caller.ts';
import type { Deps } from '#shared/ports/deps.ts';

/** Not while a template goes through it. What runs by an older version of one fails at its step. */
export const deleteIntegration = ({ id }: { readonly id: string }, caller: Caller, deps: Pick<Deps, 'workflows'>) =>
  deleteDefinition(
    id,
    {
      kind: 'integration',
      idKind: 'integration',
      among: ({ integrations }) => integrations,
      missing: MISSING,
      refuse: ({ templates }) => refuseUsedIntegration(id, templates),
    },
    caller,
    deps,
  );
