import { errorOf } from '#functions/workflow-runs/error-of.ts';
import { effectivePlan, refuseBeyond } from '#shared/domain/accounts/plan.rules.ts';
import { usedIn } from '#shared/domain/accounts/usage.rules.ts';
import type { EventRecord } from '#shared/domain/reference/events.catalog.ts';
import type { EventCall, Execution, ExecutionError } from '#shared/domain/workflows/execution.model.ts';
import {
  type Cause,
  concernsConnection,
  newExecution,
  rulesFor,
  type Wanted,
  withinPlan,
} from '#shared/domain/workflows/execution.rules.ts';
import { AppError } from '#shared/kernel/errors.ts';
import type { Deps } from '#shared/ports/deps.ts';
import { runMessage } from '#shared/services/workflows/run-message.service.ts';

type Needs = Pick<Deps, 'workflows' | 'events' | 'executions' | 'organizations' | 'queue' | 'clock' | 'config' | 'log'>;
type Call = { readonly template_id: string; readonly cause: Cause };

/**
 * Begins what an event calls for. Each run's id follows from the event and who called, so that an event which comes
 * twice, or after a crash, begins nothing twice; its message may come twice.
 */
export async function startExecutions(message: EventCall, deps: Needs): Promise<void> {
  const { id, org_id } = message;
  const [rules, ofConnection] = [await deps.workflows.rules(org_id), callOfConnection(message)];
  if (!ofConnection && !rules.some(({ enabled, event }) => enabled && event === message.type)) return;
  const event = await deps.events.get(org_id, id);
  if (!event) return deps.log.warn('workflow_without_event', { event_id: id });
  const calls: readonly Call[] = [...rulesFor(event, rules).map(callOfRule), ...(ofConnection ? [ofConnection] : [])];
  if (calls.length === 0) return;
  const toRun = (await begin(event, calls, deps)).filter(({ status }) => status === 'pending');
  if (toRun.length > 0)
    await deps.queue.send(
      'workflow-runs',
      toRun.map((execution) => runMessage(execution)),
    );
}

const callOfRule = ({ id, template_id }: { readonly id: string; readonly template_id: string }): Call => ({
  template_id,
  cause: { rule_id: id },
});

const callOfConnection = ({ type, through }: EventCall): Call | undefined =>
  through && concernsConnection(type)
    ? { template_id: through.workflow_id, cause: { connection_id: through.connection_id } }
    : undefined;

/**
 * Those that come first run, as long as the plan has room. What was used until then is noted with each, the very first
 * before all others, so that a repeat decides as the first time, whatever has been counted since.
 */
async function begin(event: EventRecord, calls: readonly Call[], deps: Needs): Promise<readonly Execution[]> {
  const [wanted, room] = await Promise.all([
    Promise.all(calls.map((call) => wantedBy(event, call, deps))),
    roomOf(event.org_id, deps),
  ]);
  const decided = (used_before: number) =>
    withinPlan(wanted, { ...room, used: used_before }, deps.clock.now()).map((execution) => ({
      ...execution,
      used_before,
    }));
  const [first] = decided(room.used);
  if (!first) return [];
  const begun = await deps.executions.create(first);
  const others = decided(begun.used_before ?? room.used).slice(1);
  return [begun, ...(await Promise.all(others.map((execution) => deps.executions.create(execution))))];
}

/** Also what can't run is recorded, so that nobody looks for it in vain. */
async function wantedBy(event: EventRecord, { template_id, cause }: Call, { workflows }: Needs): Promise<Wanted> {
  const template = await workflows.template(event.org_id, template_id);
  if (template) return { execution: newExecution(event, template, cause) };
  const refusal = errorOf(new AppError('not_found', `There is no workflow template ${template_id}.`));
  return { execution: newExecution(event, { id: template_id, version: 0, steps: [] }, cause), refusal };
}

/** What has been used of it, and why nothing more may run when so much is, if so. */
async function roomOf(orgId: string, { organizations, config, clock }: Needs) {
  const { organization, usage } = await organizations.setup(orgId);
  const [plan, at] = [effectivePlan(organization, config.stage), clock.now()];
  const refusalAt = (used: number): ExecutionError | undefined => {
    try {
      refuseBeyond(plan, 'workflow_executions', used, at);
      return undefined;
    } catch (error) {
      if (error instanceof AppError) return errorOf(error);
      throw error;
    }
  };
  return { used: usedIn(usage, 'workflow_executions', at), refusalAt };
}
