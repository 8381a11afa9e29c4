import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { randomCredentials } from '#lib/local/demo.ts';
import type { Provider } from '#shared/domain/routing/connection.model.ts';
import type { Traits } from '#test/providers/journeys.ts';
import { type OwnShop, openShop } from '#test/providers/own-shop.ts';
import { type Body, HANG_UP_AFTER_MS, startHost, type TestHost } from '#test/support/host.ts';
import { advance, drain, read } from '#test/support/payment-steps.ts';

/** A connection gets the credentials of another account: earlier payments stay with the account that took them. */

const PROVIDERS: readonly Pick<Traits, 'provider' | 'currency' | 'beside'>[] = [
  { provider: 'stripe', currency: 'EUR' },
  { provider: 'adyen', currency: 'EUR' },
  { provider: 'paypal', currency: 'EUR' },
  { provider: 'checkout', currency: 'EUR' },
  { provider: 'mollie', currency: 'EUR' },
  { provider: 'paystack', currency: 'NGN' },
  { provider: 'flutterwave', currency: 'NGN' },
  { provider: 'razorpay', currency: 'INR', beside: { phone: '+919900000000' } },
];

let host: TestHost;
beforeAll(async () => {
  host = await startHost({ hangUpAfterMs: HANG_UP_AFTER_MS });
});
afterEach(() => host.control('DELETE', '/psp/scenario'));
afterAll(() => host?.close());

/** Other credentials of the connection, which means another account at its simulator. */
const exchange = async ({ key, connection_id: id }: OwnShop, provider: Provider): Promise<void> => {
  const answer = await host.call(
    'POST',
    '/v1/connections',
    { id, credentials: randomCredentials(provider, 'sandbox') },
    { key },
  );
  expect(answer.status).toBe(201);
};

const anew = async (shop: OwnShop, provider: Provider): Promise<void> => {
  await host.call('DELETE', `/v1/connections/${shop.connection_id}`, undefined, { key: shop.key });
  const body = { id: shop.connection_id, provider, credentials: randomCredentials(provider, 'sandbox') };
  expect((await host.call('POST', '/v1/connections', body, { key: shop.key })).status).toBe(201);
};

async function wait(...times: readonly string[]): Promise<void> {
  for (const time of times) {
    await advance(host, time);
    await drain(host);
  }
}

describe.each(PROVIDERS)('at $provider', (differs) => {
  const { provider } = differs;
  const traits: Traits = { ...differs, declines: [], cancel: 'refused', neverArrived: 'failed' };
  let shop: OwnShop;
  beforeAll(async () => {
    shop = await openShop(host, traits);
  });
  const readPayment = ({ id }: Body): Promise<Body> => read(host, id, { key: shop.key });

  it.each(['timeout_after_charge', 'timeout_before_charge'])(
    'settles a charge that ended in %s with the account that made it',
    async (behaviour) => {
      await shop.arrange(behaviour, { webhook: 'none' });
      const payment = await shop.pay('ok');
      expect(payment.status).toBe('processing');
      await exchange(shop, provider);
      await wait('1m', '5m', '10m');
      const settled = await readPayment(payment);
      const sent = behaviour === 'timeout_after_charge' || settled.status === 'succeeded';
      expect([settled.status, settled.late_success, (await shop.money(payment)).count]).toEqual([
        sent ? 'succeeded' : 'failed',
        false,
        sent ? 1 : 0,
      ]);
      if (!sent) return;
      await shop.act(payment, 'refund');
      await wait('30m');
      expect((await readPayment(payment)).status).toBe('refunded');
    },
  );

  it('refunds through the account that was paid, even after it was replaced', async () => {
    const [first, second] = [await shop.pay('ok'), await shop.pay('ok')];
    await shop.later(second);
    await exchange(shop, provider);
    await shop.act(first, 'refund');
    await wait('30m');
    expect([(await readPayment(first)).status, (await shop.money(first)).refunded]).toEqual(['refunded', first.amount]);
    await anew(shop, provider);
    await shop.act(second, 'refund', { amount: 2_000 });
    await wait('30m');
    expect([(await readPayment(second)).amount_refunded, (await shop.money(second)).refunded]).toEqual([2_000, 2_000]);
  });

  it('accepts callbacks from the account of the payment', async () => {
    const payment = await shop.later(await shop.pay('pending'));
    expect(payment.status).toBe('processing');
    await exchange(shop, provider);
    await shop.complete(payment.id, 'succeeded');
    expect([(await readPayment(payment)).status, (await shop.money(payment)).count]).toEqual(['succeeded', 1]);
  });
});
