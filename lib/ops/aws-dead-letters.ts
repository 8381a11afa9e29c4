import {
  DeleteMessageCommand,
  GetQueueAttributesCommand,
  GetQueueUrlCommand,
  type Message,
  ReceiveMessageCommand,
  SendMessageCommand,
  type SQSClient,
  StartMessageMoveTaskCommand,
} from '@aws-sdk/client-sqs';
import * as z from 'zod';
import type { ResourceNames } from '#lib/aws/stack-names.ts';
import type { DeadLetters } from '#lib/ops/ops-host.ts';

/** Queues whose dead letters SQS sends back by itself, each to the queue that it came from. */
const OF_QUEUES = ['timers', 'webhook-delivery'] as const;

/** Messages a second: the functions behind the queues have other work too. */
const PACE = 50;

export function awsDeadLetters(sqs: SQSClient, names: ResourceNames): DeadLetters {
  const urlOf = async (name: string): Promise<string> => {
    const { QueueUrl } = await sqs.send(new GetQueueUrlCommand({ QueueName: names.deadLetters(name) }));
    if (QueueUrl === undefined) throw new Error(`There is no queue ${names.deadLetters(name)}.`);
    return QueueUrl;
  };
  const attribute = async (name: string, wanted: 'QueueArn' | 'ApproximateNumberOfMessages'): Promise<string> => {
    const QueueUrl = await urlOf(name);
    const { Attributes } = await sqs.send(new GetQueueAttributesCommand({ QueueUrl, AttributeNames: [wanted] }));
    return Attributes?.[wanted] ?? '';
  };
  return {
    names: [...OF_QUEUES, 'bus', 'stream'],
    count: async (name) => Number(await attribute(name, 'ApproximateNumberOfMessages')),
    redrive: async (name) => {
      if (name === 'bus') return redriveBus(sqs, await urlOf(name));
      if (name === 'stream') return readStream(sqs, await urlOf(name));
      const SourceArn = await attribute(name, 'QueueArn');
      await sqs.send(new StartMessageMoveTaskCommand({ SourceArn, MaxNumberOfMessagesPerSecond: PACE }));
      return `being sent back, ${PACE} a second`;
    },
  };
}

/** Each message once: one that stays is received again after a while. */
async function* messagesIn(sqs: SQSClient, QueueUrl: string): AsyncGenerator<Message> {
  const seen = new Set<string | undefined>();
  for (;;) {
    const { Messages = [] } = await sqs.send(
      new ReceiveMessageCommand({
        QueueUrl,
        MaxNumberOfMessages: 10,
        WaitTimeSeconds: 2,
        MessageAttributeNames: ['All'],
      }),
    );
    const fresh = Messages.filter(({ MessageId }) => !seen.has(MessageId));
    if (fresh.length === 0) return;
    for (const { MessageId } of fresh) seen.add(MessageId);
    yield* fresh;
  }
}

const remove = (sqs: SQSClient, QueueUrl: string, { ReceiptHandle }: Message) =>
  sqs.send(new DeleteMessageCommand({ QueueUrl, ReceiptHandle }));

const OwnEvent = z.looseObject({ org_id: z.string() });
/** UNVERIFIED whether EventBridge keeps the whole event or only the part that it sends: both are read. */
const BusLetter = z.union([z.looseObject({ detail: OwnEvent }).transform(({ detail }) => detail), OwnEvent]);

/** SQS sends back its own dead letters only. Those of the bus name the queue that each was meant for. */
async function redriveBus(sqs: SQSClient, QueueUrl: string): Promise<string> {
  let [sent, left] = [0, 0];
  for await (const message of messagesIn(sqs, QueueUrl)) {
    const target = message.MessageAttributes?.TARGET_ARN?.StringValue?.split(':').at(-1);
    const event = BusLetter.safeParse(jsonIn(message.Body)).data;
    if (target === undefined || !event) {
      left += 1;
      continue;
    }
    const { QueueUrl: to } = await sqs.send(new GetQueueUrlCommand({ QueueName: target }));
    await sqs.send(
      new SendMessageCommand({ QueueUrl: to, MessageBody: JSON.stringify(event), MessageGroupId: event.org_id }),
    );
    await remove(sqs, QueueUrl, message);
    sent += 1;
  }
  return `${sent} sent back${left > 0 ? `, ${left} not understood: they stay` : ''}`;
}

/** Of the relay nothing is lost: the sweep publishes what the stream did not. Of the projector numbers are missing. */
const StreamLetter = z.looseObject({
  requestContext: z.looseObject({ functionArn: z.string() }),
  DDBStreamBatchInfo: z.looseObject({
    approximateArrivalOfFirstRecord: z.string().optional(),
    approximateArrivalOfLastRecord: z.string().optional(),
  }),
});

async function readStream(sqs: SQSClient, QueueUrl: string): Promise<string> {
  let removed = 0;
  const gaps: string[] = [];
  for await (const message of messagesIn(sqs, QueueUrl)) {
    const letter = StreamLetter.safeParse(jsonIn(message.Body)).data;
    const isRelay = letter !== undefined && /[:-]relay(:|$)/.test(letter.requestContext.functionArn);
    if (isRelay) {
      await remove(sqs, QueueUrl, message);
      removed += 1;
    } else {
      const { approximateArrivalOfFirstRecord: first, approximateArrivalOfLastRecord: last } =
        letter?.DDBStreamBatchInfo ?? {};
      gaps.push(letter ? `${first ?? '?'} to ${last ?? '?'}` : 'one that is not understood');
    }
  }
  const recount = gaps.length > 0 ? `; totals lack changes of ${gaps.join(', ')}: recount these days, then delete` : '';
  return `${removed} of the relay removed, the sweep has published their events${recount}`;
}

function jsonIn(text: string | undefined): unknown {
  try {
    return JSON.parse(text ?? '');
  } catch {
    return undefined;
  }
}
