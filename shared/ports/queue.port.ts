/** The service's queues. `docs` of each: what a message in it asks for. */
export const QUEUES = ['webhook-delivery', 'slow-deliveries', 'timers', 'renewals', 'workflow-runs'] as const;
export type QueueName = (typeof QUEUES)[number];

export type QueueMessage = {
  readonly body: Readonly<Record<string, unknown>>;
  /** Fairness: one group's backlog does not delay another's. The organization, usually. */
  readonly group?: string;
  /** 0 to 900, as SQS allows. */
  readonly delaySeconds?: number;
};

/** At least once, in no order. */
export interface QueuePort {
  send(queue: QueueName, messages: readonly QueueMessage[]): Promise<void>;
}

export type Received = { readonly id: string; readonly body: Readonly<Record<string, unknown>>; readonly receiveCount: number };

/** Answers the ids of those that failed; they come again, and after the last try lie in the dead-letter queue. */
export type QueueConsumer = (messages: readonly Received[]) => Promise<{ readonly failed: readonly string[] }>;
