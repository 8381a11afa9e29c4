import type { BusEvent } from '#shared/ports/bus.port.ts';
import type { QueueName } from '#shared/ports/queue.port.ts';

/**
 * The queues that receive an event, by its exact type, a prefix with `.*`, or `*` for all. Adding a consumer is adding
 * a line.
 */
export const EVENT_QUEUES = {
  '*': ['webhook-delivery'],
  'payment.*': ['workflow-runs'],
  'payment_link.*': ['workflow-runs'],
  'subscription.*': ['workflow-runs'],
  'invoice.*': ['workflow-runs'],
  'dispute.*': ['workflow-runs'],
} as const satisfies Readonly<Record<string, readonly QueueName[]>>;

/** Queues that do not get an event with this field: the relay sets it where their consumer would find nothing to do. */
export const SKIPPED_BY = { 'workflow-runs': 'workflows' } as const satisfies Readonly<
  Partial<Record<QueueName, keyof BusEvent>>
>;
