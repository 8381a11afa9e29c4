import { runExecution } from '#functions/workflow-runs/run-execution.usecase.ts';
import { startExecutions } from '#functions/workflow-runs/start-executions.usecase.ts';
import { RunMessage } from '#functions/workflow-runs/workflow-runs.schema.ts';
import type { Deps } from '#shared/ports/deps.ts';

/** One event, or one execution, looked at afresh: messages come late, and more than once. */
export async function handleRun(body: Readonly<Record<string, unknown>>, deps: Deps): Promise<void> {
  const message = RunMessage.parse(body);
  if (message.kind === 'event') await startExecutions(message, deps);
  else await runExecution(message.id, deps);
}
