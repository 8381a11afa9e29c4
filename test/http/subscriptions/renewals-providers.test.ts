import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Provider } from '#shared/domain/routing/connection.model.ts';
import { PROVIDERS, PSPS } from '#shared/psp/providers.ts';
import { type Sent, startTappedHost, type TappedHost } from '#test/http/subscriptions/renewals.support.ts';
import { walkThrough } from '#test/providers/browser.ts';
import {
  billingEventTypes,
  endSubscriptions,
  goTo,
  invoicesOf,
  paymentsOf,
  subscribe,
  subscriptionOf,
} from '#test/support/billing.ts';
import { aConnection, anOrganization, type Body, type TestOrganization } from '#test/support/host.ts';
import { drain, moneyOf } from '#test/support/payment-steps.ts';

/** Renewals at every provider: its saved methods, and its off-session flags. */
type Case = {
  readonly provider: Provider;
  readonly currency: string;
  readonly token: (word: string) => unknown;
  /** The off-session charge request. */
  readonly isAway: (sent: Sent) => boolean;
  /**
   * The provider asks the customer to authenticate by itself; elsewhere its decline is followed by an attempt that
   * asks.
   */
  readonly asksAtOnce?: true;
};

const EMAIL = 'ada@shop.example';

const CASES: readonly Case[] = [
  {
    provider: 'stripe',
    currency: 'EUR',
    token: (payment_method) => ({ payment_method, customer: 'cus_9s6XKzkNRiz8i3' }),
    isAway: ({ body }) => body?.off_session === 'true',
  },
  {
    provider: 'adyen',
    currency: 'EUR',
    token: (storedPaymentMethodId) => ({ storedPaymentMethodId, shopperReference: 'shopper-7' }),
    isAway: ({ body }) =>
      body?.shopperInteraction === 'ContAuth' &&
      body.recurringProcessingModel === 'Subscription' &&
      body.shopperReference === 'shopper-7',
  },
  {
    provider: 'checkout',
    currency: 'EUR',
    token: (id) => ({ id, previous_payment_id: 'pay_y3oqhf46pyzuxjbcn2giaqnb44' }),
    isAway: ({ body }) =>
      body?.merchant_initiated === true &&
      body.payment_type === 'Recurring' &&
      body.previous_payment_id === 'pay_y3oqhf46pyzuxjbcn2giaqnb44',
  },
  {
    provider: 'mollie',
    currency: 'EUR',
    token: (mandate) => ({ customer: 'cst_8wmqcHMN4U', mandate }),
    isAway: ({ body }) => body?.sequenceType === 'recurring' && body.customerId === 'cst_8wmqcHMN4U',
  },
  {
    provider: 'paypal',
    currency: 'EUR',
    token: (vault_id) => ({ vault_id, source: 'card' }),
    isAway: ({ body }) => body?.payment_source?.card?.stored_credential?.payment_initiator === 'MERCHANT',
  },
  {
    provider: 'paystack',
    currency: 'NGN',
    token: (authorization_code) => ({ authorization_code, email: EMAIL }),
    isAway: ({ path, body }) => path.endsWith('/charge_authorization') && body?.email === EMAIL,
    asksAtOnce: true,
  },
  {
    provider: 'flutterwave',
    currency: 'NGN',
    token: (token) => ({ token, email: EMAIL }),
    isAway: ({ path }) => path.includes('/tokenized-charges'),
    asksAtOnce: true,
  },
  {
    provider: 'razorpay',
    currency: 'INR',
    token: (token) => ({ token, customer_id: 'cust_1Aa00000000001', contact: '+919000090000', email: EMAIL }),
    isAway: ({ path, body }) => path.includes('/create/recurring') && String(body?.recurring) !== 'false',
  },
];

let host: TappedHost;
let shop: TestOrganization;
beforeAll(async () => {
  host = await startTappedHost(PROVIDERS);
});
afterEach(() => endSubscriptions(host, shop));
afterAll(() => host?.close());

const aSubscriber = async ({ provider, currency, token }: Case, word: string): Promise<Body> => {
  shop = await anOrganization(host);
  const { id } = await aConnection(host, shop, { provider });
  expect(id).toBeTruthy();
  const payment_method = {
    type: 'card',
    tokens: { [provider]: token(word) },
    return_url: 'https://shop.example/account',
  };
  return subscribe(host, { currency, customer_email: EMAIL, payment_method }, shop);
};
const statusesOf = async (subscription: Body) =>
  (await invoicesOf(host, subscription, shop)).map(({ status }) => status);

it('covers every provider that supports off-session charges', () => {
  const supported = PROVIDERS.filter((provider) => PSPS[provider]?.capabilities.off_session);
  expect(CASES.map(({ provider }) => provider).toSorted()).toEqual(supported.toSorted());
});

describe.each(CASES.map((each) => [each.provider, each] as const))('%s', (_, each) => {
  it('renews with a saved method, off-session', async () => {
    const from = host.sent.length;
    const subscription = await aSubscriber(each, 'ok');
    await goTo(host, subscription.next_renewal_at);
    await drain(host);
    expect(await statusesOf(subscription)).toEqual(['paid', 'paid']);
    const payments = await paymentsOf(host, subscription, shop);
    expect(payments.map(({ status, provider, attempts }) => [status, provider, attempts.length])).toEqual(
      [0, 1].map(() => ['succeeded', each.provider, 1]),
    );
    for (const { id } of payments)
      expect(await moneyOf(host, id)).toMatchObject({ amount: 1_990, refunded: 0, currency: each.currency, count: 1 });
    expect(host.sent.slice(from).filter(each.isAway)).toHaveLength(2);
    expect(
      (await billingEventTypes(host, subscription, shop)).filter((type) => type === 'subscription.renewed'),
    ).toHaveLength(1);
  });

  it('keeps the invoice open after a soft decline', async () => {
    const subscription = await aSubscriber(each, 'decline_insufficient_funds');
    const [payment] = await paymentsOf(host, subscription, shop);
    expect(payment).toMatchObject({
      status: 'failed',
      failure: { code: 'insufficient_funds', category: 'soft_decline' },
    });
    const [invoice] = await invoicesOf(host, subscription, shop);
    expect(invoice).toMatchObject({ status: 'open', attempts: 1, next_retry_at: expect.any(String) });
    expect((await subscriptionOf(host, subscription, shop)).status).toBe('active');
  });

  const WANTS_HER = ['failed', 'authentication_required'];
  const ASKS_HER = ['requires_action', undefined];
  const attemptsOf = ({ attempts }: Body) => attempts.map(({ status, failure }: Body) => [status, failure?.code]);

  it('asks the customer to authenticate if the bank requires it, and is paid afterwards', async () => {
    // Another test covers callbacks that arrive before the response.
    await host.control('POST', '/psp/scenario', { provider: each.provider, behaviour: 'slow:1', webhook: 'none' });
    const subscription = await aSubscriber(each, 'needs_3ds');
    await host.control('DELETE', '/psp/scenario');
    const [payment] = await paymentsOf(host, subscription, shop);
    expect(payment).toMatchObject({ status: 'requires_action', next_action: { type: 'redirect' } });
    expect(attemptsOf(payment)).toEqual(each.asksAtOnce ? [ASKS_HER] : [WANTS_HER, ASKS_HER]);
    expect(await invoicesOf(host, subscription, shop)).toMatchObject([
      { status: 'open', attempts: 1, next_retry_at: null },
    ]);
    const back = new URL(await walkThrough(payment.next_action));
    expect([back.origin + back.pathname, back.searchParams.get('payment_id')]).toEqual([
      'https://shop.example/account',
      payment.id,
    ]);
    await drain(host);
    expect(await invoicesOf(host, subscription, shop)).toMatchObject([
      { status: 'paid', attempts: 1, payment_id: payment.id },
    ]);
    expect(await moneyOf(host, payment.id)).toMatchObject({ amount: 1_990, refunded: 0, count: 1 });
  });

  // The follow-up attempt starts with the decline, by callback or response.
  it('asks the customer to authenticate even if the callback of the decline comes before its response', async () => {
    await host.control('POST', '/psp/scenario', { provider: each.provider, behaviour: 'slow:1', webhook: 'early' });
    const subscription = await aSubscriber(each, 'needs_3ds');
    await host.control('DELETE', '/psp/scenario');
    const [payment] = await paymentsOf(host, subscription, shop);
    expect([payment.status, attemptsOf(payment).at(-1)]).toEqual(['requires_action', ASKS_HER]);
  });
});
