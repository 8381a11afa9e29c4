import { startExecutions } from '#functions/workflow-runs/start-executions.usecase.ts';
import type { OwedMessage } from '#functions/workflow-runs/workflow-runs.schema.ts';
import { startAgainAt } from '#shared/domain/workflows/execution.rules.ts';
import type { Deps } from '#shared/ports/deps.ts';

/**
 * Begins what an event calls for and could not be begun. Taken before: of several sweeps that found the entry only one
 * goes on, and what dies here falls due again.
 */
export async function startOwed({ id, at }: OwedMessage, deps: Deps): Promise<void> {
  const owed = await deps.executions.owedStart(id);
  if (!owed || !(await deps.executions.takeStart(owed, at, startAgainAt(owed, deps.clock.now())))) return;
  await startExecutions(owed, deps);
  await deps.executions.endStart(owed, deps.clock.now());
}
