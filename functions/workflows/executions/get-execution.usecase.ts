import { storedExecution } from '#functions/workflows/executions/stored-execution.ts';
import { type ShownExecution, shownExecution } from '#shared/domain/workflows/execution.rules.ts';
import type { Caller } from '#shared/ports/caller.ts';
import type { Deps } from '#shared/ports/deps.ts';

export const getExecution = async (
  { id }: { readonly id: string },
  { orgId }: Caller,
  deps: Pick<Deps, 'executions'>,
): Promise<ShownExecution> => shownExecution(await storedExecution(orgId, id, deps));
