import type { EventType } from '#shared/domain/reference/events.catalog.ts';
import type { Definitions, StepType, Template, WorkflowRule } from '#shared/domain/workflows/workflow.model.ts';

/** The events that a step causes. */
const EVENTS_OF_STEP: Readonly<Partial<Record<StepType, readonly EventType[]>>> = {
  cancel_payment: ['payment.canceled'],
  capture_payment: ['payment.captured', 'payment.capture_failed', 'payment.succeeded'],
  refund_payment: ['payment.refunded'],
  pause_subscription: ['subscription.paused'],
};

const eventsOf = ({ steps }: Template): readonly EventType[] => steps.flatMap(({ type }) => EVENTS_OF_STEP[type] ?? []);

/**
 * Rules that would start each other endlessly, because the steps of each cause the event of the next. Undefined if
 * there is no loop. Disabled rules count too, so that enabling one needs no further check.
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
    const loop = findPathBack(rule, rule, followers, new Set());
    if (loop) return loop;
  }
  return undefined;
}

function findPathBack(
  to: WorkflowRule,
  from: WorkflowRule,
  followers: (rule: WorkflowRule) => readonly WorkflowRule[],
  seen: Set<string>,
): readonly WorkflowRule[] | undefined {
  for (const next of followers(from)) {
    if (next.id === to.id) return [from];
    if (seen.has(next.id)) continue;
    seen.add(next.id);
    const loop = findPathBack(to, next, followers, seen);
    if (loop) return [from, ...loop];
  }
  return undefined;
}

export const describeLoop = (loop: readonly WorkflowRule[]): string =>
  `The events that ${loop.map(({ name, id }) => `"${name}" (${id})`).join(', then ')} ` +
  'cause start the first rule again. Workflows must not loop.';
