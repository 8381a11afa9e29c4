import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  armCrash,
  crashesAt,
  crashPointsOf,
  describePoint,
  expireLease,
  retryUntilDone,
} from '#test/faults/crash-sweep.support.ts';
import { type ApiResponse, aConnection, type Body, startHost, type TestHost } from '#test/support/host.ts';
import {
  type Action,
  act,
  advance,
  anIntent,
  arrange,
  aShop,
  eventTypesOf,
  moneyOf,
  pay,
  payOnPage,
  read,
  type Shop,
} from '#test/support/payment-steps.ts';

/**
 * A process that crashes at any point of an action: the same request again gets a normal response, and the action
 * takes effect once.
 */
let host: TestHost;
let shop: Shop;
let empty: Shop;
beforeAll(async () => {
  host = await startHost();
  shop = await aShop(host, { a: {} });
  empty = await aShop(host, {});
});
afterAll(() => host?.close());

type Case = {
  readonly action: Action;
  /** The function that serves it. Default: `payments`. */
  readonly group?: string;
  readonly body?: Body;
  readonly shop: () => Shop;
  readonly make: (shop: Shop) => Promise<Body>;
  readonly status: string;
  readonly told: readonly string[];
  /** What the provider keeps in the end, and the number of charges it made. */
  readonly money: readonly [kept: number, charges: number];
};

const ok = { payment_method: { type: 'card', token: 'ok' } };
const CASES: Readonly<Record<string, Case>> = {
  'confirming an intent': {
    action: 'confirm',
    shop: () => shop,
    make: ({ key }) => anIntent(host, 'ok', {}, { key }),
    status: 'succeeded',
    told: ['created', 'succeeded'],
    money: [5_000, 1],
  },
  'confirming an intent that no connection can charge': {
    action: 'confirm',
    shop: () => empty,
    make: ({ key }) => anIntent(host, 'ok', {}, { key }),
    status: 'failed',
    told: ['created', 'failed'],
    money: [0, 0],
  },
  'retrying a payment': {
    action: 'retry',
    group: 'payment-actions',
    body: ok,
    shop: () => shop,
    make: ({ key }) => pay(host, 'decline_insufficient_funds', {}, { key }),
    status: 'succeeded',
    told: ['created', 'failed', 'succeeded'],
    money: [5_000, 1],
  },
  'canceling a hosted payment page': {
    action: 'cancel',
    group: 'payment-actions',
    shop: () => shop,
    make: ({ key }) => payOnPage(host, {}, { key }),
    status: 'canceled',
    told: ['created', 'canceled'],
    money: [0, 0],
  },
  'canceling a payment whose provider charged another amount': {
    action: 'cancel',
    group: 'payment-actions',
    shop: () => shop,
    make: async ({ key }) => {
      await arrange(host, 'wrong_amount');
      return pay(host, 'ok', {}, { key });
    },
    status: 'canceled',
    told: ['created', 'canceled'],
    money: [0, 1],
  },
};

describe.each(Object.keys(CASES))('a crash at any point of %s', (name) => {
  it('lets it take effect once, and its repeat gets a response', async () => {
    const { action, group = 'payments', body, make, status, told, money, ...rest } = CASES[name]!;
    const { key } = rest.shop();
    const ask = ({ id }: Body, idempotencyKey: string = randomUUID()): Promise<ApiResponse> =>
      act(host, id, action, body, { key, idempotencyKey });
    const probe = await make(rest.shop());
    const points = await crashPointsOf(host, group, () => ask(probe));
    expect(points.length).toBeGreaterThanOrEqual(6);
    for (const point of points) {
      const [payment, same] = [await make(rest.shop()), randomUUID()];
      await armCrash(host, point, group);
      const where = describePoint(point);
      if (!(await crashesAt(host, () => ask(payment, same), where))) continue;
      await expireLease(host);
      const answer = await retryUntilDone(host, () => ask(payment, same));
      expect([answer.status, answer.body.status], where).toEqual([200, status]);
      await advance(host, '40m');
      const seen = await read(host, payment.id, { key });
      expect([seen.status, seen.review, await eventTypesOf(host, payment.id, { key })], where).toEqual([
        status,
        null,
        told,
      ]);
      const { amount, refunded, count } = await moneyOf(host, payment.id);
      expect([amount - refunded, count], where).toEqual(money);
    }
  }, 120_000);
});

describe('a crash while a retry finds no connection', () => {
  it('leaves the payment failed and open to a retry', async () => {
    const own = await aShop(host, { a: {} });
    const { key } = own;
    const [probe, ...payments] = await Promise.all(
      Array.from({ length: 40 }, () => pay(host, 'decline_insufficient_funds', {}, { key })),
    );
    await aConnection(host, own, { id: 'a', status: 'inactive' });
    const retry = ({ id }: Body, idempotencyKey: string = randomUUID()) =>
      act(host, id, 'retry', ok, { key, idempotencyKey });
    for (const point of await crashPointsOf(host, 'payment-actions', () => retry(probe))) {
      const [payment, same] = [payments.pop(), randomUUID()];
      await armCrash(host, point, 'payment-actions');
      if (!(await crashesAt(host, () => retry(payment, same), describePoint(point)))) continue;
      await expireLease(host);
      const { body } = await retryUntilDone(host, () => retry(payment, same));
      expect([body.status, body.failure.code, body.attempts.length], describePoint(point)).toEqual([
        'failed',
        'no_route',
        1,
      ]);
      expect(await eventTypesOf(host, payment.id, { key })).toEqual(['created', 'failed', 'failed']);
    }
    await aConnection(host, own, { id: 'a', status: 'active' });
    expect((await retry(probe)).body.status).toBe('succeeded');
  });
});

describe('a retry that crashed, and whose payment was retried again before the same request came back', () => {
  it('answers with the payment as it is, and charges nothing', async () => {
    const { key } = shop;
    const payment = await pay(host, 'decline_insufficient_funds', {}, { key });
    const same = randomUUID();
    const retry = (idempotencyKey: string) =>
      act(
        host,
        payment.id,
        'retry',
        { payment_method: { type: 'card', token: 'decline_card_declined' } },
        {
          key,
          idempotencyKey,
        },
      );
    await host.control('POST', '/faults', {
      point: 'psp',
      nth: 1,
      kind: 'crash',
      when: 'after',
      handler: 'payment-actions',
    });
    expect((await retry(same)).status).toBe(503);
    await expireLease(host);
    expect((await read(host, payment.id, { key })).status).toBe('failed');
    expect((await retry(randomUUID())).body).toMatchObject({ status: 'failed', attempts: { length: 3 } });
    const { body } = await retryUntilDone(host, () => retry(same));
    expect(body).toMatchObject({ status: 'failed', attempts: { length: 3 } });
    expect(await eventTypesOf(host, payment.id, { key })).toEqual(['created', 'failed', 'failed', 'failed']);
  });
});
