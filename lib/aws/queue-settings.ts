import type { Severity } from '#lib/aws/constructs/alarms.construct.ts';
import type { QueueName } from '#shared/ports/queue.port.ts';

export type QueueSettings = {
  /** A message older than this means that the queue's function is behind. */
  readonly lateMinutes: number;
  readonly severity: Severity;
};

/**
 * When each queue counts as late. A message that failed once and is hidden for six minutes is no backlog. Nor is a
 * delayed message, whether or not SQS counts the delay as age (UNVERIFIED). A new queue does not compile without a line
 * here.
 */
export const QUEUE_SETTINGS: Readonly<Record<QueueName, QueueSettings>> = {
  // First attempts go out within seconds. A retry is delayed by up to 15 minutes if the endpoint asks for that.
  'webhook-delivery': { lateMinutes: 20, severity: 'page' },
  // Dead endpoints set the pace. But a retry that is 15 minutes late is taken for lost and sent again, so after an hour
  // all of it would be doubled.
  'slow-deliveries': { lateMinutes: 60, severity: 'look' },
  // Nothing is delayed here. After 15 minutes the sweep enqueues the same work again.
  timers: { lateMinutes: 10, severity: 'page' },
  // 100,000 renewals due at midnight take 17 minutes at 100 a second.
  renewals: { lateMinutes: 30, severity: 'page' },
  // A step that is retried is delayed by up to 15 minutes.
  'workflow-runs': { lateMinutes: 20, severity: 'look' },
};
