import { performStep, type StepDeps, stepAfterFailure } from '#functions/workflow-runs/perform-step.ts';
import type { RunContext } from '#functions/workflow-runs/step-context.ts';
import {
  abandonStep,
  completeExecution,
  failExecution,
  hasEnded,
  isBeyondStarts,
  leaseExecution,
  recordStep,
  yieldExecution,
} from '#shared/domain/workflows/execution.machine.ts';
import type { Execution } from '#shared/domain/workflows/execution.model.ts';
import { executionMessage, messageDelay } from '#shared/domain/workflows/execution.rules.ts';
import { monotonic, SECOND } from '#shared/kernel/clock.ts';
import { inTrace, noteCause } from '#shared/kernel/operation.ts';
import type { Deps } from '#shared/ports/deps.ts';

export type RunDeps = StepDeps & Pick<Deps, 'events' | 'executions' | 'queue'>;

/** No step starts later in an invocation, so that even the longest one ends within it. */
const MAX_RUN_TIME = 10 * SECOND;

/**
 * Runs an execution from its current step on. Each outcome is recorded before the next step starts. One worker at a
 * time holds the lease. If it crashes, the sweep finds the execution once the lease has expired.
 */
export async function runExecution(id: string, deps: RunDeps): Promise<void> {
  const leased = await lease(id, deps);
  if (!leased) return;
  const run = await loadRun(leased, deps);
  if (!run) {
    await deps.executions.change(leased, (e) =>
      hasEnded(e) ? undefined : failExecution(e, DEFINITION_MISSING, deps.clock.now()),
    );
    return;
  }
  await inTrace(run.event.trace, async () => {
    noteCause(leased.id);
    const execution = await runSteps(leased, run, deps);
    const delay = messageDelay(execution);
    if (delay !== undefined) await deps.queue.send('workflow-runs', [executionMessage(execution, delay)]);
  });
}

const DEFINITION_MISSING = { code: 'internal_error', message: 'The workflow of this execution was deleted.' };

async function lease(
  id: string,
  { executions, clock }: Pick<Deps, 'clock' | 'executions'>,
): Promise<Execution | undefined> {
  const found = await executions.byId(id);
  const leased = found && leaseExecution(found, clock.now());
  const saved = found && leased && (await executions.replace(found, leased));
  return saved && !hasEnded(saved) ? saved : undefined;
}

async function loadRun(
  { org_id, event, template_id, template_version }: Execution,
  deps: Pick<Deps, 'events' | 'workflows'>,
): Promise<RunContext | undefined> {
  const [known, template] = await Promise.all([
    deps.events.get(org_id, event.id),
    deps.workflows.templateVersion(org_id, template_id, template_version),
  ]);
  return known && template && { event: known, template };
}

/** Runs steps until the execution waits or ends, or this invocation's time is used up. */
async function runSteps(leased: Execution, run: RunContext, deps: RunDeps): Promise<Execution> {
  const { executions, clock } = deps;
  const end = monotonic() + MAX_RUN_TIME;
  let execution = leased;
  // If this worker's lease has expired, the execution belongs to another worker.
  const change = (decide: (e: Execution, at: Date) => Execution) =>
    executions.change(execution, (e) =>
      hasEnded(e) || e.leased_until !== leased.leased_until ? undefined : decide(e, clock.now()),
    );
  while (execution.status === 'running' && execution.leased_until === leased.leased_until) {
    const step = run.template.steps.find(({ id }) => id === execution.at_step);
    if (!step) execution = await change(completeExecution);
    else if (isBeyondStarts(execution))
      execution = await change((e, at) =>
        abandonStep(e, { step, following: stepAfterFailure(step, run.template.steps) }, at),
      );
    else if (monotonic() > end) execution = await change(yieldExecution);
    else {
      const attempt = await performStep(step, execution, run, deps);
      deps.log.info('workflow_step_tried', { type: step.type, outcome: attempt.outcome.kind });
      execution = await executions.change(execution, (e) => recordStep(e, attempt, clock.now()));
    }
  }
  return execution;
}
