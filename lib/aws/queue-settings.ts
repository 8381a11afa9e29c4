import { QUEUES, type QueueName } from '#shared/ports/queue.port.ts';

export type QueueSettings = {
  /**
   * A message older than this means that the queue's function is behind. Missing: its work is in the due index too, and
   * the alarms of overdue work notice.
   */
  readonly lateMinutes?: number;
  /** The queue whose dead letters its own are put beside. SQS sends each back to where it came from. */
  readonly deadLettersOf?: QueueName;
};

/**
 * When each queue counts as late. A message that failed once and is hidden for six minutes is no backlog. Nor is a
 * delayed message, whether or not SQS counts the delay as age (UNVERIFIED). A new queue does not compile without a line
 * here.
 */
export const QUEUE_SETTINGS: Readonly<Record<QueueName, QueueSettings>> = {
  // First attempts go out within seconds. A retry is delayed by up to 15 minutes if the endpoint asks for that.
  'webhook-delivery': { lateMinutes: 20 },
  // Dead endpoints set the pace.
  'slow-deliveries': { deadLettersOf: 'webhook-delivery' },
  // All of this is in the due index, so that nothing is lost.
  timers: {},
  renewals: { deadLettersOf: 'timers' },
  'workflow-runs': { deadLettersOf: 'timers' },
};

/** Whose failed work has a queue of its own: some queues, the bus, and both readers of the stream together. */
export const DEAD_LETTERS = [...QUEUES.filter((name) => !QUEUE_SETTINGS[name].deadLettersOf), 'bus', 'stream'] as const;
export type DeadLettersName = (typeof DEAD_LETTERS)[number];
