import { SQSClient } from '@aws-sdk/client-sqs';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { recordOf } from '#lib/aws/function-table.ts';
import { RETRYING } from '#shared/adapters/aws/client-settings.ts';
import { sqsHandler } from '#shared/adapters/aws/sqs-consumer.adapter.ts';
import { sqsQueue } from '#shared/adapters/aws/sqs-queue.adapter.ts';
import { QUEUES, type QueueMessage } from '#shared/ports/queue.port.ts';
import { queueContract } from '#test/contract/queue.contract.ts';
import {
  type AwsWire,
  awsWire,
  FAKE_ACCOUNT,
  type WireCall,
  type WireReply,
  wireError,
} from '#test/support/aws-wire.ts';
import { type SqsLocal, startSqsLocal } from '#test/support/sqs-local.ts';

let sqs: SqsLocal;
beforeAll(async () => {
  sqs = await startSqsLocal();
});
afterAll(() => sqs.stop());

queueContract('SQS', async () => ({
  queue: sqsQueue({ client: sqs.client, urls: sqs.freshQueues() }),
  consume: (consumer) => sqs.poll('timers', sqsHandler(consumer)),
  // The emulator runs in real time.
  pass: (seconds) => new Promise((resolve) => setTimeout(resolve, seconds * 1_000 + 200)),
  dead: async () => sqs.dead('timers'),
}));

it('the queue transmits characters that SQS rejects', async () => {
  const queue = sqsQueue({ client: sqs.client, urls: sqs.freshQueues() });
  await queue.send('timers', [{ body: { text: '\u{1F4B3}\uD800\uFFFE\uFFFF\u0000\u007F' } }]);
  const got: unknown[] = [];
  const consume = sqsHandler(async (messages) => {
    got.push(...messages.map(({ body }) => body.text));
    return { failed: [] };
  });
  await sqs.poll('timers', consume);
  expect(got).toEqual(['\u{1F4B3}\uD800\uFFFE\uFFFF\u0000\u007F']);
});

describe('what no emulator does', () => {
  let wire: AwsWire;
  let client: SQSClient;
  let replies: ((call: WireCall) => WireReply)[];
  const queue = () => sqsQueue({ client, urls: recordOf(QUEUES, (name) => `${wire.endpoint}/0/${name}`) });
  const send = (...messages: QueueMessage[]) => queue().send('timers', messages);
  const sentIds = () =>
    wire.calls.map(({ body }) =>
      body.Entries.map(({ MessageBody }: { MessageBody: string }) => JSON.parse(MessageBody).n),
    );

  beforeEach(async () => {
    replies = [];
    wire = await awsWire((call) => (replies.shift() ?? taking())(call));
    client = new SQSClient({ ...RETRYING, ...FAKE_ACCOUNT, endpoint: wire.endpoint, md5: false });
  });
  afterEach(async () => {
    client.destroy();
    await wire.stop();
  });

  const numbered = (count: number) => Array.from({ length: count }, (_, n) => ({ body: { n } }));
  type Entry = { readonly Id: string };
  const taking =
    (fails: (n: number) => object | undefined = () => undefined) =>
    ({ body }: WireCall): WireReply => {
      const judged: { Id: string; failure: object | undefined }[] = body.Entries.map(({ Id }: Entry) => ({
        Id,
        failure: fails(Number(Id)),
      }));
      return {
        body: {
          Successful: judged
            .filter(({ failure }) => !failure)
            .map(({ Id }) => ({ Id, MessageId: Id, MD5OfMessageBody: '' })),
          Failed: judged.filter(({ failure }) => failure).map(({ Id, failure }) => ({ Id, ...failure })),
        },
      };
    };
  const throttled = { Code: 'ThrottlingException', SenderFault: false };

  it('a message has its group, for fair queues, and its delay', async () => {
    await send({ body: {}, group: 'PAY#0a' }, { body: {}, group: 'org_1', delaySeconds: 900 }, { body: {} });
    expect(wire.calls[0]?.body.Entries).toEqual([
      { Id: '0', MessageBody: '{}', MessageGroupId: 'PAY#0a' },
      { Id: '1', MessageBody: '{}', MessageGroupId: 'org_1', DelaySeconds: 900 },
      { Id: '2', MessageBody: '{}' },
    ]);
  });

  it('a partly rejected batch is sent again without the accepted messages', async () => {
    replies = [taking((n) => (n % 2 === 1 ? throttled : undefined)), taking((n) => (n === 3 ? throttled : undefined))];
    await send(...numbered(5));
    expect(sentIds()).toEqual([[0, 1, 2, 3, 4], [1, 3], [3]]);
  });

  it('a message that is always rejected fails the call', async () => {
    replies = Array.from({ length: 4 }, () => taking((n) => (n === 1 ? throttled : undefined)));
    await expect(send(...numbered(3))).rejects.toThrow(
      'The queue timers rejected 1 of 3 entries: ThrottlingException.',
    );
    expect(sentIds()).toEqual([[0, 1, 2], [1], [1], [1]]);
  });

  it('an invalid message is not sent again', async () => {
    replies = [taking((n) => (n === 1 ? { Code: 'InvalidMessageContents', SenderFault: true } : undefined))];
    await expect(send(...numbered(3))).rejects.toThrow('InvalidMessageContents');
    expect(wire.calls).toHaveLength(1);
  });

  it.each([
    ['throttling', wireError('ThrottlingException')],
    ['an internal error', wireError('InternalError', 'internal', 500)],
    ['a broken connection', 'drop' as const],
  ])('a call is repeated after %s', async (_, reply) => {
    replies = [() => reply];
    await send(...numbered(2));
    expect(sentIds()).toEqual([
      [0, 1],
      [0, 1],
    ]);
  });

  it('other batches are still sent when one fails, and the error is reported', async () => {
    replies = [() => wireError('QueueDoesNotExist')];
    await expect(send(...numbered(25))).rejects.toThrow('QueueDoesNotExist');
    expect(sentIds().map((ids) => ids.length)).toEqual([10, 10, 5]);
  });
});
