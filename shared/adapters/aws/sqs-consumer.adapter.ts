import type { SQSBatchResponse, SQSEvent, SQSRecord } from 'aws-lambda';
import { systemClock } from '#shared/kernel/clock.ts';
import { inTrace } from '#shared/kernel/operation.ts';
import { inSpan } from '#shared/kernel/spans.ts';
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
    const done = await Promise.allSettled(
      messages.map(async ({ body, receiveCount }) => processed(queue, body, () => consume(body, receiveCount))),
    );
    const failed = messages.flatMap(({ id, body, receiveCount }, n) => {
      const result = done[n];
      if (result?.status !== 'rejected') return [];
      inTrace(body.trace, () => log.warn('message_failed', { queue, tries: receiveCount, error: result.reason }));
      return [id];
    });
    return { failed };
  };
}

/** Under the request that sent the message, and as a span of its trace. */
const processed = (queue: QueueName, body: ReceivedMessage['body'], consume: () => Promise<void>): Promise<void> =>
  inTrace(body.trace, () =>
    inSpan(
      { name: `process ${queue}`, kind: 'CONSUMER', attributes: { 'messaging.destination.name': queue } },
      () => systemClock.now().getTime(),
      consume,
    ),
  );

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
