import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Fault } from '#lib/local/faults.ts';
import { MAX_RECEIVES } from '#shared/domain/webhooks/queue-message.rules.ts';
import type { QueueName } from '#shared/ports/queue.port.ts';
import {
  endAll,
  eventually,
  type Receiver,
  type Running,
  startReady,
  startReceiver,
} from '#test/faults/process.support.ts';
import { type Merchant, webhooksAt } from '#test/http/webhook-merchant.support.ts';
import { fourFreePorts } from '#test/support/free-ports.ts';
import { aPaymentBody, type Body, startHost, type TestHost } from '#test/support/host.ts';
import { anIntent } from '#test/support/payment-steps.ts';
import { temporaryFolder } from '#test/support/temporary-folder.ts';

/**
 * A first attempt that is interrupted each time: its message reaches the dead-letter queue, and the event is not
 * lost.
 */

const PATIENCE = 90_000;

describe('an event whose first attempt is interrupted by a kill each time', () => {
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;
  let receiver: Receiver;
  afterAll(async () => {
    endAll();
    receiver?.close();
    await folder?.remove();
  });

  it(
    'is sent a while later',
    async () => {
      [folder, receiver] = [await temporaryFolder(), await startReceiver()];
      const [port, dataDir] = [await fourFreePorts(), folder.path('data')];
      let host: Running = await startReady(port, dataDir);
      await host.call('POST', '/v1/webhooks/config', { url: receiver.url, events: ['payment.created'] }, randomUUID());
      receiver.answer = 0;
      await host.call('POST', '/v1/payments/intents', aPaymentBody(), randomUUID());
      for (let n = 1; n <= MAX_RECEIVES; n += 1) {
        await eventually(() => receiver.got.length === n);
        await host.kill();
        host = await startReady(port, dataDir);
      }
      receiver.answer = 200;
      const events = async (): Promise<Body[]> => (await host.call('GET', '/v1/webhooks/events')).body.events;
      expect(await events()).toMatchObject([{ status: 'pending', attempts: [] }]);
      await host.control('POST', '/clock', { advance: '17m' });
      expect(await events()).toMatchObject([{ status: 'delivered', attempts: [{ status_code: 200 }] }]);
    },
    PATIENCE,
  );
});

describe('an event whose first attempt meets a store that is down', () => {
  let host: TestHost;
  beforeAll(async () => {
    host = await startHost();
  });
  afterAll(() => host?.close());

  const { call, aMerchant, answerWith, deliveries, advance, drain, sendTest } = webhooksAt(() => host);
  /** More calls than its tries make. */
  const MANY_CALLS = 300;
  const breakStore = (handler: QueueName): void => {
    for (let nth = 1; nth <= MANY_CALLS; nth += 1)
      host.faults.add({ point: 'table', nth, kind: 'error', when: 'before', handler });
  };
  const eventOf = async (org: Merchant): Promise<Body> =>
    (await call('GET', '/events?type=payment.created', undefined, org)).body.events[0];
  const buried = async (queue: QueueName): Promise<number> => (await host.queue.deadLetters(queue)).length;

  it.each<[string, number]>([
    ['once', 1],
    ['for an hour and a half', 3],
  ])('through all its tries, %s, is sent by itself once the store is back', async (_, rounds) => {
    const merchant = await aMerchant({ status: 200 });
    const before = await buried('webhook-delivery');
    breakStore('webhook-delivery');
    await anIntent(host, 'ok', {}, { key: merchant.key });
    await drain();
    for (let round = 1; round < rounds; round += 1) await advance('30m');
    expect(await buried('webhook-delivery')).toBeGreaterThanOrEqual(before + rounds);
    host.faults.clear();
    expect(await eventOf(merchant)).toMatchObject({ status: 'pending', attempts: [] });
    expect(await deliveries(merchant)).toEqual([]);
    await advance('16m');
    expect(await eventOf(merchant)).toMatchObject({ status: 'delivered', attempts: [{ status_code: 200 }] });
    await advance('2h');
    expect(await deliveries(merchant)).toHaveLength(1);
  });

  it('in the slow queue is sent by itself as well', async () => {
    const merchant = await aMerchant({ status: 500 });
    await sendTest(merchant);
    await advance('3m');
    breakStore('slow-deliveries');
    await anIntent(host, 'ok', {}, { key: merchant.key });
    await drain();
    host.faults.clear();
    expect(await eventOf(merchant)).toMatchObject({ status: 'pending', attempts: [] });
    await answerWith(merchant, { status: 200 });
    await advance('16m');
    expect(await eventOf(merchant)).toMatchObject({ status: 'delivered' });
  });
});

describe('an event whose first attempt crashes each time', () => {
  let host: TestHost;
  beforeAll(async () => {
    host = await startHost();
  });
  afterAll(() => host?.close());
  afterEach(() => expect(host.faults.waiting).toEqual([]));

  const { call, aMerchant, answerWith, deliveries, advance, drain, sendTest } = webhooksAt(() => host);

  const crashEachTime = (handler: QueueName, point: Fault['point']): void => {
    for (let nth = 1; nth <= MAX_RECEIVES; nth += 1)
      host.faults.add({ point, nth, kind: 'crash', when: 'before', handler });
  };
  const intent = async ({ key }: Merchant): Promise<void> => {
    await anIntent(host, 'ok', {}, { key });
    await drain();
  };
  const eventOf = async (org: Merchant): Promise<Body> =>
    (await call('GET', '/events?type=payment.created', undefined, org)).body.events[0];
  const replay = async (org: Merchant): Promise<void> => {
    expect((await call('POST', `/events/${(await eventOf(org)).id}/replay`, undefined, org)).status).toBe(200);
    await drain();
  };
  const deadLetterCount = async (queue: QueueName): Promise<number> => (await host.queue.deadLetters(queue)).length;

  it('in the slow queue is sent a while later', async () => {
    const merchant = await aMerchant({ status: 500 });
    await sendTest(merchant);
    await advance('3m');
    const buried = await deadLetterCount('slow-deliveries');
    crashEachTime('slow-deliveries', 'vault');
    await intent(merchant);
    expect(await eventOf(merchant)).toMatchObject({ status: 'pending', attempts: [] });
    expect(await deadLetterCount('slow-deliveries')).toBe(buried + 1);
    await answerWith(merchant, { status: 200 });
    await advance('17m');
    expect(await eventOf(merchant)).toMatchObject({ status: 'delivered', attempts: [{ status_code: 200 }] });
  });

  /** Before any write: nothing but the message knew of the event. */
  async function lost(answers: Body): Promise<Merchant> {
    const merchant = await aMerchant(answers);
    crashEachTime('webhook-delivery', 'table');
    await intent(merchant);
    return merchant;
  }

  it('before any read is sent by a replay once it counts as lost', async () => {
    const merchant = await lost({ status: 200 });
    await replay(merchant);
    expect(await deliveries(merchant)).toEqual([]);
    await advance('16m');
    expect(await eventOf(merchant)).toMatchObject({ status: 'pending', attempts: [] });
    await replay(merchant);
    expect(await eventOf(merchant)).toMatchObject({ status: 'delivered', attempts: [{ status_code: 200 }] });
  });

  it('before any read is sent by a replay of all failed events, with those that failed', async () => {
    const merchant = await lost({ status: 500 });
    const since = host.clock.now().toISOString();
    const replayAll = async () => {
      expect((await call('POST', '/events/replay', { since: '2020-01-01T00:00:00Z' }, merchant)).status).toBe(200);
      await drain();
    };
    await replayAll();
    expect(await deliveries(merchant)).toEqual([]);
    await advance('16m');
    await answerWith(merchant, { status: 200 });
    expect((await call('POST', '/events/replay', { since }, merchant)).status).toBe(200);
    await drain();
    expect(await deliveries(merchant)).toEqual([]);
    await replayAll();
    expect(await eventOf(merchant)).toMatchObject({ status: 'delivered', attempts: [{ status_code: 200 }] });
    await replayAll();
    expect(await deliveries(merchant)).toHaveLength(1);
  });

  it('and whose replay fails is retried on schedule', async () => {
    const merchant = await lost({ sequence: [500, 200] });
    await advance('16m');
    await replay(merchant);
    expect(await eventOf(merchant)).toMatchObject({
      status: 'pending',
      attempts: [{ status_code: 500 }],
      next_attempt_at: expect.stringMatching(/Z$/),
    });
    await advance('10s');
    expect(await eventOf(merchant)).toMatchObject({
      status: 'delivered',
      attempts: [{ status_code: 500 }, { status_code: 200 }],
    });
  });
});
