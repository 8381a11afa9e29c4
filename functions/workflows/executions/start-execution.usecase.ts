import type { StartExecutionInput } from '#functions/workflows/executions/executions.schema.ts';
import { executionOr404 } from '#functions/workflows/executions/get-executions.usecase.ts';
import { MISSING } from '#functions/workflows/templates/get-templates.usecase.ts';
import { assertWithinLimit, effectivePlan, usedIn } from '#shared/domain/accounts/plan.rules.ts';
import { cancelExecution as cancelIn } from '#shared/domain/workflows/execution.machine.ts';
import type { Execution } from '#shared/domain/workflows/execution.model.ts';
import {
  type ExecutionView,
  executionMessage,
  newExecution,
  viewExecution,
} from '#shared/domain/workflows/execution.rules.ts';
import { assertReadScopes, assertStepScopes } from '#shared/domain/workflows/workflow-scopes.rules.ts';
import { orNotFound } from '#shared/kernel/errors.ts';
import { operationId } from '#shared/kernel/operation.ts';
import type { Caller } from '#shared/ports/caller.ts';
import type { Deps } from '#shared/ports/deps.ts';

type Needs = Pick<Deps, 'workflows' | 'executions' | 'events' | 'queue' | 'config'>;

/**
 * The message may be sent twice, or be lost in a crash. The worker runs an execution only once, and the sweep finds an
 * execution whose message was lost.
 */
export async function startExecution(input: StartExecutionInput, caller: Caller, deps: Needs): Promise<ExecutionView> {
  const execution = (await findCreatedEarlier(caller, deps)) ?? (await createNew(input, caller, deps));
  await deps.queue.send('workflow-runs', [executionMessage(execution)]);
  return viewExecution(execution);
}

/** The execution created by an earlier attempt of the same request. It is not validated again. */
async function findCreatedEarlier({ orgId, operation }: Caller, { executions }: Needs): Promise<Execution | undefined> {
  return operation.resumed ? executions.get(orgId, operationId(operation, 'execution')) : undefined;
}

async function createNew(
  { template_id, event_id }: StartExecutionInput,
  caller: Caller,
  deps: Needs,
): Promise<Execution> {
  const { orgId, operation, routingData } = caller;
  const [found, event] = await Promise.all([
    deps.workflows.template(orgId, template_id),
    deps.events.get(orgId, event_id),
  ]);
  const template = orNotFound(found, MISSING);
  const cause = orNotFound(event, 'There is no such event.');
  const execution = newExecution(cause, template, { operation }, deps.config.rotations?.hashSecret?.version);
  assertStepScopes(template.steps, caller);
  assertReadScopes([cause.type], template.steps, caller);
  const { organization, usage } = await routingData();
  const used = usedIn(usage, 'workflow_executions', operation.at);
  assertWithinLimit(effectivePlan(organization, deps.config.stage), 'workflow_executions', used, operation.at);
  return deps.executions.create(execution);
}

/** A running step is finished; no further step starts. */
export async function cancelExecution(
  { id }: { readonly id: string },
  { orgId, operation }: Caller,
  deps: Pick<Deps, 'executions' | 'clock'>,
): Promise<ExecutionView> {
  const marker = operationId(operation, 'request');
  const stored = await executionOr404(orgId, id, deps);
  return viewExecution(
    await deps.executions.change(stored, (execution) => cancelIn(execution, marker, deps.clock.now())),
  );
}
