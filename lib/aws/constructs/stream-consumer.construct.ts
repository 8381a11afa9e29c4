import { Duration, Stack, Validations } from 'aws-cdk-lib';
import type { Table } from 'aws-cdk-lib/aws-dynamodb';
import { PolicyStatement, type Role } from 'aws-cdk-lib/aws-iam';
import { EventSourceMapping, FilterCriteria, type Function as Lambda, StartingPosition } from 'aws-cdk-lib/aws-lambda';
import { SqsDlq } from 'aws-cdk-lib/aws-lambda-event-sources';
import { Construct } from 'constructs';
import { ALARM_PERIOD, type ServiceAlarms } from '#lib/aws/constructs/alarms.construct.ts';
import { DeadLetters } from '#lib/aws/constructs/dead-letters.construct.ts';
import type { FunctionName } from '#lib/aws/function-table.ts';
import { keys, STAT_PREFIX } from '#shared/store/keys.ts';

/**
 * Counters, what people sign in with, and executions, which announce nothing. What is left out is named, so that a new
 * kind of item is not forgotten.
 */
const SILENT = [
  keys.apiKey,
  keys.address,
  keys.velocity,
  keys.retryBudget,
  keys.session,
  keys.signInLink,
  keys.passkeyChallenge,
  keys.execution,
].map((key) => key('').sk);
const HEARD = {
  sk: { S: [{ 'anything-but': SILENT }] },
  pk: { S: [{ 'anything-but': { prefix: STAT_PREFIX } }] },
};
/** What totals are made of. */
const COUNTED = { sk: { S: ['PAY', 'EXEC'] } };

/**
 * The sweeper looks after what is not relayed within five minutes: an older stream is late, and nobody waits any longer
 * for what fails.
 */
const LATE = Duration.minutes(5);

export type StreamConsumerProps = {
  readonly name: FunctionName;
  readonly table: Table;
  readonly lambda: Lambda;
  readonly role: Role;
  readonly alarms: ServiceAlarms;
  /**
   * It keeps totals. It must know the shard, which Lambda names only within a window, and miss nothing: nobody
   * looks after what it has not seen. So what fails is tried for the day that the stream keeps it, and the shard waits.
   */
  readonly counts?: boolean;
};

const GIVES_UP = { retryAttempts: 10, maxRecordAge: Duration.hours(1) };
/** The longest window there is: its end costs an invocation. Waiting a second makes fewer and larger batches. */
const COUNTS = { tumblingWindow: Duration.minutes(15), maxBatchingWindow: Duration.seconds(1) };

/**
 * Tells a function of every change of the table, in order within a shard. A stream bears two such readers and no third.
 * What fails is halved until the record that does is alone, and put aside after some tries, so that no shard waits for
 * it.
 */
export class StreamConsumer extends Construct {
  constructor(
    scope: Construct,
    id: string,
    { name, table, lambda, role, alarms, counts = false }: StreamConsumerProps,
  ) {
    super(scope, id);
    const dead = new DeadLetters(this, 'DeadLetters', {
      alarms,
      name,
      of: `A change of the table that ${name} failed at`,
    });
    readStream(table, role);
    new EventSourceMapping(this, 'Mapping', {
      target: lambda,
      eventSourceArn: table.tableStreamArn,
      startingPosition: StartingPosition.TRIM_HORIZON,
      batchSize: 100,
      // More would read one shard's changes side by side, and the projector counts on their order.
      parallelizationFactor: 1,
      bisectBatchOnError: true,
      reportBatchItemFailures: true,
      ...(counts ? COUNTS : GIVES_UP),
      onFailure: new SqsDlq(dead.queue),
      filters: [FilterCriteria.filter({ dynamodb: { Keys: counts ? COUNTED : HEARD } })],
    });
    alarms.watch(`${name}-age`, {
      severity: counts ? 'look' : 'page',
      metric: lambda.metric('IteratorAge', { period: ALARM_PERIOD, statistic: 'Maximum' }),
      above: LATE.toMilliseconds(),
      says: `The function ${name} is behind the table's stream: ${counts ? 'totals are' : 'events go out'} late.`,
    });
  }
}

/** Lambda looks for the table's streams by itself, and tells no one stream from another when it does. */
function readStream(table: Table, role: Role): void {
  const [reads, lists] = [
    ['dynamodb:DescribeStream', 'dynamodb:GetRecords', 'dynamodb:GetShardIterator'],
    ['dynamodb:ListStreams'],
  ];
  role.addToPolicy(new PolicyStatement({ actions: reads, resources: [table.tableStreamArn ?? ''] }));
  role.addToPolicy(new PolicyStatement({ actions: lists, resources: [`${table.tableArn}/stream/*`] }));
  const [name] = Stack.of(table).resolve(table.tableArn)['Fn::GetAtt'];
  Validations.of(role).acknowledge({
    id: `AwsSolutions-IAM5[Resource::<${name}.Arn>/stream/*]`,
    reason:
      'ListStreams knows no single stream. Within the table it only names streams; reading one is allowed for the present one alone.',
  });
}
