import { Duration } from 'aws-cdk-lib';
import { Queue } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import { ALARM_PERIOD, type ServiceAlarms } from '#lib/aws/constructs/alarms.construct.ts';
import { DeadLetters } from '#lib/aws/constructs/dead-letters.construct.ts';
import { FUNCTIONS } from '#lib/aws/function-table.ts';
import { QUEUE_LINES } from '#lib/aws/queue-table.ts';
import { MAX_RECEIVES } from '#shared/domain/webhooks/queue-message.rules.ts';
import type { QueueName } from '#shared/ports/queue.port.ts';

/**
 * A message stays hidden for so many time-outs of its function: throttled batches are tried again within it, and must
 * not come twice.
 */
const TIMEOUTS_HIDDEN = 6;

/**
 * Ten days less than dead letters: a message keeps its send time when it moves there, so at least ten days are left to
 * look at it.
 */
const KEPT = Duration.days(4);

export type ServiceQueueProps = { readonly name: QueueName; readonly alarms: ServiceAlarms };

/** One of the service's queues. A standard one: the message group that each sender gives makes it fair. */
export class ServiceQueue extends Construct {
  readonly queue: Queue;

  constructor(scope: Construct, id: string, { name, alarms }: ServiceQueueProps) {
    super(scope, id);
    const dead = new DeadLetters(this, 'DeadLetters', { alarms, name, of: `A message of the queue ${name}` });
    this.queue = new Queue(this, 'Queue', {
      visibilityTimeout: Duration.seconds(TIMEOUTS_HIDDEN * FUNCTIONS[name].timeoutSeconds),
      retentionPeriod: KEPT,
      enforceSSL: true,
      deadLetterQueue: { queue: dead.queue, maxReceiveCount: MAX_RECEIVES },
    });
    const { lateMinutes, severity } = QUEUE_LINES[name];
    alarms.watch(`${name}-late`, {
      severity,
      metric: this.queue.metricApproximateAgeOfOldestMessage({ period: ALARM_PERIOD, statistic: 'Maximum' }),
      above: Duration.minutes(lateMinutes).toSeconds(),
      lasting: { bad: 2, of: 3 },
      says: `Messages of the queue ${name} wait for more than ${lateMinutes} minutes: its function is behind, or has stopped.`,
    });
  }
}
