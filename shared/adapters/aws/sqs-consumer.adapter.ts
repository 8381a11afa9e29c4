import type { SQSBatchResponse, SQSEvent, SQSRecord } from 'aws-lambda';
import type { LogPort } from '#shared/ports/log.port.ts';
import type { QueueConsumer, QueueName, ReceivedMessage } from '#shared/ports/queue.port.ts';

/** Handles a batch of messages from Lambda. Only messages named in the result are delivered again. */
export function sqsHandler(consume: QueueConsumer): (event: SQSEvent) => Promise<SQSBatchResponse> {
  return async ({ Records }) => {
    const { failed } = await consume(Records.map(toReceivedMessage));
    return { batchItemFailures: failed.map((itemIdentifier) => ({ itemIdentifier })) };
  };
}

/** Consumes the messages of a batch separately and concurrently: a failure affects no other message. */
export function eachMessage(
  queue: QueueName,
  consume: (body: ReceivedMessage['body'], receiveCount: number) => Promise<void>,
  log: LogPort,
): QueueConsumer {
  return async (messages) => {
    const done = await Promise.allSettled(messages.map(async ({ body, receiveCount }) => consume(body, receiveCount)));
    const failed = messages.flatMap(({ id, receiveCount }, n) => {
      const result = done[n];
      if (result?.status !== 'rejected') return [];
      log.warn('message_failed', { queue, tries: receiveCount, error: result.reason });
      return [id];
    });
    return { failed };
  };
}

/** A body that is no JSON object fails in its consumer, and ends in the dead-letter queue. */
function toReceivedMessage({ messageId, body, attributes }: SQSRecord): ReceivedMessage {
  return { id: messageId, body: bodyOf(body), receiveCount: Number(attributes.ApproximateReceiveCount) };
}

function bodyOf(text: string): ReceivedMessage['body'] {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? { ...value } : { unreadable: text };
  } catch {
    return { unreadable: text };
  }
}
