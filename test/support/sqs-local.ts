import { DeleteMessageBatchCommand, ReceiveMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import type { SQSBatchResponse, SQSEvent, SQSRecord } from 'aws-lambda';
import { type FauxqsServer, startFauxqs } from 'fauxqs';
import { RETRYING } from '#shared/adapters/aws/client-settings.ts';
import { MAX_RECEIVES } from '#shared/domain/webhooks/queue-message.rules.ts';
import { QUEUES, type QueueName } from '#shared/ports/queue.port.ts';
import { FAKE_ACCOUNT } from '#test/support/aws-wire.ts';

export type SqsLocal = {
  readonly server: FauxqsServer;
  readonly client: SQSClient;
  readonly endpoint: string;
  /** The service's queues with their dead-letter queues, empty, as the stack creates them. */
  readonly freshQueues: () => Readonly<Record<QueueName, string>>;
  /**
   * One poll of Lambda: the messages go to the handler as an event, and those it does not report as failed are
   * deleted.
   */
  readonly poll: (queue: QueueName, handler: (event: SQSEvent) => Promise<SQSBatchResponse>) => Promise<void>;
  readonly dead: (queue: QueueName) => readonly unknown[];
  readonly stop: () => Promise<void>;
};

/** An SQS in this process, on a free port. */
export async function startSqsLocal(): Promise<SqsLocal> {
  const server = await startFauxqs({ port: 0, logger: false, defaultRegion: FAKE_ACCOUNT.region });
  const client = new SQSClient({ ...RETRYING, ...FAKE_ACCOUNT, endpoint: server.address });
  let urls: Readonly<Record<string, string>> = {};

  function freshQueues(): Readonly<Record<QueueName, string>> {
    server.purgeAll();
    const made = QUEUES.map((name) => {
      const { queueArn } = server.createQueue(`${name}-dlq`);
      const RedrivePolicy = JSON.stringify({ deadLetterTargetArn: queueArn, maxReceiveCount: MAX_RECEIVES });
      return [
        name,
        `${server.address}${new URL(server.createQueue(name, { attributes: { RedrivePolicy, VisibilityTimeout: '0' } }).queueUrl).pathname}`,
      ];
    });
    urls = Object.fromEntries(made);
    return urls as Readonly<Record<QueueName, string>>;
  }

  return {
    server,
    client,
    endpoint: server.address,
    freshQueues,
    poll: async (queue, handler) => {
      const QueueUrl = urls[queue];
      const { Messages = [] } = await client.send(
        new ReceiveMessageCommand({ QueueUrl, MaxNumberOfMessages: 10, MessageSystemAttributeNames: ['All'] }),
      );
      if (Messages.length === 0) return void (await handler({ Records: [] }));
      const { batchItemFailures } = await handler({ Records: Messages.map((message) => recordOf(queue, message)) });
      const failed = new Set(batchItemFailures.map(({ itemIdentifier }) => itemIdentifier));
      const done = Messages.filter(({ MessageId }) => !failed.has(MessageId ?? ''));
      const Entries = done.map(({ ReceiptHandle }, n) => ({ Id: String(n), ReceiptHandle }));
      if (Entries.length > 0) await client.send(new DeleteMessageBatchCommand({ QueueUrl, Entries }));
    },
    dead: (queue) => (server.inspectQueue(`${queue}-dlq`)?.messages.ready ?? []).map(({ body }) => JSON.parse(body)),
    stop: async () => {
      client.destroy();
      await server.stop();
    },
  };
}

type Message = {
  MessageId?: string;
  ReceiptHandle?: string;
  Body?: string;
  Attributes?: Partial<Record<string, string>>;
};

/** As Lambda delivers a message: its field names start in lower case, those of the attributes do not. */
const recordOf = (
  queue: QueueName,
  { MessageId = '', ReceiptHandle = '', Body = '', Attributes = {} }: Message,
): SQSRecord => ({
  messageId: MessageId,
  receiptHandle: ReceiptHandle,
  body: Body,
  attributes: Attributes as unknown as SQSRecord['attributes'],
  messageAttributes: {},
  md5OfBody: '',
  eventSource: 'aws:sqs',
  eventSourceARN: `arn:aws:sqs:eu-west-1:000000000000:${queue}`,
  awsRegion: 'eu-west-1',
});
