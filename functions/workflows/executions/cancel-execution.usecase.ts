import { storedExecution } from '#functions/workflows/executions/stored-execution.ts';
import { cancelExecution as canceled } from '#shared/domain/workflows/execution.machine.ts';
import { type ShownExecution, shownExecution } from '#shared/domain/workflows/execution.rules.ts';
import { operationId } from '#shared/kernel/operation.ts';
import type { Caller } from '#shared/ports/caller.ts';
import type { Deps } from '#shared/ports/deps.ts';

/** What a step has begun is brought to its end; none begins after it. */
export async function cancelExecution(
  { id }: { readonly id: string },
  { orgId, operation }: Caller,
  deps: Pick<Deps, 'executions' | 'clock'>,
): Promise<ShownExecution> {
  const act = operationId(operation, 'request');
  const stored = await storedExecution(orgId, id, deps);
  return shownExecution(
    await deps.executions.change(stored, (execution) => canceled(execution, act, deps.clock.now())),
  );
}
