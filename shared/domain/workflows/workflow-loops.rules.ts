import type { EventType } from '#shared/domain/reference/events.catalog.ts';
import type { Definitions, StepType, Template, WorkflowRule } from '#shared/domain/workflows/workflow.model.ts';

/** The events that a step causes. */
const EVENTS_OF_STEP: Readonly<Partial<Record<StepType, readonly EventType[]>>> = {
  cancel_payment: ['payment.canceled'],
  refund_payment: ['payment.refunded'],
  pause_subscription: ['subscription.paused'],
};

const eventsOf = ({ steps }: Template): readonly EventType[] => steps.flatMap(({ type }) => EVENTS_OF_STEP[type] ?? []);

/**
 * Rules that would start each other without end, because the steps of each cause the event of the next. Undefined if
 * there are none. Disabled rules count too, so that enabling one needs no further check.
 */
export function loopOf({
  rules,
  templates,
}: Pick<Definitions, 'rules' | 'templates'>): readonly WorkflowRule[] | undefined {
  const followers = (rule: WorkflowRule) => {
    const template = templates.find(({ id }) => id === rule.template_id);
    const fired = template ? eventsOf(template) : [];
    return rules.filter(({ event }) => fired.includes(event));
  };
  for (const rule of rules) {
    const way = pathBack(rule, rule, followers, new Set());
    if (way) return way;
  }
  return undefined;
}

function pathBack(
  to: WorkflowRule,
  from: WorkflowRule,
  followers: (rule: WorkflowRule) => readonly WorkflowRule[],
  seen: Set<string>,
): readonly WorkflowRule[] | undefined {
  for (const next of followers(from)) {
    if (next.id === to.id) return [from];
    if (seen.has(next.id)) continue;
    seen.add(next.id);
    const way = pathBack(to, next, followers, seen);
    if (way) return [from, ...way];
  }
  return undefined;
}

export const describeLoop = (loop: readonly WorkflowRule[]): string =>
  `The events that ${loop.map(({ name, id }) => `"${name}" (${id})`).join(', then ')} ` +
  'cause start the first rule again. Workflows must not loop.';
