import { type RunDeps, runExecution } from '#functions/workflow-runs/run-execution.usecase.ts';
import {
  retryPendingStart,
  type StartExecutionsDeps,
  startExecutions,
} from '#functions/workflow-runs/start-executions.usecase.ts';
import { RunMessage } from '#functions/workflow-runs/workflow-runs.schema.ts';
import type { EventMessage, PendingStart } from '#shared/domain/workflows/execution.model.ts';
import { retryStartAt } from '#shared/domain/workflows/execution.rules.ts';
import type { Deps } from '#shared/ports/deps.ts';
import { type ReceiptDeps, sendReceipt } from '#shared/services/payments/send-receipt.service.ts';

/** Handles one message, which may come late and more than once. `receiveCount`: how often this one was received. */
export async function handleRun(
  body: Readonly<Record<string, unknown>>,
  deps: RunDeps & StartExecutionsDeps & ReceiptDeps,
  receiveCount = 1,
): Promise<void> {
  const message = RunMessage.parse(body);
  switch (message.kind) {
    case 'event':
      await startOrScheduleRetry(message, receiveCount, deps);
      // Last, and repeatable: a mailer in trouble must not keep executions from starting.
      if (message.type === 'payment.succeeded') await sendReceipt(message, deps, receiveCount > 1);
      return;
    case 'owed_start':
      return retryPendingStart(message, deps);
    case 'execution':
      return runExecution(message.id, deps);
  }
}

/**
 * A redelivered message may be on its last receive, and a crash reports nothing. So the start is first recorded for the
 * sweep. If that write fails, the start is attempted all the same.
 */
async function startOrScheduleRetry(
  event: EventMessage,
  receiveCount: number,
  deps: StartExecutionsDeps,
): Promise<void> {
  const pending = receiveCount > 1 ? await scheduleRetry(event, deps) : undefined;
  try {
    await startExecutions(event, deps);
  } catch (error) {
    if (!pending) await scheduleRetry(event, deps);
    throw error;
  }
  // If this fails, the sweep looks once more and finds nothing to do.
  if (pending) await deps.executions.completePendingStart(pending, deps.clock.now()).catch(() => undefined);
}

/** Undefined if it cannot be written: the message's further receives remain. */
async function scheduleRetry(
  event: EventMessage,
  { executions, clock }: Pick<Deps, 'clock' | 'executions'>,
): Promise<PendingStart | undefined> {
  const at = clock.now();
  const pending: PendingStart = { ...event, since: at.toISOString() };
  return executions.addPendingStart(pending, retryStartAt(pending, at)).then(
    () => pending,
    () => undefined,
  );
}
