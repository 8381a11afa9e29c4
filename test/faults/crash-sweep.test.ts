import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  aCustomer,
  armCrash,
  crashesAt,
  crashPointsOf,
  describePoint,
  eventsAbout,
  expireLease,
  moneyOf,
  paymentsOf,
  receiveEvents,
  retryUntilDone,
  runScheduledWork,
} from '#test/faults/crash-sweep.support.ts';
import { type ApiResponse, aPaymentBody, type Body, startHost, type TestHost } from '#test/support/host.ts';

let host: TestHost;
let crashes = 0;

/** Whether the planned crash happened: a sweep whose crashes never happen proves nothing. */
function counted(): number {
  const crashed = host.faults.waiting.length === 0 ? 1 : 0;
  crashes += crashed;
  return crashed;
}

beforeAll(async () => {
  host = await startHost({ rateLimits: false });
  await receiveEvents(host, 'shop');
});
afterAll(async () => {
  console.log(`crash sweep: ${crashes} crash points`);
  await host?.close();
});

const create = (customer: string, key: string, token = 'ok'): Promise<ApiResponse> =>
  host.call('POST', '/v1/payments', aPaymentBody(token, { customer_id: customer, metadata: { order: customer } }), {
    idempotencyKey: key,
  });

async function paid(token = 'ok'): Promise<Body> {
  const answer = await create(aCustomer(), randomUUID(), token);
  await host.control('POST', '/drain');
  return answer.body;
}

describe('a crash at any point of creating a payment', () => {
  it('leaves one charge, one payment and one event of each type after the same request again', async () => {
    const points = await crashPointsOf(host, 'payments', () => create(aCustomer(), randomUUID()));
    expect(points.length).toBeGreaterThanOrEqual(4);
    for (const point of points) {
      const [customer, key] = [aCustomer(), randomUUID()];
      await armCrash(host, point, 'payments');
      if (!(await crashesAt(host, () => create(customer, key), describePoint(point)))) continue;
      expect(counted(), describePoint(point)).toBe(1);
      await expireLease(host);
      const again = await retryUntilDone(host, () => create(customer, key));
      await runScheduledWork(host);
      await verifyPaid(again, customer, describePoint(point));
    }
  }, 300_000);

  it('leaves the same when the request is not repeated, because the timer completes it', async () => {
    const points = await crashPointsOf(host, 'payments', () => create(aCustomer(), randomUUID()));
    for (const point of points) {
      const customer = aCustomer();
      await armCrash(host, point, 'payments');
      await create(customer, randomUUID());
      expect(counted(), describePoint(point)).toBe(1);
      await runScheduledWork(host);
      const payments = await paymentsOf(host, customer);
      expect(payments.length, describePoint(point)).toBeLessThanOrEqual(1);
      for (const payment of payments)
        await verifyPaid({ status: 201, body: payment } as ApiResponse, customer, describePoint(point));
    }
  }, 300_000);

  it('leaves the original response to a repeat much later', async () => {
    const points = await crashPointsOf(host, 'payments', () => create(aCustomer(), randomUUID()));
    for (const point of points.filter((p) => p.when === 'after')) {
      const [customer, key] = [aCustomer(), randomUUID()];
      await armCrash(host, point, 'payments');
      await create(customer, key);
      expect(counted(), describePoint(point)).toBe(1);
      await runScheduledWork(host);
      const again = await retryUntilDone(host, () => create(customer, key));
      await runScheduledWork(host);
      await verifyPaid(again, customer, describePoint(point));
      const third = await create(customer, key);
      expect(third.text, describePoint(point)).toBe(again.text);
    }
  }, 300_000);
});

async function verifyPaid(answer: ApiResponse, customer: string, where: string): Promise<void> {
  expect(answer.status, where).toBe(201);
  const payments = await paymentsOf(host, customer);
  expect(
    payments.map((p) => [p.id, p.status, p.attempts.length]),
    where,
  ).toEqual([[answer.body.id, 'succeeded', 1]]);
  expect(await moneyOf(host, answer.body.id), where).toMatchObject({ amount: 5_000, refunded: 0, count: 1 });
  expect(await eventsAbout(host, 'shop', answer.body.id), where).toEqual({
    'payment.created': 1,
    'payment.succeeded': 1,
  });
}

describe('a crash at any point of a refund', () => {
  it('refunds the money once after the same request again', async () => {
    const refund = (id: string, key: string) =>
      host.call('POST', `/v1/payments/${id}/refund`, { amount: 2_000 }, { idempotencyKey: key });
    const probe = await paid();
    const points = await crashPointsOf(host, 'payment-actions', () => refund(probe.id, randomUUID()));
    expect(points.length).toBeGreaterThanOrEqual(7);
    for (const point of points) {
      const [payment, key] = [await paid(), randomUUID()];
      await armCrash(host, point, 'payment-actions');
      await refund(payment.id, key);
      expect(counted(), describePoint(point)).toBe(1);
      await expireLease(host);
      const again = await retryUntilDone(host, () => refund(payment.id, key));
      await runScheduledWork(host);
      const now = (await host.call('GET', `/v1/payments/${payment.id}`)).body;
      expect([again.status, now.amount_refunded, now.refunds.length, now.status], describePoint(point)).toEqual([
        200,
        2_000,
        1,
        'succeeded',
      ]);
      expect(await moneyOf(host, payment.id), describePoint(point)).toMatchObject({ refunded: 2_000, count: 1 });
      expect((await eventsAbout(host, 'shop', payment.id))['payment.refunded'], describePoint(point)).toBe(1);
    }
  }, 300_000);
});

describe('a crash at any point of processing a callback', () => {
  it('loses no callback, because the provider sends it again', async () => {
    const completed = async () => {
      const payment = await paid('pending');
      expect(payment.status).toBe('processing');
      return payment;
    };
    const complete = (id: string) =>
      host.control('POST', '/psp/complete', { provider: 'stripe', reference: id, outcome: 'succeeded' });
    const probe = await completed();
    const points = await crashPointsOf(host, 'psp-webhooks', async () => {
      await complete(probe.id);
      await host.control('POST', '/drain');
    });
    expect(points.length).toBeGreaterThanOrEqual(3);
    let struck = 0;
    for (const point of points) {
      const payment = await completed();
      await armCrash(host, point, 'psp-webhooks');
      await complete(payment.id);
      await host.control('POST', '/drain');
      struck += counted();
      await runScheduledWork(host);
      const now = (await host.call('GET', `/v1/payments/${payment.id}`)).body;
      expect(now.status, describePoint(point)).toBe('succeeded');
      expect(await eventsAbout(host, 'shop', payment.id), describePoint(point)).toEqual({
        'payment.created': 1,
        'payment.succeeded': 1,
      });
      expect((await moneyOf(host, payment.id)).count).toBe(1);
    }
    expect(struck).toBeGreaterThanOrEqual(3);
  }, 300_000);
});

describe.each(['relay', 'webhook-delivery'])('a crash at any point of the %s', (group) => {
  it('loses no event and invents none', async () => {
    const points = await crashPointsOf(host, group, async () => {
      await paid();
    });
    expect(points.length).toBeGreaterThanOrEqual(3);
    let struck = 0;
    for (const point of points) {
      await armCrash(host, point, group);
      const payment = await paid();
      struck += counted();
      await runScheduledWork(host);
      expect(await eventsAbout(host, 'shop', payment.id), describePoint(point)).toEqual({
        'payment.created': 1,
        'payment.succeeded': 1,
      });
    }
    expect(struck).toBeGreaterThanOrEqual(3);
  }, 300_000);
});

describe('a crash at any point of reconciliation', () => {
  it('still settles an unknown outcome, with one charge', async () => {
    const unknown = async () => {
      await host.control('POST', '/psp/scenario', { provider: 'stripe', behaviour: 'garbage', webhook: 'none' });
      const payment = (await create(aCustomer(), randomUUID())).body;
      expect(payment.status).toBe('processing');
      return payment;
    };
    await unknown();
    const points = await crashPointsOf(host, 'timers', () => host.control('POST', '/clock', { advance: '90s' }));
    expect(points.length).toBeGreaterThanOrEqual(3);
    let struck = 0;
    for (const point of points) {
      const payment = await unknown();
      await armCrash(host, point, 'timers');
      await host.control('POST', '/clock', { advance: '90s' });
      struck += counted();
      await runScheduledWork(host);
      expect((await host.call('GET', `/v1/payments/${payment.id}`)).body.status, describePoint(point)).toBe(
        'succeeded',
      );
      expect((await moneyOf(host, payment.id)).count, describePoint(point)).toBe(1);
      expect(await eventsAbout(host, 'shop', payment.id), describePoint(point)).toEqual({
        'payment.created': 1,
        'payment.succeeded': 1,
      });
    }
    expect(struck).toBeGreaterThanOrEqual(3);
  }, 300_000);
});
