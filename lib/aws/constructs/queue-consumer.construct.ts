import { EventSourceMapping, type Function as Lambda } from 'aws-cdk-lib/aws-lambda';
import type { Queue } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import type { FunctionLine } from '#lib/aws/function-table.ts';
import type { StageSettings } from '#lib/aws/stages.ts';

export type QueueConsumerProps = {
  readonly queue: Queue;
  readonly lambda: Lambda;
  readonly settings: StageSettings;
  readonly line: Pick<FunctionLine, 'batchSize'>;
};

/** Brings a queue's messages to its function, which answers with those that failed; only they come again. */
export class QueueConsumer extends Construct {
  constructor(scope: Construct, id: string, { queue, lambda, settings, line }: QueueConsumerProps) {
    super(scope, id);
    queue.grantConsumeMessages(lambda);
    new EventSourceMapping(this, 'Mapping', {
      target: lambda,
      eventSourceArn: queue.queueArn,
      batchSize: line.batchSize ?? 10,
      maxConcurrency: settings.queueConcurrency,
      reportBatchItemFailures: true,
    });
  }
}
