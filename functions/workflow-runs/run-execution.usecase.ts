import { afterFailed, performStep } from '#functions/workflow-runs/perform-step.ts';
import type { Run } from '#functions/workflow-runs/step-work.ts';
import {
  completeExecution,
  failExecution,
  giveUpStep,
  handOn,
  isBeyondStarts,
  isOver,
  recordStep,
  takeExecution,
} from '#shared/domain/workflows/execution.machine.ts';
import type { Execution } from '#shared/domain/workflows/execution.model.ts';
import { messageDelay } from '#shared/domain/workflows/execution.rules.ts';
import { monotonic, SECOND } from '#shared/kernel/clock.ts';
import type { Deps } from '#shared/ports/deps.ts';
import { runMessage } from '#shared/services/workflows/run-message.service.ts';

/** No step is begun later in an invocation, so that the longest one ends within it. */
const TURN_MS = 10 * SECOND;

/**
 * Walks an execution on from where it stands, step after step, each noted before the next. One worker at a time:
 * whoever finds it taken leaves it, and should that worker die, the sweeper finds the execution when its lease is over.
 */
export async function runExecution(id: string, deps: Deps): Promise<void> {
  const taken = await take(id, deps);
  if (!taken) return;
  const run = await runOf(taken, deps);
  if (!run) {
    await deps.executions.change(taken, (e) => (isOver(e) ? undefined : failExecution(e, LOST, deps.clock.now())));
    return;
  }
  const left = await walk(taken, run, deps);
  const delay = messageDelay(left);
  if (delay !== undefined) await deps.queue.send('workflow-runs', [runMessage(left, delay)]);
}

const LOST = { code: 'internal_error', message: 'What this execution goes by is not there any more.' };

async function take(id: string, { executions, clock }: Deps): Promise<Execution | undefined> {
  const found = await executions.byId(id);
  const mine = found && takeExecution(found, clock.now());
  const taken = found && mine && (await executions.replace(found, mine));
  return taken && !isOver(taken) ? taken : undefined;
}

async function runOf(
  { org_id, event, template_id, template_version }: Execution,
  deps: Deps,
): Promise<Run | undefined> {
  const [known, template] = await Promise.all([
    deps.events.get(org_id, event.id),
    deps.workflows.templateVersion(org_id, template_id, template_version),
  ]);
  return known && template && { event: known, template };
}

/** Until it waits or is over, or this invocation's time is. */
async function walk(taken: Execution, run: Run, deps: Deps): Promise<Execution> {
  const { executions, clock } = deps;
  const end = monotonic() + TURN_MS;
  let execution = taken;
  // What another has taken meanwhile, as this one took longer than it may, is that one's.
  const change = (decide: (e: Execution, at: Date) => Execution) =>
    executions.change(execution, (e) =>
      isOver(e) || e.leased_until !== taken.leased_until ? undefined : decide(e, clock.now()),
    );
  while (execution.status === 'running' && execution.leased_until === taken.leased_until) {
    const step = run.template.steps.find(({ id }) => id === execution.at_step);
    if (!step) execution = await change(completeExecution);
    else if (isBeyondStarts(execution))
      execution = await change((e, at) =>
        giveUpStep(e, { step, following: afterFailed(step, run.template.steps) }, at),
      );
    else if (monotonic() > end) execution = await change(handOn);
    else {
      const tried = await performStep(step, execution, run, deps);
      deps.log.info('workflow_step_tried', { type: step.type, outcome: tried.outcome.kind });
      execution = await executions.change(execution, (e) => recordStep(e, tried, clock.now()));
    }
  }
  return execution;
}
