import { stepsInExpression, stepsInText } from '#shared/domain/expression.rules.ts';
import type { Step } from '#shared/domain/workflow.model.ts';
import { type Fault, faultsInNames, loopsInSteps, stepsAfter } from '#shared/domain/workflow-steps.rules.ts';

/** Where one step's expression names another one: `expression` tells which, in a text with several. */
type Mention = { readonly field: string; readonly name: string; readonly expression?: string };

/**
 * Expressions that name a step which can't have come before theirs on any way, and so never have a value; of each field the
 * first. What only the data tells passes. Where names are wrong, or ways come back, there is no telling.
 */
export function faultsInMentions(steps: readonly Step[]): readonly Fault[] {
  if (faultsInNames(steps).length > 0 || loopsInSteps(steps).length > 0) return [];
  return steps.flatMap((step, n) => {
    const before = new Set(steps.filter((other) => stepsAfter(other, steps).has(step.id)).map(({ id }) => id));
    const wrong = mentionsIn(step).filter(({ name }) => !before.has(name));
    return [...Map.groupBy(wrong, ({ field }) => field)].flatMap(([field, [first]]) =>
      first ? [{ path: `steps.${n}.${field}`, message: messageOf(first, steps) }] : [],
    );
  });
}

function messageOf({ name, expression }: Mention, steps: readonly Step[]): string {
  const isStep = steps.some(({ id }) => id === name);
  const message = `Speaks of steps.${name}, ${isStep ? 'which never comes before this step' : 'and there is no such step'}.`;
  return expression === undefined ? message : `{{ ${expression} }}: ${message}`;
}

function mentionsIn(step: Step): readonly Mention[] {
  switch (step.type) {
    case 'condition':
      return stepsInExpression(step.if).map((name) => ({ field: 'if', name }));
    case 'notify':
      return [...mentionsInJson(step.message, 'message'), ...mentionsInJson(step.subject, 'subject')];
    case 'http_request':
      return mentionsInJson(step.body, 'body');
    default:
      return [];
  }
}

/** What is stored has at most ten levels. */
function mentionsInJson(value: unknown, field: string): readonly Mention[] {
  if (typeof value === 'string') return stepsInText(value).flatMap(({ expression, steps }) => steps.map((name) => ({ field, name, expression })));
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) => mentionsInJson(inner, `${field}.${name}`));
}
