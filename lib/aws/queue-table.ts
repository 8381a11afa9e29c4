import type { Severity } from '#lib/aws/constructs/alarms.construct.ts';
import type { QueueName } from '#shared/ports/queue.port.ts';

export type QueueLine = {
  /** A message older than this means that the queue's function is behind. */
  readonly lateMinutes: number;
  readonly severity: Severity;
};

/**
 * When each queue counts as late. A message that failed once, and is hidden for six minutes, makes no backlog; nor does
 * one that was sent with a delay, whether or not SQS counts the delay as age (UNVERIFIED). A new queue does not compile
 * without its line.
 */
export const QUEUE_LINES: Readonly<Record<QueueName, QueueLine>> = {
  // First tries go out within seconds. A retry is delayed by up to 15 minutes if its receiver asks for that.
  'webhook-delivery': { lateMinutes: 20, severity: 'page' },
  // Receivers that are down set the pace. But a retry not made 15 minutes after its time is taken for lost and sent
  // again: at an hour all of it is doubled.
  'slow-deliveries': { lateMinutes: 60, severity: 'look' },
  // Nothing is delayed here, and after 15 minutes the sweep hands out the same work again.
  timers: { lateMinutes: 10, severity: 'page' },
  // 100,000 renewals due at midnight take 17 minutes at 100 a second.
  renewals: { lateMinutes: 30, severity: 'page' },
  // A step that is retried is delayed by up to 15 minutes.
  'workflow-runs': { lateMinutes: 20, severity: 'look' },
};
