import type { EventRecord } from '#shared/domain/reference/events.catalog.ts';
import { MAX_DELAY_SECONDS } from '#shared/domain/webhooks/queue-message.rules.ts';
import { currentRun, hasEnded, positionAt } from '#shared/domain/workflows/execution.machine.ts';
import type { Execution, ExecutionError, PendingStart, StepRun } from '#shared/domain/workflows/execution.model.ts';
import { ExpressionWithoutValue, type Facts, isTrue } from '#shared/domain/workflows/expression.rules.ts';
import type { Template, WorkflowRule } from '#shared/domain/workflows/workflow.model.ts';
import { DAY, MINUTE, plus, SECOND } from '#shared/kernel/clock.ts';
import { derivedId } from '#shared/kernel/ids.ts';
import { type Operation, operationId } from '#shared/kernel/operation.ts';
import { withoutFields } from '#shared/kernel/without-fields.ts';

export type ExecutionView = Omit<Execution, (typeof INTERNAL_FIELDS)[number] | 'steps'> & {
  readonly steps: readonly StepRunView[];
};
type StepRunView = Omit<StepRun, 'mail_results' | 'unrecorded'>;

const INTERNAL_FIELDS = [
  'version',
  'hash_version',
  'used_before',
  'at_step',
  'at_type',
  'at_since',
  'leased_until',
  'starts',
  'last_acts',
  'list_shards',
] as const satisfies readonly (keyof Execution)[];

export function viewExecution(execution: Execution): ExecutionView {
  return { ...withoutFields(execution, INTERNAL_FIELDS), steps: stepsWithCurrent(execution).map(viewStep) };
}

function stepsWithCurrent(execution: Execution): readonly StepRun[] {
  const { steps } = execution;
  const current = currentRun(execution);
  if (!current) return steps;
  return steps.some(({ id }) => id === current.id)
    ? steps.map((run) => (run.id === current.id ? current : run))
    : [...steps, current];
}

const viewStep = ({ mail_results: _, unrecorded: __, ...run }: StepRun): StepRunView => run;

/** A message arrives within this time. If it is lost, the sweep finds the execution afterwards. */
const MESSAGE_DELIVERY_TIME = MINUTE;

/**
 * Whole seconds that the message for the next step waits in the queue. Undefined where none is needed: the execution
 * has ended, is running, or waits so long that the sweep finds it.
 */
export function messageDelay({ status, next_step_at, updated_at }: Execution): number | undefined {
  if (status !== 'waiting' || next_step_at === null) return undefined;
  const seconds = Math.ceil((Date.parse(next_step_at) - Date.parse(updated_at)) / SECOND);
  return seconds <= MAX_DELAY_SECONDS ? seconds : undefined;
}

/** When the sweep must look at the execution; undefined after its end. */
export function executionDueAt(execution: Execution): string | undefined {
  if (hasEnded(execution)) return undefined;
  const { leased_until, next_step_at, updated_at } = execution;
  if (leased_until !== undefined) return leased_until;
  const at = next_step_at ?? updated_at;
  return execution.status === 'waiting' && messageDelay(execution) === undefined
    ? at
    : plus(at, MESSAGE_DELIVERY_TIME).toISOString();
}

/** What starts a template: a rule, a connection's `workflow_id`, or a request. */
export type Cause =
  | { readonly rule_id: string }
  | { readonly connection_id: string }
  | { readonly operation: Operation };

/** The id is derived from the event and its cause, so one event starts one execution per rule and per connection. */
export function newExecution(
  event: EventRecord,
  template: Pick<Template, 'id' | 'version' | 'steps'>,
  cause: Cause,
  hashVersion?: number,
): Execution {
  const at = 'operation' in cause ? cause.operation.at : new Date(event.created_at);
  return {
    id: executionId(event, cause, at),
    org_id: event.org_id,
    template_id: template.id,
    rule_id: 'rule_id' in cause ? cause.rule_id : null,
    connection_id: 'connection_id' in cause ? cause.connection_id : null,
    event: { id: event.id, type: event.type },
    status: 'pending',
    steps: [],
    error: null,
    next_step_at: null,
    created_at: at.toISOString(),
    updated_at: at.toISOString(),
    started_at: null,
    ended_at: null,
    version: 1,
    template_version: template.version,
    ...positionAt(template.steps[0] ?? null),
    starts: 0,
    ...(hashVersion !== undefined && { hash_version: hashVersion }),
  };
}

/** The id of the execution that an event starts for this cause. */
export function executionId(event: Pick<EventRecord, 'id'>, cause: Cause, at: Date): string {
  if ('operation' in cause) return operationId(cause.operation, 'execution');
  const causeId = 'rule_id' in cause ? cause.rule_id : `connection|${cause.connection_id}`;
  return derivedId('execution', at, event.id, causeId);
}

/** Before the first retry of a failed start. The event's own message is retried earlier, independently of this. */
const MIN_START_RETRY_DELAY = 15 * MINUTE;

/** When a failed start is retried: less and less often, but at least daily. */
export function retryStartAt({ since }: Pick<PendingStart, 'since'>, at: Date): Date {
  const pendingFor = at.getTime() - Date.parse(since);
  return plus(at, Math.min(DAY, Math.max(MIN_START_RETRY_DELAY, pendingFor)));
}

/** Records that the execution was requested, and why it did not run. */
export function refusedExecution(execution: Execution, error: ExecutionError, at: Date): Execution {
  const now = at.toISOString();
  return { ...execution, status: 'refused', error, updated_at: now, ended_at: now };
}

/** An execution that an event starts. `refusal`: why it cannot run, whatever the plan allows. */
export type RequestedExecution = { readonly execution: Execution; readonly refusal?: ExecutionError };

/** Executions used this month, and the refusal after a number of them, if any. */
export type PlanAllowance = { readonly used: number; readonly refusalAt: (used: number) => ExecutionError | undefined };

/** In order, as many executions run as the plan allows; the others are refused. */
export function limitToPlan(
  requested: readonly RequestedExecution[],
  { used, refusalAt }: PlanAllowance,
  at: Date,
): readonly Execution[] {
  let running = 0;
  return requested.map(({ execution, refusal = refusalAt(used + running) }) => {
    if (refusal) return refusedExecution(execution, refusal, at);
    running += 1;
    return execution;
  });
}

/** The facts for a rule's condition. */
const factsOfEvent = ({ id, type, created_at, data }: EventRecord): Facts => ({
  event: { id, type, created_at },
  data,
  steps: {},
});

/** The facts for a step's expressions. */
export const factsOf = (event: EventRecord, { id, steps }: Pick<Execution, 'id' | 'steps'>): Facts => ({
  ...factsOfEvent(event),
  execution: { id },
  steps: Object.fromEntries(steps.map(({ id, status, output }) => [id, { ...output, status }])),
});

/** The ids of the payment, subscription and invoice that an event is about, as far as it names them. */
export function resourceIdsOf({ type, data }: Pick<EventRecord, 'type' | 'data'>): {
  readonly payment?: string;
  readonly subscription?: string;
  readonly invoice?: string;
} {
  const text = (name: string) => (typeof data[name] === 'string' ? { [name]: String(data[name]) } : {});
  const { id, payment_id, subscription_id, invoice_id }: Readonly<Record<string, string>> = {
    ...text('id'),
    ...text('payment_id'),
    ...text('subscription_id'),
    ...text('invoice_id'),
  };
  const [group] = type.split('.');
  if (group === 'payment') return definedOnly({ payment: id, invoice: invoice_id });
  if (group === 'subscription') return definedOnly({ subscription: id });
  return definedOnly({ payment: payment_id, subscription: subscription_id });
}

function definedOnly<T extends Readonly<Record<string, string | undefined>>>(
  record: T,
): { readonly [name in keyof T]?: string } {
  return Object.fromEntries(Object.entries(record).filter(([, value]) => value !== undefined)) as {
    readonly [name in keyof T]?: string;
  };
}

/**
 * The enabled rules that match an event, highest priority first. A rule that was created, enabled or changed after the
 * event does not match it, even if the event arrives late. A condition without a value, because a field is missing, is
 * false.
 */
export function matchingRules(event: EventRecord, rules: readonly WorkflowRule[]): readonly WorkflowRule[] {
  const facts = factsOfEvent(event);
  return rules
    .filter(
      ({ enabled, event: type, counts_since }) => enabled && type === event.type && counts_since <= event.created_at,
    )
    .filter(({ condition }) => condition === null || holds(condition, facts))
    .toSorted((a, b) => b.priority - a.priority || (a.id < b.id ? -1 : 1));
}

function holds(condition: string, facts: Facts): boolean {
  try {
    return isTrue(condition, facts);
  } catch (error) {
    if (error instanceof ExpressionWithoutValue) return false;
    throw error;
  }
}

/** The message that continues an execution, now or after a delay in seconds. */
export const executionMessage = ({ id, org_id }: Pick<Execution, 'id' | 'org_id'>, delaySeconds = 0) => ({
  body: { kind: 'execution', id },
  group: org_id,
  ...(delaySeconds > 0 && { delaySeconds }),
});
