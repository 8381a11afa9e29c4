import { Duration } from 'aws-cdk-lib';
import { Queue } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import { ALARM_PERIOD, type ServiceAlarms } from '#lib/aws/constructs/alarms.construct.ts';
import { DeadLetters } from '#lib/aws/constructs/dead-letters.construct.ts';
import { FUNCTIONS } from '#lib/aws/function-table.ts';
import { DEAD_LETTERS, QUEUE_SETTINGS } from '#lib/aws/queue-settings.ts';
import type { ResourceNames } from '#lib/aws/stack-names.ts';
import { MAX_RECEIVES } from '#shared/domain/webhooks/queue-message.rules.ts';
import { QUEUES, type QueueName } from '#shared/ports/queue.port.ts';

/**
 * The visibility timeout, in timeouts of the function. Throttled batches are retried within it, and must not be
 * delivered twice.
 */
const VISIBILITY_TIMEOUTS = 6;

/**
 * A message keeps its send time when it moves to the dead-letter queue, which keeps it for 14 days. So at least ten
 * days remain to look at it.
 */
const RETENTION = Duration.days(4);

export type ServiceQueueProps = {
  readonly name: QueueName;
  readonly names: ResourceNames;
  readonly alarms: ServiceAlarms;
  /** Where its dead letters go, if not to a queue of their own. */
  readonly dead?: DeadLetters;
};

/** One of the service's queues: a standard queue, made fair by the message group that each sender sets. */
export class ServiceQueue extends Construct {
  readonly queue: Queue;
  readonly dead: DeadLetters;

  constructor(scope: Construct, id: string, { name, names, alarms, dead }: ServiceQueueProps) {
    super(scope, id);
    this.dead = dead ?? ownDeadLetters(this, { name, names, alarms });
    this.queue = new Queue(this, 'Queue', {
      visibilityTimeout: Duration.seconds(VISIBILITY_TIMEOUTS * FUNCTIONS[name].timeoutSeconds),
      retentionPeriod: RETENTION,
      enforceSSL: true,
      deadLetterQueue: { queue: this.dead.queue, maxReceiveCount: MAX_RECEIVES },
    });
    const { lateMinutes } = QUEUE_SETTINGS[name];
    if (lateMinutes === undefined) return;
    alarms.watch(`${name}-late`, {
      severity: 'page',
      metric: this.queue.metricApproximateAgeOfOldestMessage({ period: ALARM_PERIOD, statistic: 'Maximum' }),
      above: Duration.minutes(lateMinutes).toSeconds(),
      lasting: { bad: 2, of: 3 },
      description:
        `Messages of the queue ${name} wait for more than ${lateMinutes} minutes: its function is behind, or has ` +
        'stopped.',
    });
  }
}

function ownDeadLetters(scope: Construct, { name, names, alarms }: ServiceQueueProps): DeadLetters {
  const label = DEAD_LETTERS.find((each) => each === name);
  if (!label) throw new Error(`The queue ${name} has no dead letters of its own: see QUEUE_SETTINGS.`);
  return new DeadLetters(scope, 'DeadLetters', { names, alarms, name: label, of: `A message of the queue ${name}` });
}

/** All queues of a stage. Those that share dead letters come after the queue that has them. */
export function serviceQueues(
  scope: Construct,
  props: Pick<ServiceQueueProps, 'names' | 'alarms'>,
): Readonly<Record<QueueName, Queue>> {
  const made = new Map<QueueName, ServiceQueue>();
  for (const name of QUEUES) {
    const { deadLettersOf } = QUEUE_SETTINGS[name];
    const dead = deadLettersOf && made.get(deadLettersOf)?.dead;
    made.set(name, new ServiceQueue(scope, name, { ...props, name, ...(dead && { dead }) }));
  }
  return Object.fromEntries([...made].map(([name, { queue }]) => [name, queue])) as Record<QueueName, Queue>;
}
