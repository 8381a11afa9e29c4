import { describe, expect, it } from 'vitest';
import { splitIntoBatches } from '#shared/adapters/aws/send-batch.ts';
import { eachMessage, sqsHandler } from '#shared/adapters/aws/sqs-consumer.adapter.ts';
import { feedRecord, shardHandler, streamHandler } from '#shared/adapters/aws/stream-consumer.adapter.ts';
import { plus, SECOND } from '#shared/kernel/clock.ts';
import type { FeedRecord } from '#shared/store/table/table.port.ts';
import { type Change, sqsEvent, streamEvent } from '#test/support/aws-events.ts';

const key = { pk: { S: 'PAY#0a' }, sk: { S: 'PAY' } };

describe('batches', () => {
  it.each([
    ['at most ten entries', Array(23).fill(1), [10, 10, 3]],
    ['no more bytes than allowed', [60, 40, 1, 99, 100], [2, 2, 1]],
    ['one entry that is too large', [10, 200, 10], [1, 1, 1]],
    ['nothing for no entries', [], []],
  ])('hold %s', (_, sizes: number[], expected) => {
    const batches = splitIntoBatches(sizes, 100, (bytes) => bytes);
    expect(batches.map((batch) => batch.length)).toEqual(expected);
    expect(batches.flat()).toEqual(sizes);
  });
});

describe('the stream of a region that took over', () => {
  /** When the change of the fixture was made. */
  const made = new Date(1_772_366_400_000);
  const parents = async () => new Map<string, string>();
  const windowed = (since: Date, take: (count: number) => void) =>
    shardHandler(
      async (_, changes) => {
        take(changes.length);
        return {};
      },
      parents,
      since,
    );
  const event = () => streamEvent({ key, new: { ...key, item_type: { S: 'payment' } } });

  it.each([
    ['is left out if the other region made it before', plus(made, SECOND), 0],
    ['is taken from the second in which it took over', plus(made, SECOND - 1), 1],
    ['is taken afterwards', plus(made, -SECOND), 1],
  ])('a change %s', async (_, since, taken) => {
    let relayed = 0;
    const relay = streamHandler(async (changes) => {
      relayed += changes.length;
      return {};
    }, since);
    expect(await relay(event())).toEqual({ batchItemFailures: [] });
    let counted = 0;
    const project = windowed(since, (count) => {
      counted += count;
    });
    expect(await project({ ...event(), shardId: 'shard-1', state: { nothingHeld: true } })).toMatchObject({
      batchItemFailures: [],
    });
    expect([relayed, counted]).toEqual([taken, taken]);
  });
});

describe('the stream’s records', () => {
  const read = async (...changes: readonly Change[]): Promise<readonly FeedRecord[]> =>
    streamEvent(...changes).Records.map(feedRecord);

  it('are converted to the old and new items', async () => {
    const image = {
      ...key,
      n: { N: '12.5' },
      none: { NULL: true },
      list: { L: [{ BOOL: false }, { M: { text: { S: '' } } }] },
    };
    expect(await read({ key, old: { ...key, n: { N: '1' } }, new: image })).toMatchObject([
      {
        key: { pk: 'PAY#0a', sk: 'PAY' },
        old: { pk: 'PAY#0a', n: 1 },
        new: { sk: 'PAY', n: 12.5, none: null, list: [false, { text: '' }] },
      },
    ]);
  });

  it('have no image if there was or is no item', async () => {
    const [made, gone] = await read({ key, new: key }, { key, old: key });
    expect([made && 'old' in made, gone && 'new' in gone]).toEqual([false, false]);
  });

  it('sort as text, however long their numbers are', async () => {
    const seqs = (
      await read({ key, seq: '99' }, { key, seq: '100' }, { key, seq: '4421584500000000017450439091' })
    ).map(({ seq }) => seq);
    expect(seqs.toSorted()).toEqual(seqs);
  });

  it('are all delivered again if the consumer fails', async () => {
    await expect(streamHandler(() => Promise.reject(new Error('down')))(streamEvent())).rejects.toThrow('down');
  });

  it("can't be delivered again from a record outside the batch", async () => {
    await expect(streamHandler(async () => ({ retryFrom: '1' }))(streamEvent())).rejects.toThrow('not in its batch');
  });
});

const noParents = async () => new Map<string, string>();

describe('a batch of a tumbling window', () => {
  const received: [string, number][] = [];
  const handler = shardHandler(async (shard, changes) => {
    received.push([shard.id, changes.length]);
    return { retryFrom: changes[1]?.seq };
  }, noParents);
  const payment = { ...key, item_type: { S: 'payment' } };

  it('passes its shard, and returns a state and where to resume', async () => {
    const event = {
      ...streamEvent({ key, new: payment, seq: '99' }, { key, new: payment, seq: '100' }),
      shardId: 'shardId-1',
    };
    expect(await handler(event)).toEqual({ state: {}, batchItemFailures: [{ itemIdentifier: '100' }] });
    expect(received).toEqual([['shardId-1', 2]]);
  });

  it('knows from the batch before it in its window whether something is held', async () => {
    const shards: unknown[] = [];
    const windowed = shardHandler(async ({ id, nothingHeld }) => {
      shards.push({ id, nothingHeld });
      return { nothingHeld: shards.length === 1 };
    }, noParents);
    const event = { ...streamEvent({ key, new: payment, seq: '99' }), shardId: 'shardId-1' };
    const first = await windowed(event);
    const second = await windowed({ ...event, state: first.state });
    expect([first.state, second.state]).toEqual([{ nothingHeld: true }, {}]);
    expect(shards).toEqual([{ id: 'shardId-1' }, { id: 'shardId-1', nothingHeld: true }]);
  });

  it('finds the parents of its shard in the stream that it is from', async () => {
    const asked: unknown[] = [];
    const windowed = shardHandler(
      async ({ parents }) => ({ retryFrom: undefined, nothingHeld: (await parents?.())?.get('child') === 'parent' }),
      async (...about) => {
        asked.push(about);
        return new Map([['child', 'parent']]);
      },
    );
    const { Records } = streamEvent({ key, new: payment, seq: '99' });
    const from = Records.map((record) => ({ ...record, eventSourceARN: 'arn:stream' }));
    expect(await windowed({ Records: from, shardId: 'child' })).toMatchObject({ state: { nothingHeld: true } });
    expect(asked).toEqual([['arn:stream', 'child']]);
  });

  it('can be empty at the end of a window', async () =>
    expect(await handler({ Records: [] })).toEqual({ state: {}, batchItemFailures: [] }));

  it('is rejected without its shard', () =>
    expect(handler(streamEvent())).rejects.toThrow('Configure a tumbling window'));
});

describe('a queue’s messages', () => {
  it('fail individually, and are logged', async () => {
    const warned: unknown[] = [];
    const log = {
      info: () => {},
      error: () => {},
      warn: (event: string, fields?: object) => void warned.push({ event, ...fields }),
    };
    const consume = eachMessage(
      'timers',
      async ({ n }) => {
        if (n === 2) throw new Error('no');
      },
      log,
    );
    expect(await sqsHandler(consume)(sqsEvent({ n: 1 }, { n: 2 }, { n: 3 }))).toEqual({
      batchItemFailures: [{ itemIdentifier: 'message-1' }],
    });
    expect(warned).toMatchObject([{ event: 'message_failed', queue: 'timers', tries: 1, error: { message: 'no' } }]);
  });

  it('are passed on with their receive count', async () => {
    const counts: unknown[] = [];
    const log = { info: () => {}, error: () => {}, warn: () => {} };
    const { Records } = sqsEvent({ n: 1 }, { n: 2 });
    const again = Records.map((record, n) => ({
      ...record,
      attributes: { ...record.attributes, ApproximateReceiveCount: String(n + 4) },
    }));
    await sqsHandler(eachMessage('timers', async ({ n }, receiveCount) => void counts.push([n, receiveCount]), log))({
      Records: again,
    });
    expect(counts).toEqual([
      [1, 4],
      [2, 5],
    ]);
  });

  it.each(['', '{', '"text"', 'null', '3'])('are passed on even if they are invalid: %j', async (body) => {
    const bodies: unknown[] = [];
    const consume = async (messages: readonly { readonly body: unknown }[]) => {
      bodies.push(...messages.map((message) => message.body));
      return { failed: [] };
    };
    await sqsHandler(consume)(sqsEvent(body));
    expect(bodies).toEqual([{ unreadable: body }]);
  });
});
