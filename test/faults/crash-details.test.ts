import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  armCrash,
  crashesAt,
  crashPointsOf,
  describePoint,
  expireLease,
  moneyOf,
  retryUntilDone,
} from '#test/faults/crash-sweep.support.ts';
import { DETAILS } from '#test/http/payment-details.support.ts';
import { type ApiResponse, aPaymentBody, startHost, type TestHost } from '#test/support/host.ts';

let host: TestHost;
beforeAll(async () => {
  host = await startHost({ rateLimits: false, demoProviders: ['stripe'] });
});
afterAll(() => host?.close());

const create = (key: string): Promise<ApiResponse> =>
  host.call('POST', '/v1/payments', aPaymentBody('ok', DETAILS), { idempotencyKey: key });

/** The provider refuses another request under a key that it knows: a repeat without the same details would show. */
it('a crash at any point of a payment with details leaves one charge, which the repeat sends with the same details', async () => {
  const points = await crashPointsOf(host, 'payments', () => create(randomUUID()));
  let crashes = 0;
  for (const point of points) {
    const key = randomUUID();
    await armCrash(host, point, 'payments');
    if (!(await crashesAt(host, () => create(key), describePoint(point)))) continue;
    crashes += 1;
    await expireLease(host);
    const { status, body } = await retryUntilDone(host, () => create(key));
    expect([status, body.status, body.attempts.length], describePoint(point)).toEqual([201, 'succeeded', 1]);
    expect(await moneyOf(host, body.id), describePoint(point)).toMatchObject({ amount: 5_000, count: 1 });
  }
  expect(crashes).toBeGreaterThanOrEqual(3);
});
