import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type OwnShop, openShop } from '#test/providers/own-shop.ts';
import { type ApiResponse, type Body, startHost, type TestHost } from '#test/support/host.ts';

/** The methods that a PSP is chosen for beside cards, from the first call to the money. */
let host: TestHost;
beforeAll(async () => {
  host = await startHost({ demoProviders: [] });
});
afterAll(() => host?.close());

const EMAIL = 'kim@example.com';
const opened = (provider: string, currency: string): Promise<OwnShop> =>
  openShop(host, { provider, currency, declines: [], cancel: 'refused', neverArrived: 'sent_again' });

type Paying = {
  readonly currency: string;
  readonly method: string;
  readonly payment_method: Body;
  readonly country?: string;
};

async function begin(shop: OwnShop, { currency, method, payment_method, country }: Paying): Promise<Body> {
  const payment = await shop.pay(null, {
    currency,
    method,
    payment_method: { type: method, ...payment_method },
    customer_email: EMAIL,
    ...(country && { country }),
  });
  expect([payment.status, payment.failure], JSON.stringify(payment)).toEqual([
    expect.stringMatching(/^(requires_action|processing)$/),
    null,
  ]);
  expect((await shop.money(payment)).count).toBe(0);
  return payment;
}

async function verifyPaid(shop: OwnShop, payment: Body): Promise<void> {
  expect(await shop.later(payment)).toMatchObject({ status: 'succeeded', next_action: null, late_success: false });
  expect(await shop.money(payment)).toMatchObject({ amount: payment.amount, currency: payment.currency, count: 1 });
}

describe.each<[string, string, Paying, object]>([
  [
    'paystack',
    'mobile money',
    { currency: 'GHS', method: 'mobile_money', payment_method: { phone: '+233551234987', network: 'mtn' } },
    { type: 'await' },
  ],
  ['paystack', 'USSD', { currency: 'NGN', method: 'ussd', payment_method: { network: '737' } }, { type: 'display' }],
  [
    'flutterwave',
    'mobile money',
    { currency: 'GHS', method: 'mobile_money', payment_method: { phone: '+233551234987', network: 'MTN' } },
    {},
  ],
  [
    'flutterwave',
    'M-Pesa',
    { currency: 'KES', method: 'mobile_money', payment_method: { phone: '+254712345678' } },
    {},
  ],
  ['razorpay', 'UPI', { currency: 'INR', method: 'upi', payment_method: { phone: '+919900000000' } }, {}],
  [
    'razorpay',
    'netbanking',
    { currency: 'INR', method: 'netbanking', payment_method: { phone: '+919900000000', bank: 'HDFC' } },
    { type: 'redirect' },
  ],
  [
    'razorpay',
    'a payment link',
    { currency: 'INR', method: 'card', payment_method: {} },
    { type: 'redirect', method: 'GET' },
  ],
  ['mollie', 'iDEAL', { currency: 'EUR', method: 'ideal', payment_method: {} }, { type: 'redirect', method: 'GET' }],
  [
    'mollie',
    'Bancontact',
    { currency: 'EUR', method: 'bancontact', payment_method: {} },
    { type: 'redirect', method: 'GET' },
  ],
  ['adyen', 'iDEAL', { currency: 'EUR', method: 'ideal', payment_method: {} }, { type: 'redirect' }],
  ['checkout', 'iDEAL', { currency: 'EUR', method: 'ideal', payment_method: {}, country: 'NL' }, { type: 'redirect' }],
  ['paypal', 'the wallet', { currency: 'EUR', method: 'wallet', payment_method: {} }, { type: 'redirect' }],
])('%s by %s', (provider, _, paying, action) => {
  it('waits for the customer, and is paid once', async () => {
    const shop = await opened(provider, paying.currency);
    const payment = await begin(shop, paying);
    if (payment.status === 'requires_action') expect(payment.next_action).toMatchObject(action);
    await shop.complete(payment.id, 'succeeded');
    await verifyPaid(shop, payment);
  });

  it('is not paid by a customer who refuses', async () => {
    const shop = await opened(provider, paying.currency);
    const payment = await begin(shop, paying);
    await shop.complete(payment.id, 'failed');
    await host.control('POST', '/clock', { advance: '25h' });
    expect((await shop.later(payment)).status).toMatch(/^(failed|canceled)$/);
    expect((await shop.money(payment)).count).toBe(0);
  });
});

describe('a code that the customer brings', () => {
  const giving = (shop: OwnShop, payment: Body, otp: string): Promise<ApiResponse> =>
    shop.act(payment, 'confirm', { input: { otp } });

  it('at Paystack goes on with the charge: a wrong one ends or repeats it, a right one pays it once', async () => {
    const shop = await opened('paystack', 'GHS');
    const paying = {
      currency: 'GHS',
      method: 'mobile_money',
      payment_method: { phone: '+233551234987', network: 'vod' },
    };
    const payment = await begin(shop, paying);
    expect(payment.next_action).toEqual({ type: 'collect', field: 'otp' });
    const refused = await giving(shop, payment, '000000');
    expect([refused.status, ['requires_action', 'failed']]).toEqual([
      200,
      expect.arrayContaining([refused.body.status]),
    ]);
    expect((await shop.money(payment)).count).toBe(0);
    const other = await begin(shop, paying);
    expect((await giving(shop, other, '123456')).status).toBe(200);
    await shop.complete(other.id, 'succeeded');
    await verifyPaid(shop, other);
  });
});

describe('a callback of Mollie, which carries no proof', () => {
  it.each(['tr_unknown123', 'another shop’s'])('about %s changes nothing, and is answered 200', async (named) => {
    const [mine, theirs] = [await opened('mollie', 'EUR'), await opened('mollie', 'EUR')];
    const payment = await mine.pay(null);
    const foreign = await theirs.pay('ok');
    const id = named.startsWith('tr_') ? named : (await theirs.later(foreign)).psp_reference;
    const keys = new URLSearchParams({
      org_id: mine.org_id,
      connection_id: mine.connection_id,
      payment_id: payment.id,
    });
    const reply = await fetch(`${host.info.function_url}/webhooks/mollie?${keys}`, {
      method: 'POST',
      body: new URLSearchParams({ id }),
    });
    expect([reply.status, (await mine.later(payment)).status, (await mine.money(payment)).count]).toEqual([
      200,
      'requires_action',
      0,
    ]);
  });
});
