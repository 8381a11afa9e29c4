import { Duration } from 'aws-cdk-lib';
import { type Alias, EventSourceMapping } from 'aws-cdk-lib/aws-lambda';
import type { Queue } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import { acceptFinding } from '#lib/aws/checks.ts';
import type { FunctionSettings } from '#lib/aws/function-table.ts';

export type QueueConsumerProps = {
  readonly queue: Queue;
  readonly alias: Alias;
  readonly settings: Pick<FunctionSettings, 'batchSize'>;
  /** How many batches are processed in parallel. */
  readonly concurrency: number;
  readonly enabled: boolean;
};

/** By default messages are delivered without delay. For larger batches Lambda needs this time to gather them. */
const DEFAULT_BATCH_SIZE = 10;
const BATCHING_WINDOW = Duration.seconds(2);

/** Connects a queue to its function. The function reports the messages that failed, and only those are redelivered. */
export class QueueConsumer extends Construct {
  constructor(
    scope: Construct,
    id: string,
    { queue, alias, settings: line, concurrency, enabled }: QueueConsumerProps,
  ) {
    super(scope, id);
    const { batchSize = DEFAULT_BATCH_SIZE } = line;
    queue.grantConsumeMessages(alias);
    const mapping = new EventSourceMapping(this, 'Mapping', {
      target: alias,
      enabled,
      eventSourceArn: queue.queueArn,
      batchSize,
      ...(batchSize > DEFAULT_BATCH_SIZE && { maxBatchingWindow: BATCHING_WINDOW }),
      maxConcurrency: concurrency,
      reportBatchItemFailures: true,
    });
    acceptFinding(
      mapping,
      'Serverless-LambdaEventSourceMappingDestination',
      'The queue itself moves what fails again and again to its dead letters. Mappings of SQS know no other destination.',
    );
  }
}
