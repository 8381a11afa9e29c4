import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import {
  armCrash,
  type CrashPoint,
  crashPointsOf,
  describePoint,
  expireLease,
  runScheduledWork,
} from '#test/faults/crash-sweep.support.ts';
import { type ApiResponse, type Body, HANG_UP_AFTER_MS, startHost, type TestHost } from '#test/support/host.ts';
import { moneyOf, read } from '#test/support/payment-steps.ts';

/** Processes that die while a payment keeps its method: it is charged once, and the customer has the method once. */
let host: TestHost;
let crashes = 0;
let number = 0;
beforeAll(async () => {
  host = await startHost({ demoProviders: ['stripe'], hangUpAfterMs: HANG_UP_AFTER_MS });
  // What the first requests read, later ones know.
  for (let n = 0; n < 2; n += 1) await create(nobodyYet());
});
afterEach(() => host.control('DELETE', '/faults'));
afterAll(async () => {
  console.log(`crash sweep of saved methods: ${crashes} crash points`);
  await host?.close();
});

const nobodyYet = (): string => {
  number += 1;
  return `saver-${number}`;
};
const bodyFor = (customer_id: string): Body => ({
  amount: 5_000,
  currency: 'EUR',
  customer_id,
  save: true,
  payment_method: { type: 'card', token: 'pm_card_visa' },
});
const create = (customer: string, idempotencyKey: string = randomUUID()): Promise<ApiResponse> =>
  host.call('POST', '/v1/payments', bodyFor(customer), { idempotencyKey });
const methodsOf = async (customer: string): Promise<Body[]> =>
  (await host.call('GET', `/v1/payment-methods?customer_id=${customer}`)).body.payment_methods;
const paymentsOf = async (customer: string): Promise<Body[]> =>
  (await host.call('GET', `/v1/payments?customer_id=${customer}`)).body.payments;

async function expectKeptOnce(customer: string, where: string): Promise<void> {
  const payments = await paymentsOf(customer);
  const methods = await methodsOf(customer);
  expect([payments.length, methods.length], where).toEqual([1, 1]);
  const { id } = payments[0];
  expect(await read(host, id), where).toMatchObject({ status: 'succeeded', payment_method_id: methods[0].id });
  expect(await moneyOf(host, id), where).toMatchObject({ count: 1, amount: 5_000 });
}

async function pointsOf(): Promise<readonly CrashPoint[]> {
  const points = await crashPointsOf(host, 'payments', async () => {
    expect((await create(nobodyYet())).body.payment_method_id).toMatch(/^pm_/);
  });
  expect(points.some(({ method }) => method === 'transact')).toBe(true);
  return points;
}

describe('a process that dies at any of its writes while it keeps a method', () => {
  it('leaves one charge and one method, if the request is repeated', { timeout: 120_000 }, async () => {
    for (const point of await pointsOf()) {
      const [customer, key] = [nobodyYet(), randomUUID()];
      await armCrash(host, point, 'payments');
      expect((await create(customer, key)).status, describePoint(point)).toBe(503);
      crashes += 1;
      await expireLease(host);
      const repeated = await create(customer, key);
      expect(repeated.status, describePoint(point)).toBe(201);
      await expectKeptOnce(customer, describePoint(point));
    }
  });

  it('leaves one charge and one method, or neither, if nobody repeats it', { timeout: 120_000 }, async () => {
    for (const point of await pointsOf()) {
      const customer = nobodyYet();
      await armCrash(host, point, 'payments');
      expect((await create(customer)).status, describePoint(point)).toBe(503);
      crashes += 1;
      await runScheduledWork(host);
      const isMade = (await paymentsOf(customer)).length > 0;
      if (isMade) await expectKeptOnce(customer, describePoint(point));
      else expect(await methodsOf(customer), describePoint(point)).toEqual([]);
    }
  });
});
