/** The service's queues; `functions/queue-table.ts` says which function reads each. */
export const QUEUES = ['webhook-delivery', 'slow-deliveries', 'timers', 'renewals', 'workflow-runs'] as const;
export type QueueName = (typeof QUEUES)[number];

export type QueueMessage = {
  readonly body: Readonly<Record<string, unknown>>;
  /** For fairness: one group's backlog does not delay another's. Usually the organization. */
  readonly group?: string;
  /** 0 to 900, as SQS allows. */
  readonly delaySeconds?: number;
};

/** At least once, in no order. */
export interface QueuePort {
  send(queue: QueueName, messages: readonly QueueMessage[]): Promise<void>;
}

export type ReceivedMessage = {
  readonly id: string;
  readonly body: Readonly<Record<string, unknown>>;
  readonly receiveCount: number;
};

/** Returns the ids of failed messages. They are delivered again, and after the last try go to the dead-letter queue. */
export type QueueConsumer = (messages: readonly ReceivedMessage[]) => Promise<{ readonly failed: readonly string[] }>;
