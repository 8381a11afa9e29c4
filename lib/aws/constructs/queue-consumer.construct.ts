import { Duration } from 'aws-cdk-lib';
import { EventSourceMapping, type Function as Lambda } from 'aws-cdk-lib/aws-lambda';
import type { Queue } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import type { FunctionSettings } from '#lib/aws/function-table.ts';

export type QueueConsumerProps = {
  readonly queue: Queue;
  readonly lambda: Lambda;
  readonly line: Pick<FunctionSettings, 'batchSize'>;
  /** Batches that are processed at once. */
  readonly concurrency: number;
};

/** Messages arrive at once. Lambda needs this time to gather batches of more than the default size. */
const DEFAULT_BATCH_SIZE = 10;
const BATCHING_WINDOW = Duration.seconds(2);

/** Connects a queue to its function. The function reports the messages that failed, and only they come again. */
export class QueueConsumer extends Construct {
  constructor(scope: Construct, id: string, { queue, lambda, line, concurrency }: QueueConsumerProps) {
    super(scope, id);
    const { batchSize = DEFAULT_BATCH_SIZE } = line;
    queue.grantConsumeMessages(lambda);
    new EventSourceMapping(this, 'Mapping', {
      target: lambda,
      eventSourceArn: queue.queueArn,
      batchSize,
      ...(batchSize > DEFAULT_BATCH_SIZE && { maxBatchingWindow: BATCHING_WINDOW }),
      maxConcurrency: concurrency,
      reportBatchItemFailures: true,
    });
  }
}
