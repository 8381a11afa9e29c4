import { runExecution } from '#functions/workflow-runs/run-execution.usecase.ts';
import { startExecutions } from '#functions/workflow-runs/start-executions.usecase.ts';
import { startOwed } from '#functions/workflow-runs/start-owed.usecase.ts';
import { RunMessage } from '#functions/workflow-runs/workflow-runs.schema.ts';
import type { EventCall, OwedStart } from '#shared/domain/workflows/execution.model.ts';
import { startAgainAt } from '#shared/domain/workflows/execution.rules.ts';
import type { Deps } from '#shared/ports/deps.ts';

/**
 * One event, or one execution, looked at afresh: messages come late, and more than once. The queue tells how often this
 * one has.
 */
export async function handleRun(body: Readonly<Record<string, unknown>>, deps: Deps, receiveCount = 1): Promise<void> {
  const message = RunMessage.parse(body);
  switch (message.kind) {
    case 'event':
      return startOrOwe(message, receiveCount, deps);
    case 'owed_start':
      return startOwed(message, deps);
    case 'execution':
      return runExecution(message.id, deps);
  }
}

/**
 * Its message may be on its last round, and of a worker that dies nobody hears: whoever takes it up again first sees to
 * it that the sweeper knows of it. Where that can't be written it is begun all the same.
 */
async function startOrOwe(event: EventCall, receiveCount: number, deps: Deps): Promise<void> {
  const owed = receiveCount > 1 ? await owe(event, deps) : undefined;
  try {
    await startExecutions(event, deps);
  } catch (error) {
    if (!owed) await owe(event, deps);
    throw error;
  }
  // Where this fails the sweeper looks once more, in vain.
  if (owed) await deps.executions.endStart(owed, deps.clock.now()).catch(() => undefined);
}

/** Undefined where that can't be written: the other rounds are left. */
async function owe(event: EventCall, { executions, clock }: Deps): Promise<OwedStart | undefined> {
  const at = clock.now();
  const owed: OwedStart = { ...event, since: at.toISOString() };
  return executions.oweStart(owed, startAgainAt(owed, at)).then(
    () => owed,
    () => undefined,
  );
}
