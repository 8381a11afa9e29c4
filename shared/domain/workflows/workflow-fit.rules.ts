import type { EventType } from '#shared/domain/reference/events.catalog.ts';
import { EVENT_FIELDS } from '#shared/domain/webhooks/event-fields.catalog.ts';
import { ExpressionWithoutValue, isTrue, pathsInExpression } from '#shared/domain/workflows/expression.rules.ts';
import { missingAt } from '#shared/domain/workflows/expression-names.rules.ts';
import type { ConditionStep, Step, StepType } from '#shared/domain/workflows/workflow.model.ts';
import { branchOf, type Fault, nextOf } from '#shared/domain/workflows/workflow-steps.rules.ts';

/** Whether the steps of a template can succeed for the events that start it. */

type ImpossibleSteps = Readonly<Partial<Record<StepType, string>>>;

const ALREADY_PAID: ImpossibleSteps = { cancel_payment: 'the payment has succeeded' };
/** A link's payment may be only authorized yet, and a disputed one may have been captured in part. */
const ALREADY_CAPTURED: ImpossibleSteps = { ...ALREADY_PAID, capture_payment: 'nothing is left to capture' };

/**
 * Steps that can never succeed for an event type because of the resource's state, and why. A step that may become possible while the execution waits is
 * not listed: a failed payment may be retried.
 */
const IMPOSSIBLE_STEPS: Readonly<Partial<Record<EventType, ImpossibleSteps>>> = {
  'payment.succeeded': ALREADY_CAPTURED,
  'payment.canceled': {
    cancel_payment: 'the payment is already canceled',
    capture_payment: 'a canceled payment has nothing to capture',
    refund_payment: 'a canceled payment has nothing to refund',
  },
  'payment.refunded': ALREADY_CAPTURED,
  'subscription.canceled': { pause_subscription: 'a canceled subscription cannot be paused' },
  'invoice.paid': ALREADY_CAPTURED,
  'payment_link.paid': ALREADY_PAID,
  'dispute.created': ALREADY_PAID,
  'dispute.updated': ALREADY_PAID,
  'dispute.response_due': ALREADY_PAID,
  'dispute.closed': ALREADY_PAID,
};

/** The resource that a step acts on. */
const TARGETS: Readonly<Partial<Record<StepType, 'payment' | 'subscription'>>> = {
  tag_payment: 'payment',
  cancel_payment: 'payment',
  capture_payment: 'payment',
  refund_payment: 'payment',
  pause_subscription: 'subscription',
};

/** Fields of an event's data that lead to a resource: an invoice knows its subscription. */
const FIELDS_OF_TARGET = { payment: ['payment_id'], subscription: ['subscription_id', 'invoice_id'] } as const;

/** Why a step can never succeed for an event type: its resource is not in the event, or in the wrong state. */
function whyImpossible(type: EventType, step: StepType): string | undefined {
  const [about = ''] = type.split('.');
  const target = TARGETS[step];
  if (target === undefined || target === about) return IMPOSSIBLE_STEPS[type]?.[step];
  return FIELDS_OF_TARGET[target].some((name) => Object.hasOwn(EVENT_FIELDS[type], name))
    ? IMPOSSIBLE_STEPS[type]?.[step]
    : `the event is about a ${about.replace('_', ' ')}, not a ${target}`;
}

/** Steps that fail for every one of these event types for which they can be reached. */
export function faultsAt(types: readonly EventType[], steps: readonly Step[]): readonly Fault[] {
  const reached = types.map((type) => ({ type, ids: reachedAt(type, steps) }));
  return steps.flatMap((step, n) => {
    const faults = reached.filter(({ ids }) => ids.has(step.id)).map(({ type }) => faultAt(type, step));
    const [first] = faults;
    return first && faults.every((fault) => fault)
      ? [{ path: `steps.${n}.${first.field}`, message: first.message }]
      : [];
  });
}

function faultAt(type: EventType, step: Step): { readonly field: string; readonly message: string } | undefined {
  const why = whyImpossible(type, step.type);
  if (why !== undefined)
    return { field: 'type', message: `The step ${step.id} (${step.type}) cannot succeed for ${type}: ${why}.` };
  if (step.type !== 'condition') return undefined;
  const missing = missingField(type, step.if);
  return missing === undefined
    ? undefined
    : { field: 'if', message: `The step ${step.id} needs ${missing}, which ${type} never has.` };
}

/**
 * A field that a step's condition needs and no event of this type has. A template may run for several types, so fields
 * that the condition tests with has(), and conditions that test the type, are fine.
 */
function missingField(type: EventType, text: string): string | undefined {
  if (resultAt(type, text) !== undefined) return undefined;
  const { paths, tested } = pathsInExpression(text);
  if (paths.some(([of, name]) => of === 'event' && name === 'type')) return undefined;
  const excused = new Set(missingAt(type, tested).map(nameOf));
  return missingAt(type, paths)
    .map(nameOf)
    .find((name) => !excused.has(name));
}

const nameOf = (path: readonly string[]): string => ['data', ...path].join('.');

/** Why a rule's condition can never be true: it names a field that its event type never has. */
export function faultInRuleAt(type: EventType, condition: string): string | undefined {
  const [missing] = missingAt(type, pathsInExpression(condition).paths);
  return (
    missing &&
    `Refers to ${nameOf(missing)}, which ${type} never has. It has ${Object.keys(EVENT_FIELDS[type]).join(', ')}.`
  );
}

/**
 * The steps that an execution for this event type can reach. A condition that depends on the type alone has one branch.
 */
function reachedAt(type: EventType, steps: readonly Step[]): ReadonlySet<string> {
  const reached = new Set<string>();
  const ahead = [steps[0]?.id ?? null];
  for (let id = ahead.pop(); id !== undefined; id = ahead.pop()) {
    const step = steps.find((each) => each.id === id);
    if (!step || reached.has(step.id)) continue;
    reached.add(step.id);
    ahead.push(...(step.type === 'condition' ? branchesAt(type, step, steps) : [nextOf(step, steps)]));
  }
  return reached;
}

function branchesAt(type: EventType, step: ConditionStep, steps: readonly Step[]): readonly (string | null)[] {
  const decided = resultAt(type, step.if);
  return (decided === undefined ? [true, false] : [decided]).map((holds) => branchOf(step, holds, steps));
}

/**
 * The condition's result for every event of this type, if it depends only on the type and on fields that are missing.
 */
function resultAt(type: EventType, text: string): boolean | undefined {
  const isKnown = pathsInExpression(text).paths.every(([of, name]) =>
    of === 'event' ? name === 'type' : of === 'data' && name !== undefined && !Object.hasOwn(EVENT_FIELDS[type], name),
  );
  try {
    return isKnown ? isTrue(text, { event: { type }, data: {}, steps: {} }) : undefined;
  } catch (error) {
    if (error instanceof ExpressionWithoutValue) return undefined;
    throw error;
  }
}
