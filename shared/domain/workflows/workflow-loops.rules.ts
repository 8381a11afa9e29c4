import type { EventType } from '#shared/domain/reference/events.catalog.ts';
import type { Definitions, StepType, Template, WorkflowRule } from '#shared/domain/workflows/workflow.model.ts';

/** Which events a step's act fires. */
const FIRED_BY: Readonly<Partial<Record<StepType, readonly EventType[]>>> = {
  cancel_payment: ['payment.canceled'],
  refund_payment: ['payment.refunded'],
  pause_subscription: ['subscription.paused'],
};

const firedBy = ({ steps }: Template): readonly EventType[] => steps.flatMap(({ type }) => FIRED_BY[type] ?? []);

/**
 * Rules that would set each other off without end, as what one of them does fires the event of the next; undefined
 * where none do. Rules that are turned off count too: turning one on must not need a look at all others.
 */
export function loopOf({
  rules,
  templates,
}: Pick<Definitions, 'rules' | 'templates'>): readonly WorkflowRule[] | undefined {
  const followers = (rule: WorkflowRule) => {
    const template = templates.find(({ id }) => id === rule.template_id);
    const fired = template ? firedBy(template) : [];
    return rules.filter(({ event }) => fired.includes(event));
  };
  for (const rule of rules) {
    const way = wayBack(rule, rule, followers, new Set());
    if (way) return way;
  }
  return undefined;
}

function wayBack(
  to: WorkflowRule,
  from: WorkflowRule,
  followers: (rule: WorkflowRule) => readonly WorkflowRule[],
  seen: Set<string>,
): readonly WorkflowRule[] | undefined {
  for (const next of followers(from)) {
    if (next.id === to.id) return [from];
    if (seen.has(next.id)) continue;
    seen.add(next.id);
    const way = wayBack(to, next, followers, seen);
    if (way) return [from, ...way];
  }
  return undefined;
}

/** In words, for people. */
export const loopInWords = (loop: readonly WorkflowRule[]): string =>
  `What ${loop.map(({ name, id }) => `"${name}" (${id})`).join(', then ')} would do sets the same rule off again. Workflows don't loop.`;
