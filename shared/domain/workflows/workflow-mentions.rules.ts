import { pathsInExpression, pathsInText } from '#shared/domain/workflows/expression.rules.ts';
import type { NamePath } from '#shared/domain/workflows/expression-limits.rules.ts';
import type { Step, StepType } from '#shared/domain/workflows/workflow.model.ts';
import { type Fault, faultsInNames, loopsInSteps, stepsAfter } from '#shared/domain/workflows/workflow-steps.rules.ts';

/** The outputs of each type of step, besides `status`. `notify` has the first two (Slack) or the last two (mail). */
export const OUTPUTS = {
  http_request: ['status_code', 'duration_ms'],
  notify: ['status_code', 'duration_ms', 'mailed', 'rejected'],
  tag_payment: ['payment_id'],
  cancel_payment: ['payment_id', 'payment_status'],
  capture_payment: ['payment_id', 'capture_id', 'capture_status'],
  refund_payment: ['payment_id', 'refund_id', 'refund_status'],
  pause_subscription: ['subscription_id', 'subscription_status'],
  delay: [],
  condition: ['holds'],
} as const satisfies Readonly<Record<StepType, readonly string[]>>;

/** A reference from one step's field to an output of another. `expression`: which one, in a text with several. */
type StepReference = {
  readonly field: string;
  readonly name: string;
  readonly rest: NamePath;
  readonly expression?: string;
};

/**
 * References that can never have a value: to a step that never comes before, or to an output that it never has. The
 * first of each field is reported. With wrong ids or loops nothing can be said yet.
 */
export function faultsInReferences(steps: readonly Step[]): readonly Fault[] {
  if (faultsInNames(steps).length > 0 || loopsInSteps(steps).length > 0) return [];
  return steps.flatMap((step, n) => {
    const before = steps.filter((other) => stepsAfter(other, steps).has(step.id));
    const faults = referencesIn(step).flatMap((mention) => {
      const message = faultOf(mention, before, steps);
      return message === undefined
        ? []
        : [{ path: `steps.${n}.${mention.field}`, message: withExpression(mention, message) }];
    });
    return [...Map.groupBy(faults, ({ path }) => path).values()].flatMap(([first]) => first ?? []);
  });
}

function faultOf({ name, rest }: StepReference, before: readonly Step[], steps: readonly Step[]): string | undefined {
  const step = before.find(({ id }) => id === name);
  if (step) return outputFault(step, rest);
  const isStep = steps.some(({ id }) => id === name);
  return isStep
    ? `Refers to steps.${name}, which never runs before this step.`
    : `Refers to steps.${name}, but there is no such step.`;
}

function outputFault({ id, type }: Step, [output, ...deeper]: NamePath): string | undefined {
  if (output === undefined) return undefined;
  const outputs: readonly string[] = ['status', ...OUTPUTS[type]];
  if (outputs.includes(output) && deeper.length === 0) return undefined;
  return (
    `Refers to ${['steps', id, output, ...deeper].join('.')}, but a step of the type ${type} has only ` +
    `${outputs.join(', ')}.`
  );
}

const withExpression = ({ expression }: StepReference, message: string): string =>
  expression === undefined ? message : `{{ ${expression} }}: ${message}`;

function referencesIn(step: Step): readonly StepReference[] {
  switch (step.type) {
    case 'condition':
      return stepReferences(pathsInExpression(step.if).paths).map((mention) => ({ field: 'if', ...mention }));
    case 'notify':
      return [...referencesInJson(step.message, 'message'), ...referencesInJson(step.subject, 'subject')];
    case 'http_request':
      return referencesInJson(step.body, 'body');
    case 'tag_payment':
      return referencesInJson(step.metadata, 'metadata');
    case 'refund_payment':
      return referencesInJson(step.reason, 'reason');
    default:
      return [];
  }
}

const stepReferences = (paths: readonly NamePath[]) =>
  paths.flatMap(([of, name, ...rest]) => (of === 'steps' && name !== undefined ? [{ name, rest }] : []));

/** The value's depth was limited when it was saved. */
function referencesInJson(value: unknown, field: string): readonly StepReference[] {
  if (typeof value === 'string')
    return pathsInText(value).flatMap(({ expression, paths }) =>
      stepReferences(paths).map((mention) => ({ field, ...mention, expression })),
    );
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) => referencesInJson(inner, `${field}.${name}`));
}
