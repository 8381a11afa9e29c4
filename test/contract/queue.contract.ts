import { beforeEach, describe, expect, it } from 'vitest';
import { Secret } from '#shared/kernel/secret.ts';
import type { QueueConsumer, QueueMessage, QueuePort, ReceivedMessage } from '#shared/ports/queue.port.ts';

type QueueUnderTest = {
  readonly queue: QueuePort;
  /** One round: what is ready (some of it, perhaps) goes to the consumer; what it fails comes again. */
  consume(consumer: QueueConsumer): Promise<void>;
  /** So much of the queue's time goes by. */
  pass(seconds: number): void | Promise<void>;
  /** The bodies in the dead-letter queue. */
  dead(): Promise<readonly unknown[]>;
};

/** What both hosts' queues keep to, tried on `timers`. `make` gives an empty one each time. */
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
    /** Rounds until one brings nothing. */
    async function all(fails?: (message: ReceivedMessage) => boolean): Promise<ReceivedMessage[]> {
      const got = await round(fails);
      return got.length > 0 ? [...got, ...(await all(fails))] : got;
    }
    const numbers = (messages: readonly ReceivedMessage[]) =>
      messages.map(({ body }) => Number(body.n)).sort((a, b) => a - b);

    it('gives the body back as it was', async () => {
      const body = { text: 'Grüße 💳 <&">\n', none: null, list: [1, 2.5, { deep: [true] }] };
      await send({ body });
      expect(await all()).toMatchObject([{ body, receiveCount: 1 }]);
    });

    it('gives every one of many messages, and none again that was done', async () => {
      await send(...Array.from({ length: 25 }, (_, n) => ({ body: { n }, group: `org_${n % 3}` })));
      expect(numbers(await all())).toEqual(Array.from({ length: 25 }, (_, n) => n));
      expect(await all()).toEqual([]);
    });

    it('takes messages that are large together', async () => {
      await send(...Array.from({ length: 6 }, (_, n) => ({ body: { n, filler: 'x'.repeat(200_000) } })));
      expect(numbers(await all())).toEqual([0, 1, 2, 3, 4, 5]);
    });

    it('takes no messages', async () => {
      await send();
      expect(await all()).toEqual([]);
    });

    it('holds a message back for its delay', async () => {
      await send({ body: { n: 1 }, delaySeconds: 2 }, { body: { n: 2 } });
      expect(numbers(await all())).toEqual([2]);
      await under.pass(2);
      expect(numbers(await all())).toEqual([1]);
    });

    it('gives again what failed, and only that', async () => {
      await send({ body: { n: 1 } }, { body: { n: 2 } }, { body: { n: 3 } });
      const first = await all(({ body, receiveCount }) => body.n === 2 && receiveCount === 1);
      expect(numbers(first)).toEqual([1, 2, 2, 3]);
      expect(first.filter(({ body }) => body.n === 2).map(({ receiveCount }) => receiveCount)).toEqual([1, 2]);
    });

    it('lays what failed five times in the dead-letter queue, and nothing else', async () => {
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
      ['not a number', { body: { n: Number.NaN } }],
      ['a big integer', { body: { n: 1n } }],
      ['a function', { body: { run: () => {} } }],
      ['what is too large', { body: { text: 'x'.repeat(300_000) } }],
    ])('refuses %s, and takes nothing of that call', async (_, message) => {
      await expect(send({ body: { n: 1 } }, message)).rejects.toThrow();
      expect(await all()).toEqual([]);
    });
  });
}
