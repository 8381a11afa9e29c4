import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  aCustomer,
  armCrash,
  crashesAt,
  crashPointsOf,
  describePoint,
  expireLease,
  moneyOf,
  retryUntilDone,
} from '#test/faults/crash-sweep.support.ts';
import { type ApiResponse, aPaymentBody, startHost, type TestHost } from '#test/support/host.ts';
import { drain, read } from '#test/support/payment-steps.ts';

const ADYEN_CARD = { encryptedCardNumber: 'adyenjs_1', encryptedExpiryMonth: 'adyenjs_2', encryptedExpiryYear: 'e' };

/** Stripe and Mollie need a customer before the charge. Checkout.com and Adyen keep the card with it. */
const TOKENS = [
  ['stripe', 'ok'],
  ['checkout', 'ok'],
  ['mollie', 'ok'],
  ['adyen', ADYEN_CARD],
] as const;

describe.each(TOKENS)('a crash at any point of a payment at %s that keeps its card', (provider, token) => {
  let host: TestHost;
  beforeAll(async () => {
    host = await startHost({ rateLimits: false, demoProviders: [provider] });
  });
  afterAll(() => host?.close());

  const create = (customer: string, key: string): Promise<ApiResponse> =>
    host.call(
      'POST',
      '/v1/payments',
      { ...aPaymentBody('ok'), payment_method: { type: 'card', token }, customer_id: customer, save: true },
      { idempotencyKey: key },
    );
  const methodsOf = async (customer: string): Promise<readonly { readonly id: string }[]> =>
    (await host.call('GET', `/v1/payment-methods?customer_id=${customer}`)).body.payment_methods;

  it('leaves one charge and one saved method, which can be charged', async () => {
    const points = await crashPointsOf(host, 'payments', () => create(aCustomer(), randomUUID()));
    let crashes = 0;
    for (const point of points) {
      const [customer, key] = [aCustomer(), randomUUID()];
      await armCrash(host, point, 'payments');
      if (!(await crashesAt(host, () => create(customer, key), describePoint(point)))) continue;
      crashes += 1;
      await expireLease(host);
      const { body } = await retryUntilDone(host, () => create(customer, key));
      await drain(host);
      const payment = await read(host, body.id);
      expect([payment.status, payment.attempts.length], describePoint(point)).toEqual(['succeeded', 1]);
      expect(await moneyOf(host, body.id), describePoint(point)).toMatchObject({ amount: 5_000, count: 1 });
      const methods = await methodsOf(customer);
      expect(
        methods.map(({ id }) => id),
        describePoint(point),
      ).toEqual([payment.payment_method_id]);
    }
    expect(crashes).toBeGreaterThanOrEqual(3);
    const customer = aCustomer();
    const { body: paid } = await create(customer, randomUUID());
    await drain(host);
    const [method] = await methodsOf(customer);
    const later = { amount: 700, currency: 'EUR', payment_method: { id: method?.id }, mit: { reason: 'recurring' } };
    const { body: sent } = await host.call('POST', '/v1/payments', { ...later, customer_id: customer });
    await drain(host);
    expect([(await read(host, sent.id)).status, (await read(host, paid.id)).status]).toEqual([
      'succeeded',
      'succeeded',
    ]);
  });
});
