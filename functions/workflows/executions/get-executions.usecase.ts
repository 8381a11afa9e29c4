import type { ListExecutionsInput } from '#functions/workflows/executions/executions.schema.ts';
import type { Execution } from '#shared/domain/workflows/execution.model.ts';
import { type ExecutionView, viewExecution } from '#shared/domain/workflows/execution.rules.ts';
import { orNotFound } from '#shared/kernel/errors.ts';
import type { Caller } from '#shared/ports/caller.ts';
import type { Deps } from '#shared/ports/deps.ts';

export const getExecution = async (
  { id }: { readonly id: string },
  { orgId }: Caller,
  deps: Pick<Deps, 'executions'>,
): Promise<ExecutionView> => viewExecution(await executionOr404(orgId, id, deps));

export const executionOr404 = async (
  orgId: string,
  id: string,
  { executions }: Pick<Deps, 'executions'>,
): Promise<Execution> => orNotFound(await executions.get(orgId, id), 'There is no such workflow execution.');

export async function listExecutions(
  query: ListExecutionsInput,
  { orgId }: Caller,
  { executions }: Pick<Deps, 'executions'>,
) {
  const page = await executions.list(orgId, query);
  return { ...page, items: page.items.map(viewExecution) };
}
