import type { QueueName } from '#shared/ports/queue.port.ts';

/** Who hears of an event, by its type: an exact one, or a group's with `.*`, or `*` for all. A new consumer is a line here. */
export const SUBSCRIPTIONS = {
  '*': ['webhook-delivery'],
  'payment.*': ['workflow-runs'],
  'payment_link.*': ['workflow-runs'],
  'subscription.*': ['workflow-runs'],
  'invoice.*': ['workflow-runs'],
} as const satisfies Readonly<Record<string, readonly QueueName[]>>;
