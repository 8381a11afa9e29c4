import type { EventType } from '#shared/domain/reference/events.catalog.ts';
import { EVENT_FIELDS } from '#shared/domain/webhooks/event-fields.catalog.ts';
import { isTrue, mentionsInExpression, NoValue } from '#shared/domain/workflows/expression.rules.ts';
import { missingAt } from '#shared/domain/workflows/expression-names.rules.ts';
import type { ConditionStep, Step, StepType } from '#shared/domain/workflows/workflow.model.ts';
import { branchOf, type Fault, nextOf } from '#shared/domain/workflows/workflow-steps.rules.ts';

/** Whether a template's steps can work for the events that it runs for. */

type Never = Readonly<Partial<Record<StepType, string>>>;

const NO_PAYMENT = 'a subscription is no payment';
const OF_SUBSCRIPTIONS: Never = { tag_payment: NO_PAYMENT, cancel_payment: NO_PAYMENT, refund_payment: NO_PAYMENT };
const PAID: Never = { cancel_payment: 'the payment has its money' };

/**
 * What can't be done for any event of a type, then or later, and why. What may become possible while an execution waits
 * is none of it: a payment that failed may be tried again.
 */
const NEVER: Readonly<Partial<Record<EventType, Never>>> = {
  'payment.succeeded': PAID,
  'payment.canceled': {
    cancel_payment: 'the payment is canceled already',
    refund_payment: 'a canceled payment has no money to give back',
  },
  'payment.refunded': PAID,
  'subscription.created': OF_SUBSCRIPTIONS,
  'subscription.updated': OF_SUBSCRIPTIONS,
  'subscription.canceled': { ...OF_SUBSCRIPTIONS, pause_subscription: 'a canceled subscription stays so' },
  'subscription.paused': OF_SUBSCRIPTIONS,
  'subscription.resumed': OF_SUBSCRIPTIONS,
  'subscription.renewed': OF_SUBSCRIPTIONS,
  'invoice.paid': PAID,
  'payment_link.paid': { ...PAID, pause_subscription: 'the payment of a link belongs to no subscription' },
};

/** Faults that a step has at each of these events at which it may be reached: at one of them it would have to work. */
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
  const why = NEVER[type]?.[step.type];
  if (why !== undefined)
    return { field: 'type', message: `The step ${step.id} (${step.type}) never works for ${type}: ${why}.` };
  if (step.type !== 'condition') return undefined;
  const missing = neverThere(type, step.if);
  return missing === undefined
    ? undefined
    : { field: 'if', message: `The step ${step.id} asks for ${missing}, which ${type} never has.` };
}

/**
 * What a step's condition needs and no event of this type has. A template may run for several types: what asks by has()
 * whether the field is there, or for the type, sees to that itself.
 */
function neverThere(type: EventType, text: string): string | undefined {
  if (decidedAt(type, text) !== undefined) return undefined;
  const { paths, asked } = mentionsInExpression(text);
  if (paths.some(([of, name]) => of === 'event' && name === 'type')) return undefined;
  const excused = new Set(missingAt(type, asked).map(nameOf));
  return missingAt(type, paths)
    .map(nameOf)
    .find((name) => !excused.has(name));
}

const nameOf = (path: readonly string[]): string => ['data', ...path].join('.');

/** Why the condition of a rule can't hold, as it speaks of what no event of its type has. */
export function faultInRuleAt(type: EventType, condition: string): string | undefined {
  const [missing] = missingAt(type, mentionsInExpression(condition).paths);
  return (
    missing &&
    `Speaks of ${nameOf(missing)}, which ${type} never has. It has ${Object.keys(EVENT_FIELDS[type]).join(', ')}.`
  );
}

/**
 * The steps that an execution for such an event may come to: where a condition's outcome follows from the type alone,
 * by that way only.
 */
function reachedAt(type: EventType, steps: readonly Step[]): ReadonlySet<string> {
  const reached = new Set<string>();
  const ahead = [steps[0]?.id ?? null];
  for (let id = ahead.pop(); id !== undefined; id = ahead.pop()) {
    const step = steps.find((each) => each.id === id);
    if (!step || reached.has(step.id)) continue;
    reached.add(step.id);
    ahead.push(...(step.type === 'condition' ? waysAt(type, step, steps) : [nextOf(step, steps)]));
  }
  return reached;
}

function waysAt(type: EventType, step: ConditionStep, steps: readonly Step[]): readonly (string | null)[] {
  const decided = decidedAt(type, step.if);
  return (decided === undefined ? [true, false] : [decided]).map((holds) => branchOf(step, holds, steps));
}

/**
 * What it comes to for each event of this type, as it asks for the type and for what such events never have; undefined
 * where that depends, or is nothing.
 */
function decidedAt(type: EventType, text: string): boolean | undefined {
  const isKnown = mentionsInExpression(text).paths.every(([of, name]) =>
    of === 'event' ? name === 'type' : of === 'data' && name !== undefined && !Object.hasOwn(EVENT_FIELDS[type], name),
  );
  try {
    return isKnown ? isTrue(text, { event: { type }, data: {}, steps: {} }) : undefined;
  } catch (error) {
    if (error instanceof NoValue) return undefined;
    throw error;
  }
}
