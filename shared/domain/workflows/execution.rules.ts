import type { EventRecord, EventType } from '#shared/domain/reference/events.catalog.ts';
import { MAX_DELAY_SECONDS } from '#shared/domain/webhooks/queue-message.rules.ts';
import { isOver, runUnderWay, standingAt } from '#shared/domain/workflows/execution.machine.ts';
import type { Execution, ExecutionError, OwedStart, StepRun } from '#shared/domain/workflows/execution.model.ts';
import { type Facts, isTrue, NoValue } from '#shared/domain/workflows/expression.rules.ts';
import type { Template, WorkflowRule } from '#shared/domain/workflows/workflow.model.ts';
import { DAY, MINUTE, plus, SECOND } from '#shared/kernel/clock.ts';
import { derivedId } from '#shared/kernel/ids.ts';
import { type Operation, operationId } from '#shared/kernel/operation.ts';

export type ShownExecution = Omit<Execution, (typeof INNER)[number] | 'steps'> & {
  readonly steps: readonly ShownStepRun[];
};
type ShownStepRun = Omit<StepRun, 'told' | 'unnoted'>;

const INNER = [
  'version',
  'template_version',
  'used_before',
  'at_step',
  'at_type',
  'at_since',
  'leased_until',
  'starts',
  'last_acts',
] as const satisfies readonly (keyof Execution)[];

const isInner: ReadonlySet<string> = new Set(INNER);

export function shownExecution(execution: Execution): ShownExecution {
  const shown = Object.fromEntries(
    Object.entries(execution).filter(([name]) => !isInner.has(name)),
  ) as unknown as ShownExecution;
  return { ...shown, steps: withStepUnderWay(execution).map(shownStep) };
}

function withStepUnderWay(execution: Execution): readonly StepRun[] {
  const { steps } = execution;
  const now = runUnderWay(execution);
  if (!now) return steps;
  return steps.some(({ id }) => id === now.id) ? steps.map((run) => (run.id === now.id ? now : run)) : [...steps, now];
}

const shownStep = ({ told: _, unnoted: __, ...run }: StepRun): ShownStepRun => run;

/** Its message has come by then; should it be lost, the sweeper finds the execution. */
const MESSAGE_TIME = MINUTE;

/**
 * Whole seconds that a message must wait in the queue, for what goes on soon; undefined where it is over, on its way,
 * or the sweeper's to find.
 */
export function messageDelay({ status, next_step_at, updated_at }: Execution): number | undefined {
  if (status !== 'waiting' || next_step_at === null) return undefined;
  const seconds = Math.ceil((Date.parse(next_step_at) - Date.parse(updated_at)) / SECOND);
  return seconds <= MAX_DELAY_SECONDS ? seconds : undefined;
}

/** When the sweeper must look at it, if ever. */
export function executionDueAt(execution: Execution): string | undefined {
  if (isOver(execution)) return undefined;
  const { leased_until, next_step_at, updated_at } = execution;
  if (leased_until !== undefined) return leased_until;
  const at = next_step_at ?? updated_at;
  return execution.status === 'waiting' && messageDelay(execution) === undefined
    ? at
    : plus(at, MESSAGE_TIME).toISOString();
}

/** Why a template runs: a rule or a connection calls for it, or somebody does, by a request. */
export type Cause =
  | { readonly rule_id: string }
  | { readonly connection_id: string }
  | { readonly operation: Operation };

/**
 * One event calls for one run by each rule and each connection, however often it is heard of; and one request for one.
 */
export function newExecution(
  event: EventRecord,
  template: Pick<Template, 'id' | 'version' | 'steps'>,
  cause: Cause,
): Execution {
  const by =
    'rule_id' in cause ? cause.rule_id : 'connection_id' in cause ? `connection|${cause.connection_id}` : undefined;
  const at = 'operation' in cause ? cause.operation.at : new Date(event.created_at);
  const id =
    'operation' in cause ? operationId(cause.operation, 'execution') : derivedId('execution', at, event.id, String(by));
  return {
    id,
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
    ...standingAt(template.steps[0] ?? null),
    starts: 0,
  };
}

/** What could not be begun is tried again so long after, beside the tries of the event's own message. */
const START_AGAIN_AFTER = 15 * MINUTE;

/** When what an event calls for is tried again: what fails for long comes ever more seldom, but each day. */
export function startAgainAt({ since }: Pick<OwedStart, 'since'>, at: Date): Date {
  const owedFor = at.getTime() - Date.parse(since);
  return plus(at, Math.min(DAY, Math.max(START_AGAIN_AFTER, owedFor)));
}

/** It is recorded that it was called for, and why it did not run. */
export function refusedExecution(execution: Execution, error: ExecutionError, at: Date): Execution {
  const now = at.toISOString();
  return { ...execution, status: 'refused', error, updated_at: now, ended_at: now };
}

/** An execution that an event calls for, and why it can't run whatever the plan holds, if so. */
export type Wanted = { readonly execution: Execution; readonly refusal?: ExecutionError };

/** How many the month has seen, and why no other one may run after so many, if so. */
export type PlanRoom = { readonly used: number; readonly refusalAt: (used: number) => ExecutionError | undefined };

/** Of what an event calls for, in order, as many as the plan has room for run; the others are refused. */
export function withinPlan(wanted: readonly Wanted[], { used, refusalAt }: PlanRoom, at: Date): readonly Execution[] {
  let running = 0;
  return wanted.map(({ execution, refusal = refusalAt(used + running) }) => {
    if (refusal) return refusedExecution(execution, refusal, at);
    running += 1;
    return execution;
  });
}

/** What a rule's condition may speak of. */
const factsOfEvent = ({ id, type, created_at, data }: EventRecord): Facts => ({
  event: { id, type, created_at },
  data,
  steps: {},
});

/** And what a step's expressions may. */
export const factsOf = (event: EventRecord, { id, steps }: Pick<Execution, 'id' | 'steps'>): Facts => ({
  ...factsOfEvent(event),
  execution: { id },
  steps: Object.fromEntries(steps.map(({ id, status, output }) => [id, { ...output, status }])),
});

/** The payment and the subscription that an event is about, by their ids, as far as it says. */
export function subjectsOf({ type, data }: Pick<EventRecord, 'type' | 'data'>): {
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
  if (group === 'payment') return some({ payment: id, invoice: invoice_id });
  if (group === 'subscription') return some({ subscription: id });
  return some({ payment: payment_id, subscription: subscription_id });
}

function some<T extends Readonly<Record<string, string | undefined>>>(
  record: T,
): { readonly [name in keyof T]?: string } {
  return Object.fromEntries(Object.entries(record).filter(([, value]) => value !== undefined)) as {
    readonly [name in keyof T]?: string;
  };
}

/** Which events a connection's own workflow runs for: when a payment is made, and when it has come to its end. */
export const EVENTS_OF_CONNECTIONS: readonly EventType[] = [
  'payment.created',
  'payment.succeeded',
  'payment.failed',
  'payment.canceled',
];
export const concernsConnection = (type: EventType): boolean => EVENTS_OF_CONNECTIONS.includes(type);

/**
 * The rules that an event calls for, those of the highest priority first. One that was made, turned on or changed after
 * the event, which came late or once more, does not run for it. A condition that has no value, as a field is missing,
 * does not hold.
 */
export function rulesFor(event: EventRecord, rules: readonly WorkflowRule[]): readonly WorkflowRule[] {
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
    if (error instanceof NoValue) return false;
    throw error;
  }
}
