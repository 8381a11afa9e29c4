import { Duration, Validations } from 'aws-cdk-lib';
import { Queue } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import { ALARM_PERIOD, type ServiceAlarms } from '#lib/aws/constructs/alarms.construct.ts';

export type DeadLettersProps = {
  readonly alarms: ServiceAlarms;
  readonly name: string;
  /** What the messages are, for whoever the alarm wakes. */
  readonly of: string;
};

/**
 * A queue for work that failed for good and that a person must look at. SQS keeps a message for its longest time,
 * counted from when it was first sent. Any message raises an alarm.
 */
export class DeadLetters extends Construct {
  readonly queue: Queue;
  /** The function whose work it was. */
  readonly label: string;

  constructor(scope: Construct, id: string, { alarms, name, of }: DeadLettersProps) {
    super(scope, id);
    this.label = name;
    this.queue = new Queue(this, 'Queue', { retentionPeriod: Duration.days(14), enforceSSL: true });
    Validations.of(this.queue).acknowledge({
      id: 'AwsSolutions-SQS3',
      reason: 'This is where what failed ends: nothing takes messages from here by itself, so nothing can fail again.',
    });
    alarms.watch(`${name}-dead-letters`, {
      severity: 'look',
      metric: this.queue.metricApproximateNumberOfMessagesVisible({ period: ALARM_PERIOD, statistic: 'Maximum' }),
      description: `${of} could not be dealt with, and lies in the queue ${this.queue.node.path}.`,
    });
  }
}
