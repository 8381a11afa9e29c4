import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newId } from '#shared/kernel/ids.ts';
import {
  type CrashPoint,
  crashesAt,
  crashPointsOf,
  describePoint,
  expireLease,
  retryUntilDone,
  runScheduledWork,
} from '#test/faults/crash-sweep.support.ts';
import { type ApiResponse, type Body, startHost, type TestHost } from '#test/support/host.ts';
import { act, advance, arrange, aShop, create, pay, type Shop } from '#test/support/payment-steps.ts';
import { PER_DAY } from '#test/support/retry-limits.ts';

const CARD = 'decline_card_declined';
const OTHER_CARD = 'decline_expired_card';

let host: TestHost;
beforeAll(async () => {
  host = await startHost();
});
afterAll(() => host?.close());

const anywhere = (customer: string) => ({
  amount: 5_000,
  currency: 'EUR',
  customer_id: customer,
  payment_method: { type: 'card', tokens: { stripe: CARD } },
});
const retry = (shop: Shop, { id }: Body, idempotencyKey: string = randomUUID()): Promise<ApiResponse> =>
  act(host, id, 'retry', { payment_method: { type: 'card', token: CARD } }, { key: shop.key, idempotencyKey });

const declinesOf = ({ attempts }: Body): number =>
  attempts.filter(({ failure }: Body) => failure?.code === 'card_declined').length;

/** Records that many declines of the card directly. */
async function decline(shop: Shop, times: number, token = CARD): Promise<void> {
  const [means, at] = [{ orgId: shop.org_id, provider: 'stripe', token: JSON.stringify(token) }, host.clock.now()];
  for (let n = 0; n < times; n += 1)
    await host.deps.retryBudget.countDecline(means, { id: newId('attempt', at), began: at }, at);
}

/** After so many declines exactly one more is allowed. */
async function verifyCount(shop: Shop, count: number, where: string): Promise<void> {
  await decline(shop, PER_DAY - 1 - count);
  const payment = await pay(host, OTHER_CARD, {}, { key: shop.key });
  expect((await retry(shop, payment)).status, `${where}: too many counted`).toBe(200);
  expect(await retry(shop, payment), `${where}: too few counted`).toMatchObject({
    status: 409,
    body: { code: 'retry_budget_exhausted' },
  });
}

const crashAt = ({ point, nth, when }: CrashPoint, handler = 'payments') =>
  host.control('POST', '/faults', { point, nth, kind: 'crash', when, handler });

/** Retries are served by another function than new payments. */
const RETRYING = 'payment-actions';

describe.each([
  ['is declined at once', { a: {} }, 1],
  ['is declined at two connections', { a: {}, b: {} }, 2],
])('a process that crashes at any point of a payment that %s', (_, connections, most) => {
  const begin = (shop: Shop, customer: string, idempotencyKey: string = randomUUID()) =>
    create(host, anywhere(customer), { key: shop.key, idempotencyKey });
  const points = async () => {
    const probe = await aShop(host, connections);
    return crashPointsOf(host, 'payments', () => begin(probe, 'probe'));
  };

  it('counts each decline once when the request is repeated', async () => {
    for (const point of await points()) {
      const [shop, key] = [await aShop(host, connections), randomUUID()];
      await crashAt(point);
      if (!(await crashesAt(host, () => begin(shop, 'one', key), describePoint(point)))) continue;
      await expireLease(host);
      const { body } = await retryUntilDone(host, () => begin(shop, 'one', key));
      expect([body.status, declinesOf(body)], describePoint(point)).toEqual(['failed', most]);
      await verifyCount(shop, most, describePoint(point));
    }
  }, 120_000);

  it('counts each decline once when only the timer settles it', async () => {
    for (const point of await points()) {
      const shop = await aShop(host, connections);
      await crashAt(point);
      await begin(shop, 'one');
      await runScheduledWork(host);
      const { payments } = (await host.call('GET', '/v1/payments?customer_id=one', undefined, { key: shop.key })).body;
      await verifyCount(shop, payments.length === 0 ? 0 : declinesOf(payments[0]), describePoint(point));
    }
  }, 120_000);
});

describe('a process that crashes at any point of a retry', () => {
  const points = async () => {
    const probe = await aShop(host, { a: {} });
    const payment = await pay(host, OTHER_CARD, {}, { key: probe.key });
    return crashPointsOf(host, RETRYING, () => retry(probe, payment));
  };

  it('counts the retry once, and does not refuse the repeated request because of its own slot', async () => {
    for (const point of await points()) {
      const [shop, key] = [await aShop(host, { a: {} }), randomUUID()];
      await decline(shop, PER_DAY - 1);
      const payment = await pay(host, OTHER_CARD, {}, { key: shop.key });
      await crashAt(point, RETRYING);
      if (!(await crashesAt(host, () => retry(shop, payment, key), describePoint(point)))) continue;
      await expireLease(host);
      const { status, body } = await retryUntilDone(host, () => retry(shop, payment, key));
      expect([status, body.status, declinesOf(body)], describePoint(point)).toEqual([200, 'failed', 1]);
      expect(await retry(shop, payment), describePoint(point)).toMatchObject({
        status: 409,
        body: { code: 'retry_budget_exhausted' },
      });
    }
  }, 120_000);

  it('counts a retry that was made when the request is not repeated', async () => {
    for (const point of await points()) {
      const shop = await aShop(host, { a: {} });
      const payment = await pay(host, OTHER_CARD, { customer_id: 'one' }, { key: shop.key });
      await crashAt(point, RETRYING);
      await retry(shop, payment);
      await runScheduledWork(host);
      const { payments } = (await host.call('GET', '/v1/payments?customer_id=one', undefined, { key: shop.key })).body;
      await verifyCount(shop, declinesOf(payments[0]), describePoint(point));
    }
  }, 120_000);

  it('releases the slot of a retry that succeeds', async () => {
    const probe = await aShop(host, { a: {} });
    const again = (shop: Shop, { id }: Body, idempotencyKey: string = randomUUID()) =>
      act(host, id, 'retry', undefined, { key: shop.key, idempotencyKey });
    const failed = async (shop: Shop) => {
      await arrange(host, 'decline:card_declined');
      return pay(host, 'ok', {}, { key: shop.key });
    };
    const payment = await failed(probe);
    for (const point of await crashPointsOf(host, RETRYING, () => again(probe, payment))) {
      const [shop, key] = [await aShop(host, { a: {} }), randomUUID()];
      await decline(shop, 5, 'ok');
      const payments = [await failed(shop), await failed(shop)];
      await crashAt(point, RETRYING);
      await again(shop, payments[0], key);
      await expireLease(host);
      expect((await retryUntilDone(host, () => again(shop, payments[0], key))).body.status, describePoint(point)).toBe(
        'succeeded',
      );
      for (const each of payments.slice(1))
        expect((await again(shop, each)).body.status, describePoint(point)).toBe('succeeded');
    }
  }, 120_000);
});

describe('a retry budget with one slot left', () => {
  it('lets one of fifty simultaneous retries through', async () => {
    const shop = await aShop(host, { a: {} });
    const payments = await Promise.all(Array.from({ length: 50 }, () => pay(host, OTHER_CARD, {}, { key: shop.key })));
    await decline(shop, PER_DAY - 1);
    const answers = await Promise.all(payments.map((payment) => retry(shop, payment)));
    expect(answers.map(({ status, body }) => body.code ?? status).sort()).toEqual([
      200,
      ...Array.from({ length: 49 }, () => 'retry_budget_exhausted'),
    ]);
  });
});

describe('a slot that was reserved for an attempt that never happened', () => {
  it('is released once its process must have crashed', async () => {
    const shop = await aShop(host, { a: {} });
    const payments = await Promise.all(
      Array.from({ length: PER_DAY + 1 }, () => pay(host, OTHER_CARD, {}, { key: shop.key })),
    );
    const [last, ...first] = payments;
    const points = await crashPointsOf(host, RETRYING, () => retry(shop, last));
    // The first call counts the request of its API key.
    const taken = points.filter(({ method, when }) => method === 'update' && when === 'after')[1];
    for (const payment of first.slice(0, PER_DAY - 1)) {
      await crashAt(taken as CrashPoint, RETRYING);
      expect((await retry(shop, payment)).status).toBe(503);
    }
    const refused = { status: 409, body: { code: 'retry_budget_exhausted' } };
    expect(await retry(shop, first[PER_DAY - 1])).toMatchObject(refused);
    await advance(host, '36s');
    for (let n = 0; n < PER_DAY - 1; n += 1) expect((await retry(shop, first[PER_DAY - 1])).status).toBe(200);
    expect(await retry(shop, first[PER_DAY - 1])).toMatchObject(refused);
  });
});
