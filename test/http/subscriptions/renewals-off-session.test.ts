import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { startTappedHost, type TappedHost } from '#test/http/subscriptions/renewals.support.ts';
import {
  billingEvents,
  billingEventTypes,
  changeSubscription,
  endSubscriptions,
  goTo,
  invoicesOf,
  paymentsOf,
  savedCard,
  subscribe,
  subscriptionOf,
} from '#test/support/billing.ts';
import { aConnection, anOrganization, type Body, HANG_UP_AFTER_MS, type TestOrganization } from '#test/support/host.ts';
import { advance, callsAbout, complete, drain, moneyOf, read } from '#test/support/payment-steps.ts';

/** Which connection can charge a renewal off-session, and what happens if none can. */
let host: TappedHost;
const shops: TestOrganization[] = [];
beforeAll(async () => {
  host = await startTappedHost(['stripe', 'checkout'], { hangUpAfterMs: HANG_UP_AFTER_MS });
});
afterEach(async () => {
  await host.control('DELETE', '/psp/scenario');
  for (const shop of shops.splice(0)) await endSubscriptions(host, shop);
});
afterAll(() => host?.close());

type Connections = Readonly<Record<string, Body>>;

/** A shop with these connections; routing prefers the first one. */
async function aShop(connections: Connections = { main: {} }): Promise<TestOrganization> {
  const shop = await anOrganization(host);
  shops.push(shop);
  for (const [id, more] of Object.entries(connections)) await aConnection(host, shop, { id, ...more });
  return shop;
}

const scenario = (provider: string, behaviour: string, more: Body = {}) =>
  host.control('POST', '/psp/scenario', { provider, behaviour, ...more });
const sentFor = ({ id }: Body): Body[] =>
  host.sent
    .filter(
      ({ method, body }) => method === 'POST' && (body?.['metadata[payment_id]'] ?? body?.metadata?.payment_id) === id,
    )
    .map(({ body }) => body);
const one = async (list: Promise<Body[]>): Promise<Body> => {
  const all = await list;
  expect(all).toHaveLength(1);
  return all[0];
};
const consideredBy = ({ routing }: Body) =>
  routing.considered.map(({ connection_id, reason }: Body) => [connection_id, reason]);
const attemptsOf = ({ attempts }: Body) =>
  attempts.map(({ connection_id, status, failure }: Body) => [connection_id, status, failure?.code ?? null]);
const hoursAfter = (time: string, hours: number) => new Date(Date.parse(time) + hours * 3_600_000).toISOString();

describe('a subscription that no connection can charge off-session', () => {
  it.each<readonly [string, Body, Body, string]>([
    ['has no payment method', undefined, {}, 'no_token'],
    ['has a payment method without a token', { type: 'card' }, {}, 'no_token'],
    ['has a card that Stripe takes only with its customer', savedCard('pm_1NxYbBKuuB1fWySn'), {}, 'no_token'],
    ['has the same as a bare token', { type: 'card', token: 'pm_1NxYbBKuuB1fWySn' }, {}, 'no_token'],
    [
      'has a token that pays once',
      { type: 'card', tokens: { stripe: { confirmation_token: 'ctoken_1NxYbBKuuB1fWySn' } } },
      {},
      'no_token',
    ],
    ['has a token of another provider', savedCard('ok', 'checkout'), {}, 'no_token'],
    [
      'has a connection that charges nobody who is away',
      savedCard(),
      { capabilities: { off_session: false } },
      'off_session_not_supported',
    ],
  ])('keeps its invoice open: %s', async (_, payment_method, connection, reason) => {
    const shop = await aShop({ main: connection });
    const start_at = hoursAfter(host.clock.now().toISOString(), 1);
    const subscription = await subscribe(host, { payment_method, start_at }, shop);
    await goTo(host, start_at);
    const invoice = await one(invoicesOf(host, subscription, shop));
    const payment = await one(paymentsOf(host, subscription, shop));
    expect(payment).toMatchObject({
      status: 'failed',
      failure: { code: 'no_route', category: 'configuration' },
      attempts: [],
      provider: null,
    });
    expect(consideredBy(payment)).toEqual([['main', reason]]);
    expect(invoice).toMatchObject({
      status: 'open',
      attempts: 1,
      payment_id: payment.id,
      next_retry_at: hoursAfter(start_at, 24),
    });
    expect([await callsAbout(host, payment.id), sentFor(payment)]).toEqual([[], []]);
    expect((await billingEventTypes(host, subscription, shop)).toSorted()).toEqual([
      'invoice.created',
      'payment.created',
      'payment.failed',
      'subscription.created',
    ]);
    expect((await subscriptionOf(host, subscription, shop)).status).toBe('active');
  });

  it.each<readonly [string, Body]>([
    ['no payment method', undefined],
    ['a token that pays once', { type: 'card', tokens: { stripe: { confirmation_token: 'ctoken_1NxYbBKuuB1fWySn' } } }],
  ])('with only %s is paid at the next retry after it gets a saved card', async (_, payment_method) => {
    const shop = await aShop();
    const subscription = await subscribe(host, { payment_method }, shop);
    const invoice = await one(invoicesOf(host, subscription, shop));
    expect(
      (await changeSubscription(host, subscription, { payment_method: savedCard('pm_card_mastercard') }, shop)).status,
    ).toBe(200);
    await drain(host);
    expect((await one(invoicesOf(host, subscription, shop))).status).toBe('open');
    await goTo(host, invoice.next_retry_at);
    const paid = await one(invoicesOf(host, subscription, shop));
    expect(paid).toMatchObject({ id: invoice.id, status: 'paid', attempts: 2, next_retry_at: null });
    const payment = await read(host, paid.payment_id, shop);
    expect(sentFor(payment)).toEqual([
      expect.objectContaining({ payment_method: 'pm_card_mastercard', off_session: 'true' }),
    ]);
    expect(await moneyOf(host, payment.id)).toMatchObject({ amount: 1_990, refunded: 0, count: 1 });
    expect((await billingEventTypes(host, subscription, shop)).filter((type) => type === 'invoice.paid')).toHaveLength(
      1,
    );
  });

  it('is charged at the next retry by a connection that can', async () => {
    const shop = await aShop({ main: { capabilities: { off_session: false } } });
    const subscription = await subscribe(host, {}, shop);
    await aConnection(host, shop, { id: 'other' });
    await advance(host, '25h');
    const payment = await one(paymentsOf(host, subscription, shop));
    expect([payment.status, attemptsOf(payment), consideredBy(payment)]).toEqual([
      'succeeded',
      [['other', 'succeeded', null]],
      [
        ['main', 'off_session_not_supported'],
        ['other', null],
      ],
    ]);
    expect((await one(invoicesOf(host, subscription, shop))).status).toBe('paid');
  });

  it('is charged at once by the next one in routing order', async () => {
    const shop = await aShop({ first: { capabilities: { off_session: false } }, second: {} });
    const subscription = await subscribe(host, {}, shop);
    expect(attemptsOf(await one(paymentsOf(host, subscription, shop)))).toEqual([['second', 'succeeded', null]]);
  });
});

describe('a renewal whose issuer requires authentication', () => {
  const aSubscriber = async (page: Body = { return_url: 'https://shop.example/account' }) => {
    const shop = await aShop();
    const subscription = await subscribe(host, {}, shop);
    await changeSubscription(host, subscription, { payment_method: { ...savedCard('needs_3ds'), ...page } }, shop);
    // Another test covers callbacks that arrive before the response.
    await scenario('stripe', 'slow:1', { webhook: 'none' });
    await goTo(host, subscription.next_renewal_at);
    const [, invoice] = await invoicesOf(host, subscription, shop);
    return { shop, subscription, invoice, payment: await read(host, invoice.payment_id, shop) };
  };

  async function end({ id }: Body, outcome: 'succeeded' | 'failed'): Promise<void> {
    await host.control('DELETE', '/psp/scenario');
    await complete(host, id, outcome);
  }

  it('waits for the customer, with the next action', async () => {
    const { shop, subscription, invoice, payment } = await aSubscriber();
    expect(invoice).toMatchObject({ status: 'open', attempts: 1, next_retry_at: null });
    expect(payment).toMatchObject({
      status: 'requires_action',
      next_action: { type: 'redirect', url: expect.stringMatching(/^http/) },
    });
    expect(attemptsOf(payment)).toEqual([
      ['main', 'failed', 'authentication_required'],
      ['main', 'requires_action', null],
    ]);
    expect(sentFor(payment).map(({ off_session, payment_method }) => [off_session, payment_method])).toEqual([
      ['true', 'needs_3ds'],
      [undefined, 'needs_3ds'],
    ]);
    expect(await moneyOf(host, payment.id)).toMatchObject({ count: 0 });
    expect((await subscriptionOf(host, subscription, shop)).status).toBe('active');
    const types = (await billingEventTypes(host, subscription, shop)).slice(-2);
    expect(types).toEqual(['invoice.created', 'payment.created']);
  });

  it('is paid when the customer has authenticated', async () => {
    const { shop, subscription, invoice, payment } = await aSubscriber();
    await advance(host, '3h');
    await end(payment, 'succeeded');
    const [, paid] = await invoicesOf(host, subscription, shop);
    expect(paid).toMatchObject({
      id: invoice.id,
      status: 'paid',
      attempts: 1,
      next_retry_at: null,
      payment_id: payment.id,
    });
    expect(await read(host, payment.id, shop)).toMatchObject({ status: 'succeeded', next_action: null });
    expect(await moneyOf(host, payment.id)).toMatchObject({ amount: 1_990, refunded: 0, count: 1 });
    const events = await billingEvents(host, subscription, shop);
    expect(
      events.filter(({ type, data }) => data.id === invoice.id && type === 'invoice.paid').map(({ data }) => data),
    ).toEqual([paid]);
    expect(events.filter(({ type }) => type === 'subscription.renewed')).toHaveLength(1);
    await advance(host, '3d');
    expect([
      await moneyOf(host, payment.id),
      (await invoicesOf(host, subscription, shop)).map(({ status }) => status),
    ]).toMatchObject([{ refunded: 0, count: 1 }, ['paid', 'paid']]);
  });

  it('tells a customer who gives up that it failed, and leaves further attempts to the policy', async () => {
    const { payment, shop } = await aSubscriber({});
    await host.control('DELETE', '/psp/scenario');
    const fail = { method: 'POST', body: new URLSearchParams({ do: 'fail' }), redirect: 'manual' } as const;
    const back = (await fetch(payment.next_action.url, fail)).headers.get('location') ?? '';
    const html = await (await fetch(back)).text();
    expect((await read(host, payment.id, shop)).status).toBe('failed');
    expect([html.includes('Your payment did not go through'), html.includes('subscription or an invoice')]).toEqual([
      true,
      true,
    ]);
    expect([/thank/i.test(html), html.includes('value="retry"')]).toEqual([false, false]);
  });

  it('fails if the customer gives up, and is retried by the policy', async () => {
    const { shop, subscription, payment } = await aSubscriber();
    await end(payment, 'failed');
    const { status, updated_at } = await read(host, payment.id, shop);
    const [, invoice] = await invoicesOf(host, subscription, shop);
    expect([status, invoice.status, invoice.attempts]).toEqual(['failed', 'open', 1]);
    expect(Math.abs(Date.parse(invoice.next_retry_at) - Date.parse(hoursAfter(updated_at, 24)))).toBeLessThan(1_000);
  });

  it('fails if the customer does nothing for a day, is retried by the policy, and finally fails', async () => {
    const { shop, subscription, payment } = await aSubscriber();
    const begun = subscription.next_renewal_at;
    const second = async () => (await invoicesOf(host, subscription, shop))[1];
    await goTo(host, hoursAfter(begun, 23));
    expect(await read(host, payment.id, shop)).toMatchObject({ status: 'requires_action' });
    expect(await second()).toMatchObject({ status: 'open', attempts: 1, next_retry_at: null });
    await goTo(host, hoursAfter(begun, 24.1));
    expect(await read(host, payment.id, shop)).toMatchObject({
      status: 'failed',
      next_action: null,
      failure: { code: 'expired' },
    });
    // The policy counts from the failure of the attempt.
    const planned = (await second()).next_retry_at;
    expect([planned >= hoursAfter(begun, 48), planned < hoursAfter(begun, 48.1)]).toEqual([true, true]);
    await goTo(host, planned);
    expect(await read(host, payment.id, shop)).toMatchObject({
      status: 'requires_action',
      next_action: { type: 'redirect' },
    });
    expect(await second()).toMatchObject({ status: 'open', attempts: 2, next_retry_at: null });
    await advance(host, '20d');
    expect(await second()).toMatchObject({ status: 'failed', attempts: 4, next_retry_at: null });
    expect((await subscriptionOf(host, subscription, shop)).status).toBe('paused');
    expect(await moneyOf(host, payment.id)).toMatchObject({ count: 0 });
  });
});

describe('a token without a known connection', () => {
  const aRule = (shop: TestOrganization, connection_id: string, fallback_to_default = true) =>
    host.call(
      'POST',
      '/v1/routing-rules',
      { name: connection_id, connection_id, priority: 10, countries: ['DE'], fallback_to_default },
      shop,
    );
  const GERMAN = { country: 'DE', payment_method: { type: 'card', token: 'ok' } };

  it('stays with the provider of its first charge, whatever routing prefers by then', async () => {
    const shop = await aShop({ main: {}, other: { provider: 'checkout' } });
    const subscription = await subscribe(host, GERMAN, shop);
    expect((await aRule(shop, 'other')).status).toBe(201);
    await goTo(host, subscription.next_renewal_at);
    const [first, second] = await paymentsOf(host, subscription, shop);
    expect([attemptsOf(first), attemptsOf(second)]).toEqual([
      [['main', 'succeeded', null]],
      [['main', 'succeeded', null]],
    ]);
    expect(consideredBy(second)).toContainEqual(['other', 'no_token']);
  });

  it('goes to no other provider if its own is deleted', async () => {
    const shop = await aShop({ main: {}, other: { provider: 'checkout' } });
    const subscription = await subscribe(host, GERMAN, shop);
    expect((await host.call('PATCH', '/v1/connections/main/status', { status: 'inactive' }, shop)).status).toBe(200);
    await goTo(host, subscription.next_renewal_at);
    const [, payment] = await paymentsOf(host, subscription, shop);
    expect([payment.failure.code, Object.fromEntries(consideredBy(payment))]).toEqual([
      'no_route',
      { main: 'inactive', other: 'no_token' },
    ]);
    expect((await invoicesOf(host, subscription, shop)).map(({ status }) => status)).toEqual(['paid', 'open']);
  });

  it('goes to the connection that routing prefers if it is new, and stays there', async () => {
    const shop = await aShop({ main: {}, other: { provider: 'checkout' } });
    const subscription = await subscribe(host, GERMAN, shop);
    const rule = await aRule(shop, 'other');
    await changeSubscription(
      host,
      subscription,
      { payment_method: { type: 'card', token: 'src_4ecqr6w2h3d0nztk' } },
      shop,
    );
    await goTo(host, subscription.next_renewal_at);
    await host.call('DELETE', `/v1/routing-rules/${rule.body.id}`, undefined, shop);
    await goTo(host, (await subscriptionOf(host, subscription, shop)).next_renewal_at);
    expect(
      (await paymentsOf(host, subscription, shop)).map(({ attempts }) =>
        attempts.map(({ connection_id }: Body) => connection_id),
      ),
    ).toEqual([['main'], ['other'], ['other']]);
  });

  it('stays with the provider of the first attempt that could send it', async () => {
    const shop = await aShop({ main: {}, other: { provider: 'checkout' } });
    const subscription = await subscribe(host, { country: 'DE', payment_method: undefined }, shop);
    const rule = await aRule(shop, 'other');
    await changeSubscription(host, subscription, { payment_method: { type: 'card', token: 'ok' } }, shop);
    await advance(host, '25h');
    await host.call('DELETE', `/v1/routing-rules/${rule.body.id}`, undefined, shop);
    await goTo(host, subscription.next_renewal_at);
    expect((await paymentsOf(host, subscription, shop)).map(attemptsOf)).toEqual(
      [0, 1].map(() => [['other', 'succeeded', null]]),
    );
  });

  it('is charged at one connection only, like a payment with it', async () => {
    const shop = await aShop({ a: {}, b: {} });
    const subscription = await subscribe(host, { payment_method: { type: 'card', token: 'ok' } }, shop);
    await scenario('stripe', 'refuse_connection', { times: 1 });
    await goTo(host, subscription.next_renewal_at);
    const [first, second] = await paymentsOf(host, subscription, shop);
    expect([attemptsOf(first).length, attemptsOf(second)]).toEqual([
      1,
      [[first.attempts[0].connection_id, 'failed', 'provider_unavailable']],
    ]);
  });
});

describe('tokens of two providers', () => {
  const BOTH = { type: 'card', tokens: { stripe: 'pm_card_visa', checkout: 'ok' } };

  it('let a renewal fail over from one to the other, off-session at both', async () => {
    const shop = await aShop({ main: {}, other: { provider: 'checkout' } });
    const subscription = await subscribe(host, { payment_method: BOTH }, shop);
    await scenario('stripe', 'refuse_connection', { times: 1 });
    await goTo(host, subscription.next_renewal_at);
    const [first, second] = await paymentsOf(host, subscription, shop);
    expect([attemptsOf(first), attemptsOf(second)]).toEqual([
      [['main', 'succeeded', null]],
      [
        ['main', 'failed', 'provider_unavailable'],
        ['other', 'succeeded', null],
      ],
    ]);
    expect(sentFor(second)).toEqual([expect.objectContaining({ merchant_initiated: true, payment_type: 'Recurring' })]);
    expect(await moneyOf(host, second.id)).toMatchObject({ amount: 1_990, refunded: 0, count: 1 });
    expect(
      (await invoicesOf(host, subscription, shop)).map(({ status, attempts, payment_id }) => [
        status,
        attempts,
        payment_id,
      ]),
    ).toEqual([
      ['paid', 1, first.id],
      ['paid', 1, second.id],
    ]);
    await goTo(host, (await subscriptionOf(host, subscription, shop)).next_renewal_at);
    expect((await paymentsOf(host, subscription, shop)).map(({ provider }) => provider)).toEqual([
      'stripe',
      'checkout',
      'stripe',
    ]);
  });

  it('do not let it fail over if the first one may have charged', async () => {
    const shop = await aShop({ main: {}, other: { provider: 'checkout' } });
    const subscription = await subscribe(host, { payment_method: BOTH }, shop);
    await scenario('stripe', 'timeout_after_charge', { times: 1, webhook: 'none' });
    await goTo(host, subscription.next_renewal_at);
    const waiting = (await paymentsOf(host, subscription, shop))[1];
    expect([waiting.status, attemptsOf(waiting).length]).toEqual(['processing', 1]);
    expect((await invoicesOf(host, subscription, shop))[1]).toMatchObject({
      status: 'open',
      attempts: 1,
      next_retry_at: null,
    });
    await advance(host, '2h');
    const settled = (await paymentsOf(host, subscription, shop))[1];
    expect([settled.status, settled.attempts.map(({ connection_id }: Body) => connection_id)]).toEqual([
      'succeeded',
      ['main'],
    ]);
    expect(await moneyOf(host, settled.id)).toMatchObject({ refunded: 0, count: 1 });
    expect((await invoicesOf(host, subscription, shop))[1]).toMatchObject({ status: 'paid', attempts: 1 });
  });
});

describe('a renewal that the fraud policy blocks', () => {
  it.each<readonly [string, (customer: string) => Body]>([
    ['for its customer', (customer) => ({ blocked: { customer_ids: [customer] } })],
    ['for its amount', () => ({ max_amount: { EUR: 1_989 } })],
  ])('%s fails its invoice at once and pauses its subscription', async (_, policy) => {
    const shop = await aShop();
    const subscription = await subscribe(host, {}, shop);
    const saving = await host.call(
      'POST',
      '/v1/policies/fraud',
      { enabled: true, action: 'block', ...policy(subscription.customer_id) },
      shop,
    );
    expect(saving.status).toBe(200);
    await goTo(host, subscription.next_renewal_at);
    const [, invoice] = await invoicesOf(host, subscription, shop);
    const [, payment] = await paymentsOf(host, subscription, shop);
    expect(invoice).toMatchObject({ status: 'failed', attempts: 1, next_retry_at: null, payment_id: payment.id });
    expect(payment).toMatchObject({
      status: 'failed',
      failure: { code: 'fraud_blocked', category: 'fraud' },
      fraud: { decision: 'blocked' },
      attempts: [],
    });
    expect(sentFor(payment)).toEqual([]);
    expect(await subscriptionOf(host, subscription, shop)).toMatchObject({ status: 'paused', next_renewal_at: null });
    const types = (await billingEventTypes(host, subscription, shop)).slice(-5);
    expect(types.toSorted()).toEqual([
      'invoice.created',
      'invoice.failed',
      'payment.created',
      'payment.failed',
      'subscription.paused',
    ]);
    await advance(host, '40d');
    expect((await paymentsOf(host, subscription, shop)).length).toBe(2);
  });

  it('counts among the payments of its customer for a velocity rule', async () => {
    const shop = await aShop();
    const velocity = [{ field: 'customer_id', max_payments: 2, window: '7d' }];
    expect(
      (await host.call('POST', '/v1/policies/fraud', { enabled: true, action: 'block', velocity }, shop)).status,
    ).toBe(200);
    const subscription = await subscribe(host, { interval: 'daily' }, shop);
    await advance(host, '5d');
    const invoices = await invoicesOf(host, subscription, shop);
    expect(invoices.map(({ status }) => status)).toEqual(['paid', 'paid', 'open', 'open', 'open', 'open']);
    expect((await paymentsOf(host, subscription, shop)).map(({ failure }) => failure?.code).slice(0, 3)).toEqual([
      undefined,
      undefined,
      'fraud_blocked',
    ]);
    // The velocity rule may allow it later, so this does not count against the card.
    expect(invoices[2]?.next_retry_at).not.toBeNull();
    expect((await subscriptionOf(host, subscription, shop)).status).toBe('active');
  });

  it('continues if the fraud policy only flags it', async () => {
    const shop = await aShop();
    const subscription = await subscribe(host, {}, shop);
    await host.call('POST', '/v1/policies/fraud', { enabled: true, action: 'flag', max_amount: { EUR: 1_989 } }, shop);
    await goTo(host, subscription.next_renewal_at);
    const [, payment] = await paymentsOf(host, subscription, shop);
    expect(payment).toMatchObject({ status: 'succeeded', fraud: { decision: 'flagged' } });
  });
});
