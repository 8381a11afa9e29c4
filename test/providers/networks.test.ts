import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type OwnShop, openShop } from '#test/providers/own-shop.ts';
import { type ApiResponse, type Body, startHost, type TestHost } from '#test/support/host.ts';
import { faultsIn, operationsOf } from '#test/support/payment-steps.ts';

/** The customer's mobile-money network, as shops spell it. */
let host: TestHost;
beforeAll(async () => {
  host = await startHost({ demoProviders: [] });
});
afterAll(() => host?.close());

const opened = (provider: string): Promise<OwnShop> =>
  openShop(host, { provider, currency: 'GHS', declines: [], cancel: 'refused', neverArrived: 'sent_again' });

const asking = (network: string, more: Body = {}): Body => ({
  amount: 5000,
  currency: 'GHS',
  method: 'mobile_money',
  country: 'GH',
  customer_email: 'kim@example.com',
  payment_method: { type: 'mobile_money', phone: '+233551234987', network },
  ...more,
});

const pay = ({ key }: OwnShop, body: Body): Promise<ApiResponse> => host.call('POST', '/v1/payments', body, { key });
const payments = async ({ key }: OwnShop): Promise<Body[]> =>
  (await host.call('GET', '/v1/payments', undefined, { key })).body.payments;

describe.each([
  ['flutterwave', ['mtn', 'MTN', 'Mtn MoMo', 'vodafone cash', 'Telecel', 'AirtelTigo Money', 'tigo'], 'MTN'],
  ['paystack', ['mtn', 'MTN', 'Mtn MoMo', 'AirtelTigo Money'], 'mtn'],
])('a network at %s', (provider, known, listed) => {
  it.each(known)('is known as "%s": the phone rings', async (network) => {
    const shop = await opened(provider);
    const { status, body } = await pay(shop, asking(network));
    expect([status, body.failure], JSON.stringify(body)).toEqual([201, null]);
    await shop.complete(body.id, 'succeeded');
    expect(await shop.later(body)).toMatchObject({ status: 'succeeded', provider });
  });

  it.each(['MTNN', 'orange', 'momo', '<script>'])(
    'that is not known, as "%s", is refused with the list before anything is stored or sent',
    async (network) => {
      const shop = await opened(provider);
      const refused = await pay(shop, asking(network));
      expect([refused.status, refused.body.code, faultsIn(refused)]).toEqual([
        400,
        'invalid_request',
        ['payment_method.network'],
      ]);
      expect(refused.body.details.fields[0].message).toContain(listed);
      expect(JSON.stringify(refused.body)).not.toContain(network);
      expect(await payments(shop)).toEqual([]);
    },
  );

  it('that is not known leaves an intent as it was, which a known one confirms', async () => {
    const shop = await opened(provider);
    const { payment_method, ...order } = asking('orange');
    const { body: intent } = await host.call('POST', '/v1/payments/intents', order, { key: shop.key });
    const refused = await shop.act(intent, 'confirm', { payment_method });
    expect([refused.status, faultsIn(refused)]).toEqual([400, ['payment_method.network']]);
    expect(await shop.later(intent)).toMatchObject({ status: intent.status, attempts: [] });
    expect(await operationsOf(host, intent.id)).toEqual([]);
    const confirmed = await shop.act(intent, 'confirm', { payment_method: asking('MTN').payment_method });
    expect([confirmed.status, confirmed.body.failure]).toEqual([200, null]);
  });
});
