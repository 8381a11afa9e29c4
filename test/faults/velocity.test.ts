import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  crashPointsOf,
  describePoint,
  expireLease,
  moneyOf,
  paymentsOf,
  retryUntilDone,
  runScheduledWork,
} from '#test/faults/crash-sweep.support.ts';
import { aPaymentBody, type Body, startHost, type TestHost } from '#test/support/host.ts';
import { timesOf } from '#test/support/whole-run.ts';

const LIMIT = timesOf(50, 20);
const ASKING = 4 * LIMIT;

let host: TestHost;
beforeAll(async () => {
  host = await startHost();
});
afterAll(() => host?.close());

const policy = (velocity: readonly Body[]) => host.call('POST', '/v1/policies/fraud', { enabled: true, velocity });
const pay = (customer: string, key = randomUUID()) =>
  host.call('POST', '/v1/payments', aPaymentBody('ok', { customer_id: customer }), { idempotencyKey: key });

describe('a velocity limit', () => {
  it(`lets exactly ${LIMIT} of ${ASKING} simultaneous payments through`, async () => {
    await policy([{ field: 'customer_id', max_payments: LIMIT, window: '1h' }]);
    const customer = randomUUID();
    const answers = await Promise.all(Array.from({ length: ASKING }, () => pay(customer)));
    const passed = answers.filter(({ body }) => body.status === 'succeeded');
    expect([passed.length, answers.filter(({ body }) => body.failure?.code === 'fraud_blocked').length]).toEqual([
      LIMIT,
      ASKING - LIMIT,
    ]);
    const { charges } = (await host.control('GET', '/psp/calls')).body;
    expect(answers.filter(({ body }) => charges[body.id]?.count === 1).map(({ body }) => body.id)).toEqual(
      passed.map(({ body }) => body.id),
    );
  }, 120_000);

  it('counts a payment once, wherever the process crashes, and blocks the next', async () => {
    await policy([{ field: 'customer_id', max_payments: 1, window: '1h' }]);
    const points = await crashPointsOf(host, 'payments', () => pay(randomUUID()));
    expect(points.length).toBeGreaterThanOrEqual(5);
    for (const point of points) {
      const [customer, key] = [randomUUID(), randomUUID()];
      await host.control('POST', '/faults', {
        point: point.point,
        nth: point.nth,
        kind: 'crash',
        when: point.when,
        handler: 'payments',
      });
      await pay(customer, key);
      expect(host.faults.waiting.length, describePoint(point)).toBe(0);
      await expireLease(host);
      const again = await retryUntilDone(host, () => pay(customer, key));
      expect([again.body.status, (await pay(customer)).body.failure?.code], describePoint(point)).toEqual([
        'succeeded',
        'fraud_blocked',
      ]);
    }
  }, 120_000);

  it('counts a payment that only the timer settles', async () => {
    await policy([{ field: 'customer_id', max_payments: 1, window: '7d' }]);
    const points = await crashPointsOf(host, 'payments', () => pay(randomUUID()));
    for (const point of points) {
      const customer = randomUUID();
      await host.control('POST', '/faults', {
        point: point.point,
        nth: point.nth,
        kind: 'crash',
        when: point.when,
        handler: 'payments',
      });
      await pay(customer);
      const second = await pay(customer);
      await runScheduledWork(host);
      const payments = await paymentsOf(host, customer);
      const taken = await Promise.all(payments.map(({ id }) => moneyOf(host, id)));
      expect(
        taken.reduce((sum, { count }) => sum + count, 0),
        describePoint(point),
      ).toBe(1);
      expect(
        payments.filter(({ status }) => status === 'succeeded').length,
        `${describePoint(point)} ${second.status}`,
      ).toBe(1);
    }
  }, 120_000);

  it('never loses a charge that was sent, even if the window has moved on and is full again', async () => {
    await policy([{ field: 'customer_id', max_payments: 1, window: '30s' }]);
    const points = await crashPointsOf(host, 'payments', () => pay(randomUUID()));
    for (const point of points) {
      const customer = randomUUID();
      await host.control('POST', '/psp/scenario', { provider: 'stripe', behaviour: 'approve', webhook: 'none' });
      await host.control('POST', '/faults', {
        point: point.point,
        nth: point.nth,
        kind: 'crash',
        when: point.when,
        handler: 'payments',
      });
      await pay(customer);
      await host.control('DELETE', '/psp/scenario');
      await host.control('POST', '/clock', { advance: '31s' });
      await pay(customer);
      await runScheduledWork(host);
      for (const payment of await paymentsOf(host, customer)) {
        const { count } = await moneyOf(host, payment.id);
        expect([payment.status, count], describePoint(point)).toEqual(count === 0 ? ['failed', 0] : ['succeeded', 1]);
      }
    }
  }, 120_000);
});
