import type { StartExecutionInput } from '#functions/workflows/executions/executions.schema.ts';
import { MISSING } from '#functions/workflows/templates/stored-template.ts';
import { effectivePlan, refuseBeyond } from '#shared/domain/accounts/plan.rules.ts';
import { usedIn } from '#shared/domain/accounts/usage.rules.ts';
import type { Execution } from '#shared/domain/workflows/execution.model.ts';
import { newExecution, type ShownExecution, shownExecution } from '#shared/domain/workflows/execution.rules.ts';
import { refuseForeignSteps } from '#shared/domain/workflows/workflow-scopes.rules.ts';
import { Answer } from '#shared/http/route.ts';
import { need } from '#shared/kernel/errors.ts';
import { operationId } from '#shared/kernel/operation.ts';
import type { Caller } from '#shared/ports/caller.ts';
import type { Deps } from '#shared/ports/deps.ts';
import { runMessage } from '#shared/services/workflows/run-message.service.ts';

type Needs = Pick<Deps, 'workflows' | 'executions' | 'events' | 'queue' | 'config'>;

/**
 * The message may be sent twice, or be lost with us: the worker takes an execution once, and the sweeper finds the one
 * that nobody took.
 */
export async function startExecution(
  input: StartExecutionInput,
  caller: Caller,
  deps: Needs,
): Promise<Answer<ShownExecution>> {
  const execution = (await madeBefore(caller, deps)) ?? (await made(input, caller, deps));
  await deps.queue.send('workflow-runs', [runMessage(execution)]);
  return new Answer(shownExecution(execution), { location: `/v1/workflows/executions/${execution.id}` });
}

/** By an earlier run of this very request, which died: what was checked then counts. */
async function madeBefore({ orgId, operation }: Caller, { executions }: Needs): Promise<Execution | undefined> {
  return operation.resumed ? executions.get(orgId, operationId(operation, 'execution')) : undefined;
}

async function made({ template_id, event_id }: StartExecutionInput, caller: Caller, deps: Needs): Promise<Execution> {
  const { orgId, operation, setup } = caller;
  const [found, event] = await Promise.all([
    deps.workflows.template(orgId, template_id),
    deps.events.get(orgId, event_id),
  ]);
  const template = need(found, MISSING);
  const execution = newExecution(need(event, 'There is no such event.'), template, { operation });
  refuseForeignSteps(template.steps, caller);
  const { organization, usage } = await setup();
  const used = usedIn(usage, 'workflow_executions', operation.at);
  refuseBeyond(effectivePlan(organization, deps.config.stage), 'workflow_executions', used, operation.at);
  return deps.executions.create(execution);
}
