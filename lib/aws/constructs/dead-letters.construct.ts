import { Stack } from 'aws-cdk-lib';
import { type IQueue, Queue } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import { ALARM_PERIOD, type ServiceAlarms } from '#lib/aws/constructs/alarms.construct.ts';
import type { DeadLettersName } from '#lib/aws/queue-settings.ts';
import type { ResourceNames } from '#lib/aws/stack-names.ts';

export type DeadLettersProps = {
  readonly names: ResourceNames;
  readonly alarms: ServiceAlarms;
  readonly name: DeadLettersName;
  /** What the messages are, for whoever the alarm wakes. */
  readonly of: string;
};

/**
 * Work that failed for good and that a person must look at: a queue of the state stack, so that it outlives the service
 * stack. Any message raises an alarm.
 */
export class DeadLetters extends Construct {
  readonly queue: IQueue;
  /** Whose work it was. */
  readonly label: DeadLettersName;

  constructor(scope: Construct, id: string, { names, alarms, name, of }: DeadLettersProps) {
    super(scope, id);
    this.label = name;
    const queueName = names.deadLetters(name);
    const queueArn = Stack.of(this).formatArn({ service: 'sqs', resource: queueName });
    this.queue = Queue.fromQueueAttributes(this, 'Queue', { queueArn, queueName });
    alarms.watch(`${name}-dead-letters`, {
      severity: 'look',
      metric: this.queue.metricApproximateNumberOfMessagesVisible({ period: ALARM_PERIOD, statistic: 'Maximum' }),
      description: `${of} could not be dealt with, and lies in the queue ${queueName}.`,
    });
  }
}
