import { beforeEach, describe, expect, it } from 'vitest';
import { Secret } from '#shared/kernel/secret.ts';
import type { QueueConsumer, QueueMessage, QueuePort, ReceivedMessage } from '#shared/ports/queue.port.ts';

type QueueUnderTest = {
  readonly queue: QueuePort;
  /** One round: some or all of the ready messages go to the consumer; those it fails are received again. */
  consume(consumer: QueueConsumer): Promise<void>;
  /** Advances the queue's time by so much. */
  pass(seconds: number): void | Promise<void>;
  /** The bodies in the dead-letter queue. */
  dead(): Promise<readonly unknown[]>;
};

/** The contract of both hosts' queues, tested on `timers`. `make` returns an empty one each time. */
export function queueContract(name: string, make: () => Promise<QueueUnderTest>): void {
  describe(`${name} as a queue`, () => {
    let under: QueueUnderTest;
    beforeEach(async () => {
      under = await make();
    });
    const send = (...messages: readonly QueueMessage[]) => under.queue.send('timers', messages);

    async function round(fails: (message: ReceivedMessage) => boolean = () => false): Promise<ReceivedMessage[]> {
      const got: ReceivedMessage[] = [];
      await under.consume(async (messages) => {
        got.push(...messages);
        return { failed: messages.filter(fails).map(({ id }) => id) };
      });
      return got;
    }
    /** Rounds until one receives nothing. */
    async function all(fails?: (message: ReceivedMessage) => boolean): Promise<ReceivedMessage[]> {
      const got = await round(fails);
      return got.length > 0 ? [...got, ...(await all(fails))] : got;
    }
    const numbers = (messages: readonly ReceivedMessage[]) =>
      messages.map(({ body }) => Number(body.n)).sort((a, b) => a - b);

    it('returns the body unchanged', async () => {
      const body = { text: 'Grüße 💳 <&">\n', none: null, list: [1, 2.5, { deep: [true] }] };
      await send({ body });
      expect(await all()).toMatchObject([{ body, receiveCount: 1 }]);
    });

    it('delivers each of many messages, and none again that was processed', async () => {
      await send(...Array.from({ length: 25 }, (_, n) => ({ body: { n }, group: `org_${n % 3}` })));
      expect(numbers(await all())).toEqual(Array.from({ length: 25 }, (_, n) => n));
      expect(await all()).toEqual([]);
    });

    it('accepts messages that are large together', async () => {
      await send(...Array.from({ length: 6 }, (_, n) => ({ body: { n, filler: 'x'.repeat(200_000) } })));
      expect(numbers(await all())).toEqual([0, 1, 2, 3, 4, 5]);
    });

    it('accepts an empty list of messages', async () => {
      await send();
      expect(await all()).toEqual([]);
    });

    it('delays a message', async () => {
      await send({ body: { n: 1 }, delaySeconds: 2 }, { body: { n: 2 } });
      expect(numbers(await all())).toEqual([2]);
      await under.pass(2);
      expect(numbers(await all())).toEqual([1]);
    });

    it('delivers a message again only if it failed', async () => {
      await send({ body: { n: 1 } }, { body: { n: 2 } }, { body: { n: 3 } });
      const first = await all(({ body, receiveCount }) => body.n === 2 && receiveCount === 1);
      expect(numbers(first)).toEqual([1, 2, 2, 3]);
      expect(first.filter(({ body }) => body.n === 2).map(({ receiveCount }) => receiveCount)).toEqual([1, 2]);
    });

    it('moves a message to the dead-letter queue after five failures, and no other', async () => {
      await send({ body: { n: 1, keep: 'me' } }, { body: { n: 2 } });
      const tries = (await all(({ body }) => body.n === 1)).filter(({ body }) => body.n === 1);
      expect(tries.map(({ receiveCount }) => receiveCount)).toEqual([1, 2, 3, 4, 5]);
      expect(await under.dead()).toEqual([{ n: 1, keep: 'me' }]);
    });

    it.each<[string, QueueMessage]>([
      ['a delay over 900 seconds', { body: {}, delaySeconds: 901 }],
      ['a negative delay', { body: {}, delaySeconds: -1 }],
      ['half a second', { body: {}, delaySeconds: 0.5 }],
      ['a date', { body: { at: new Date(0) } }],
      ['a secret', { body: { key: new Secret('x') } }],
      ['a property without a value', { body: { key: undefined } }],
      ['NaN', { body: { n: Number.NaN } }],
      ['a big integer', { body: { n: 1n } }],
      ['a function', { body: { run: () => {} } }],
      ['a message that is too large', { body: { text: 'x'.repeat(300_000) } }],
    ])('rejects %s, with all messages of that call', async (_, message) => {
      await expect(send({ body: { n: 1 } }, message)).rejects.toThrow();
      expect(await all()).toEqual([]);
    });
  });
}
