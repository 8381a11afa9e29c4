import { deleteDefinition } from '#functions/workflows/delete-definition.ts';
import { MISSING } from '#functions/workflows/rules/stored-rule.ts';
import type { Caller } from '#shared/ports/caller.ts';
import type { Deps } from '#shared/ports/deps.ts';

/** Executions that it has called for keep its id, and go on. */
export const deleteRule = ({ id }: { readonly id: string }, caller: Caller, deps: Pick<Deps, 'workflows'>) =>
  deleteDefinition(
    id,
    { kind: 'rule', idKind: 'workflowRule', among: ({ rules }) => rules, missing: MISSING, refuse: () => undefined },
    caller,
    deps,
  );
