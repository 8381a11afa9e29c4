import { Duration } from 'aws-cdk-lib';
import { EventSourceMapping, type Function as Lambda } from 'aws-cdk-lib/aws-lambda';
import type { Queue } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import type { FunctionLine } from '#lib/aws/function-table.ts';

export type QueueConsumerProps = {
  readonly queue: Queue;
  readonly lambda: Lambda;
  readonly line: Pick<FunctionLine, 'batchSize'>;
  /** How many batches are worked on at once. */
  readonly concurrency: number;
};

/** Handed over as they come; of more than so many Lambda must be given time to gather them. */
const AT_ONCE = 10;
const GATHERING = Duration.seconds(2);

/** Brings a queue's messages to its function, which answers with those that failed; only they come again. */
export class QueueConsumer extends Construct {
  constructor(scope: Construct, id: string, { queue, lambda, line, concurrency }: QueueConsumerProps) {
    super(scope, id);
    const { batchSize = AT_ONCE } = line;
    queue.grantConsumeMessages(lambda);
    new EventSourceMapping(this, 'Mapping', {
      target: lambda,
      eventSourceArn: queue.queueArn,
      batchSize,
      ...(batchSize > AT_ONCE && { maxBatchingWindow: GATHERING }),
      maxConcurrency: concurrency,
      reportBatchItemFailures: true,
    });
  }
}
