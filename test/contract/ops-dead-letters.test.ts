import { SendMessageCommand } from '@aws-sdk/client-sqs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { resourceNames } from '#lib/aws/stack-names.ts';
import { awsDeadLetters } from '#lib/ops/aws-dead-letters.ts';
import { type SqsLocal, startSqsLocal } from '#test/support/sqs-local.ts';

const NAMES = resourceNames('ServiceLive');
const TARGET = 'ServiceLive-workflows';
const EVENT = { org_id: 'org_1', id: 'evt_1' };

let sqs: SqsLocal;
const urls: Record<string, string> = {};
beforeAll(async () => {
  sqs = await startSqsLocal();
  for (const name of [...['timers', 'webhook-delivery', 'bus', 'stream'].map(NAMES.deadLetters), TARGET])
    urls[name] = `${sqs.endpoint}${new URL(sqs.server.createQueue(name).queueUrl).pathname}`;
});
afterAll(() => sqs?.stop());

const put = (queue: string, body: unknown, target?: string) =>
  sqs.client.send(
    new SendMessageCommand({
      QueueUrl: urls[NAMES.deadLetters(queue)],
      MessageBody: typeof body === 'string' ? body : JSON.stringify(body),
      ...(target !== undefined && {
        MessageAttributes: { TARGET_ARN: { DataType: 'String', StringValue: `arn:aws:sqs:eu-central-1:1:${target}` } },
      }),
    }),
  );
const bodiesIn = (queue: string) => {
  const { messages } = sqs.server.inspectQueue(queue) ?? {};
  return [...(messages?.ready ?? []), ...(messages?.inflight ?? [])].map((each) => {
    const message = 'message' in each ? each.message : each;
    return JSON.parse(message.body);
  });
};

describe('the dead letters of a stage on AWS', () => {
  it('of the bus go to the queue that each was meant for, whole events or only their part', async () => {
    await put('bus', { version: '0', detail: EVENT }, TARGET);
    await put('bus', EVENT, TARGET);
    await put('bus', 'not an event', TARGET);
    const letters = awsDeadLetters(sqs.client, NAMES);
    expect(await letters.count('bus')).toBe(3);
    expect(await letters.redrive('bus')).toBe('2 sent back, 1 not understood: they stay');
    expect(bodiesIn(TARGET)).toEqual([EVENT, EVENT]);
  });

  it('of the stream are removed if they are of the relay; those of the projector name the days to recount', async () => {
    const letter = (fn: string) => ({
      requestContext: { functionArn: `arn:aws:lambda:eu-central-1:1:function:${NAMES.function(fn)}:current` },
      DDBStreamBatchInfo: {
        approximateArrivalOfFirstRecord: '2027-03-01T10:00:00Z',
        approximateArrivalOfLastRecord: '2027-03-01T10:05:00Z',
      },
    });
    await put('stream', letter('relay'));
    await put('stream', letter('projector'));
    const done = await awsDeadLetters(sqs.client, NAMES).redrive('stream');
    expect(done).toContain('1 of the relay removed');
    expect(done).toContain('totals lack changes of 2027-03-01T10:00:00Z to 2027-03-01T10:05:00Z');
    expect(bodiesIn(NAMES.deadLetters('stream'))).toHaveLength(1);
  });

  it('of a queue are sent back by SQS itself, at a pace', async () => {
    const sent: unknown[] = [];
    sqs.client.middlewareStack.add(
      (next, { commandName }) =>
        async (args) => {
          if (commandName !== 'StartMessageMoveTaskCommand') return next(args);
          sent.push(args.input);
          return { output: { $metadata: {}, TaskHandle: 'task' }, response: {} };
        },
      { step: 'initialize', name: 'moveTask' },
    );
    expect(await awsDeadLetters(sqs.client, NAMES).redrive('timers')).toBe('being sent back, 50 a second');
    expect(sent).toMatchObject([{ MaxNumberOfMessagesPerSecond: 50, SourceArn: expect.stringMatching(/timers-dead/) }]);
  });

  it('say which queue is missing', async () => {
    await expect(awsDeadLetters(sqs.client, resourceNames('Elsewhere')).count('timers')).rejects.toThrow();
  });
});
