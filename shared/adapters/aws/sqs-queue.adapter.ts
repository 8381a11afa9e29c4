import { SendMessageBatchCommand, type SQSClient } from '@aws-sdk/client-sqs';
import { type RejectedEntry, sendBatch, settleAll, splitIntoBatches } from '#shared/adapters/aws/send-batch.ts';
import { MAX_BODY_BYTES, messageText } from '#shared/domain/webhooks/queue-message.rules.ts';
import { withTrace } from '#shared/kernel/operation.ts';
import type { QueueMessage, QueueName, QueuePort } from '#shared/ports/queue.port.ts';

type SqsQueueOptions = { readonly client: SQSClient; readonly urls: Readonly<Record<QueueName, string>> };
type BatchEntry = {
  readonly Id: string;
  readonly MessageBody: string;
  readonly MessageGroupId?: string;
  readonly DelaySeconds?: number;
};

/** Standard queues. The group makes them fair: one organization's backlog does not delay another's. */
export function sqsQueue({ client, urls }: SqsQueueOptions): QueuePort {
  async function putBatch(
    QueueUrl: string,
    batch: readonly BatchEntry[],
  ): Promise<readonly RejectedEntry<BatchEntry>[]> {
    const { Failed = [] } = await client.send(new SendMessageBatchCommand({ QueueUrl, Entries: [...batch] }));
    const byId = new Map(Failed.map((failure) => [failure.Id, failure]));
    return batch.flatMap((entry) => {
      const failure = byId.get(entry.Id);
      return failure ? [{ entry, code: failure.Code ?? 'unknown', final: failure.SenderFault === true }] : [];
    });
  }

  return {
    async send(queue, messages) {
      // All messages are checked before the first one is sent.
      const entries = messages.map((message, n) => entryOf({ ...message, body: withTrace(message.body) }, n));
      const batches = splitIntoBatches(entries, MAX_BODY_BYTES, ({ MessageBody }) => Buffer.byteLength(MessageBody));
      await settleAll(
        batches.map((batch) => sendBatch(`The queue ${queue}`, batch, (left) => putBatch(urls[queue], left))),
      );
    },
  };
}

const entryOf = (message: QueueMessage, n: number): BatchEntry => ({
  Id: String(n),
  MessageBody: escaped(messageText(message)),
  ...(message.group !== undefined && { MessageGroupId: message.group }),
  ...(message.delaySeconds !== undefined && { DelaySeconds: message.delaySeconds }),
});

/** SQS refuses some characters that JSON may contain, but not their escapes. */
const escaped = (json: string): string =>
  json.replace(/[\ud800-\udfff\ufffe\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16)}`);
