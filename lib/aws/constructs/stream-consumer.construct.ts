import { Duration, Validations } from 'aws-cdk-lib';
import type { ITableV2 } from 'aws-cdk-lib/aws-dynamodb';
import { PolicyStatement, type Role } from 'aws-cdk-lib/aws-iam';
import { type Alias, EventSourceMapping, FilterCriteria, StartingPosition } from 'aws-cdk-lib/aws-lambda';
import { SqsDlq } from 'aws-cdk-lib/aws-lambda-event-sources';
import { Construct } from 'constructs';
import type { DeadLetters } from '#lib/aws/constructs/dead-letters.construct.ts';
import { wildcardFinding } from '#lib/aws/wildcard.ts';
import { STREAM_FILTERS } from '#shared/store/dynamo/dynamo-schema.ts';

export type StreamConsumerProps = {
  readonly table: ITableV2;
  readonly alias: Alias;
  readonly role: Role;
  /** Takes the places of changes that failed for good. Both consumers share it: each message names its function. */
  readonly dead: DeadLetters;
  /**
   * Whether the function keeps totals. It then needs the shard, which Lambda names only within a window, and must miss
   * nothing, as no sweep repeats its work. So a failing batch is retried for the day that the stream keeps it, and its
   * shard waits.
   */
  readonly counts?: boolean;
  /** Of a closed service it is not: nothing is read. */
  readonly enabled: boolean;
};

const BOUNDED_RETRIES = { retryAttempts: 10, maxRecordAge: Duration.hours(1) };
/** The longest window, as each end of a window costs an invocation. Waiting a second makes fewer and larger batches. */
const COUNTING_WINDOWS = { tumblingWindow: Duration.minutes(15), maxBatchingWindow: Duration.seconds(1) };

/**
 * Invokes a function with every change of the table, in order within a shard. A stream supports two consumers, not
 * three. A failing batch is halved until the failing record is alone, and that is put aside after some retries, so that
 * no shard waits for it.
 */
export class StreamConsumer extends Construct {
  constructor(
    scope: Construct,
    id: string,
    { table, alias, role, dead, enabled, counts = false }: StreamConsumerProps,
  ) {
    super(scope, id);
    readStream(table, role);
    new EventSourceMapping(this, 'Mapping', {
      target: alias,
      enabled,
      ...(table.tableStreamArn && { eventSourceArn: table.tableStreamArn }),
      startingPosition: StartingPosition.TRIM_HORIZON,
      batchSize: 100,
      // More would process one shard's changes in parallel, but the projector relies on their order.
      parallelizationFactor: 1,
      bisectBatchOnError: true,
      reportBatchItemFailures: true,
      ...(counts ? COUNTING_WINDOWS : BOUNDED_RETRIES),
      onFailure: new SqsDlq(dead.queue),
      filters: [
        FilterCriteria.filter({ dynamodb: { Keys: counts ? STREAM_FILTERS.projector : STREAM_FILTERS.relay } }),
      ],
    });
  }
}

/** Lambda lists streams itself, and that action cannot be limited to one stream. */
function readStream(table: ITableV2, role: Role): void {
  const [reads, lists] = [
    ['dynamodb:DescribeStream', 'dynamodb:GetRecords', 'dynamodb:GetShardIterator'],
    ['dynamodb:ListStreams'],
  ];
  role.addToPolicy(new PolicyStatement({ actions: reads, resources: [table.tableStreamArn ?? ''] }));
  role.addToPolicy(new PolicyStatement({ actions: lists, resources: [`${table.tableArn}/stream/*`] }));
  Validations.of(role).acknowledge({
    id: wildcardFinding(role, `${table.tableArn}/stream/*`),
    reason:
      'ListStreams knows no single stream. Within the table it only names streams; reading one is allowed for ' +
      'the present one alone.',
  });
}
