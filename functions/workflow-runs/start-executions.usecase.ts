import { errorOf } from '#functions/workflow-runs/step-context.ts';
import type { PendingStartMessage } from '#functions/workflow-runs/workflow-runs.schema.ts';
import { assertWithinLimit, effectivePlan, usedIn } from '#shared/domain/accounts/plan.rules.ts';
import { type EventRecord, startsConnectionWorkflow } from '#shared/domain/reference/events.catalog.ts';
import type { EventMessage, Execution, ExecutionError } from '#shared/domain/workflows/execution.model.ts';
import {
  type Cause,
  executionMessage,
  limitToPlan,
  matchingRules,
  newExecution,
  type RequestedExecution,
  retryStartAt,
} from '#shared/domain/workflows/execution.rules.ts';
import { AppError } from '#shared/kernel/errors.ts';
import type { Deps } from '#shared/ports/deps.ts';

export type StartExecutionsDeps = Pick<
  Deps,
  'workflows' | 'events' | 'executions' | 'organizations' | 'queue' | 'clock' | 'config' | 'log'
>;
type ExecutionStart = { readonly template_id: string; readonly cause: Cause };

/**
 * Starts the executions of an event. Their ids are derived from the event and the cause, so an event that arrives
 * twice, or again after a crash, starts none of them twice.
 */
export async function startExecutions(message: EventMessage, deps: StartExecutionsDeps): Promise<void> {
  const { id, org_id } = message;
  const [rules, connectionStart] = [await deps.workflows.rules(org_id), startByConnection(message)];
  if (!connectionStart && !rules.some(({ enabled, event }) => enabled && event === message.type)) return;
  const event = await deps.events.get(org_id, id);
  if (!event) return deps.log.warn('workflow_without_event', { event_id: id });
  const starts: readonly ExecutionStart[] = [
    ...matchingRules(event, rules).map(startByRule),
    ...(connectionStart ? [connectionStart] : []),
  ];
  if (starts.length === 0) return;
  const toRun = (await startAll(event, starts, deps)).filter(({ status }) => status === 'pending');
  if (toRun.length > 0)
    await deps.queue.send(
      'workflow-runs',
      toRun.map((execution) => executionMessage(execution)),
    );
}

const startByRule = ({ id, template_id }: { readonly id: string; readonly template_id: string }): ExecutionStart => ({
  template_id,
  cause: { rule_id: id },
});

const startByConnection = ({ type, through }: EventMessage): ExecutionStart | undefined =>
  through && startsConnectionWorkflow(type)
    ? { template_id: through.workflow_id, cause: { connection_id: through.connection_id } }
    : undefined;

/**
 * Runs as many executions as the plan allows, in order. Each record stores how many executions were used before it. The
 * first one is written before the others, so that a repeat decides the same even if more were counted since.
 */
async function startAll(
  event: EventRecord,
  starts: readonly ExecutionStart[],
  deps: StartExecutionsDeps,
): Promise<readonly Execution[]> {
  const [requested, allowance] = await Promise.all([
    Promise.all(starts.map((start) => requestedExecution(event, start, deps))),
    planAllowance(event.org_id, deps),
  ]);
  const limited = (used_before: number) =>
    limitToPlan(requested, { ...allowance, used: used_before }, deps.clock.now()).map((execution) => ({
      ...execution,
      used_before,
    }));
  const [first] = limited(allowance.used);
  if (!first) return [];
  const stored = await deps.executions.create(first);
  const others = limited(stored.used_before ?? allowance.used).slice(1);
  return [stored, ...(await Promise.all(others.map((execution) => deps.executions.create(execution))))];
}

/** An execution that cannot run is recorded too, so that people find the reason. */
async function requestedExecution(
  event: EventRecord,
  { template_id, cause }: ExecutionStart,
  { workflows, config }: StartExecutionsDeps,
): Promise<RequestedExecution> {
  const hashVersion = config.rotations?.hashSecret?.version;
  const template = await workflows.template(event.org_id, template_id);
  if (template) return { execution: newExecution(event, template, cause, hashVersion) };
  const refusal = errorOf(new AppError('not_found', `There is no workflow template ${template_id}.`));
  return { execution: newExecution(event, { id: template_id, version: 0, steps: [] }, cause), refusal };
}

/** Executions used this month, and the refusal after a number of them, if any. */
async function planAllowance(orgId: string, { organizations, config, clock }: StartExecutionsDeps) {
  const { organization, usage } = await organizations.routingData(orgId);
  const [plan, at] = [effectivePlan(organization, config.stage), clock.now()];
  const refusalAt = (used: number): ExecutionError | undefined => {
    try {
      assertWithinLimit(plan, 'workflow_executions', used, at);
      return undefined;
    } catch (error) {
      if (error instanceof AppError) return errorOf(error);
      throw error;
    }
  };
  return { used: usedIn(usage, 'workflow_executions', at), refusalAt };
}

/**
 * Starts executions that could not be started before. The entry is claimed first, so of several sweeps only one
 * continues, and after a crash it falls due again.
 */
export async function retryPendingStart({ id, at }: PendingStartMessage, deps: StartExecutionsDeps): Promise<void> {
  const pending = await deps.executions.pendingStart(id);
  if (!pending || !(await deps.executions.claimPendingStart(pending, at, retryStartAt(pending, deps.clock.now()))))
    return;
  await startExecutions(pending, deps);
  await deps.executions.completePendingStart(pending, deps.clock.now());
}
