import type { SQSBatchResponse, SQSEvent, SQSRecord } from 'aws-lambda';
import type { LogPort } from '#shared/ports/log.port.ts';
import type { QueueConsumer, QueueName, Received } from '#shared/ports/queue.port.ts';

/** A batch of a queue's messages, as Lambda hands it over. Only those that are named in the answer come again. */
export function sqsHandler(consume: QueueConsumer): (event: SQSEvent) => Promise<SQSBatchResponse> {
  return async ({ Records }) => {
    const { failed } = await consume(Records.map(received));
    return { batchItemFailures: failed.map((itemIdentifier) => ({ itemIdentifier })) };
  };
}

/** Every message by itself, with how often it was received, all at once: one that fails takes no other with it. */
export function eachMessage(
  queue: QueueName,
  consume: (body: Received['body'], receiveCount: number) => Promise<void>,
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

/** What is no JSON was not sent by us; its consumer refuses it, and it ends in the dead-letter queue. */
function received({ messageId, body, attributes }: SQSRecord): Received {
  return { id: messageId, body: bodyOf(body), receiveCount: Number(attributes.ApproximateReceiveCount) };
}

function bodyOf(text: string): Received['body'] {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? { ...value } : { unreadable: text };
  } catch {
    return { unreadable: text };
  }
}
