import { mentionsInExpression, mentionsInText } from '#shared/domain/workflows/expression.rules.ts';
import type { Path } from '#shared/domain/workflows/expression-limits.rules.ts';
import type { Step, StepType } from '#shared/domain/workflows/workflow.model.ts';
import { type Fault, faultsInNames, loopsInSteps, stepsAfter } from '#shared/domain/workflows/workflow-steps.rules.ts';

/** What each type of step brings, beside its `status`; of `notify` either the first two, or the others. */
export const OUTPUTS = {
  http_request: ['status_code', 'duration_ms'],
  notify: ['status_code', 'duration_ms', 'mailed', 'rejected'],
  tag_payment: ['payment_id'],
  cancel_payment: ['payment_id', 'payment_status'],
  refund_payment: ['payment_id', 'refund_id', 'refund_status'],
  pause_subscription: ['subscription_id', 'subscription_status'],
  delay: [],
  condition: ['holds'],
} as const satisfies Readonly<Record<StepType, readonly string[]>>;

/** Where one step's expression names another one, and what of it: `expression` tells which, in a text with several. */
type Mention = { readonly field: string; readonly name: string; readonly rest: Path; readonly expression?: string };

/**
 * Expressions that name a step which can't have come before theirs on any way, or what it never brings, and so never
 * have a value; of each field the first. What only the data tells passes. Where names are wrong, or ways come back,
 * there is no telling.
 */
export function faultsInMentions(steps: readonly Step[]): readonly Fault[] {
  if (faultsInNames(steps).length > 0 || loopsInSteps(steps).length > 0) return [];
  return steps.flatMap((step, n) => {
    const before = steps.filter((other) => stepsAfter(other, steps).has(step.id));
    const faults = mentionsIn(step).flatMap((mention) => {
      const message = faultOf(mention, before, steps);
      return message === undefined ? [] : [{ path: `steps.${n}.${mention.field}`, message: said(mention, message) }];
    });
    return [...Map.groupBy(faults, ({ path }) => path).values()].flatMap(([first]) => first ?? []);
  });
}

function faultOf({ name, rest }: Mention, before: readonly Step[], steps: readonly Step[]): string | undefined {
  const step = before.find(({ id }) => id === name);
  if (step) return faultInRest(step, rest);
  const isStep = steps.some(({ id }) => id === name);
  return `Speaks of steps.${name}, ${isStep ? 'which never comes before this step' : 'and there is no such step'}.`;
}

function faultInRest({ id, type }: Step, [output, ...deeper]: Path): string | undefined {
  if (output === undefined) return undefined;
  const brought: readonly string[] = ['status', ...OUTPUTS[type]];
  if (brought.includes(output) && deeper.length === 0) return undefined;
  return `Speaks of ${['steps', id, output, ...deeper].join('.')}, and of a step of the type ${type} there ${brought.length > 1 ? 'are' : 'is'} ${brought.join(', ')}.`;
}

const said = ({ expression }: Mention, message: string): string =>
  expression === undefined ? message : `{{ ${expression} }}: ${message}`;

function mentionsIn(step: Step): readonly Mention[] {
  switch (step.type) {
    case 'condition':
      return mentionsOf(mentionsInExpression(step.if).paths).map((mention) => ({ field: 'if', ...mention }));
    case 'notify':
      return [...mentionsInJson(step.message, 'message'), ...mentionsInJson(step.subject, 'subject')];
    case 'http_request':
      return mentionsInJson(step.body, 'body');
    case 'tag_payment':
      return mentionsInJson(step.metadata, 'metadata');
    case 'refund_payment':
      return mentionsInJson(step.reason, 'reason');
    default:
      return [];
  }
}

const mentionsOf = (paths: readonly Path[]) =>
  paths.flatMap(([of, name, ...rest]) => (of === 'steps' && name !== undefined ? [{ name, rest }] : []));

/** What is stored has at most ten levels. */
function mentionsInJson(value: unknown, field: string): readonly Mention[] {
  if (typeof value === 'string')
    return mentionsInText(value).flatMap(({ expression, paths }) =>
      mentionsOf(paths).map((mention) => ({ field, ...mention, expression })),
    );
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) => mentionsInJson(inner, `${field}.${name}`));
}
