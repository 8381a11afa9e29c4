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
import type { Body } from '#test/support/host.ts';
import { drain, moneyOf, read } from '#test/support/payment-steps.ts';
import { shortened } from '#test/support/whole-run.ts';

let host: TappedHost;
beforeAll(async () => {
  host = await startTappedHost();
});
afterEach(() => endSubscriptions(host));
afterAll(() => host?.close());

/** The form that was sent to the provider for this payment. */
const wireOf = ({ id }: Body): Body[] =>
  host.sent
    .filter(({ method, body }) => method === 'POST' && body?.['metadata[payment_id]'] === id)
    .map(({ body }) => body);
const FIRST = ['invoice.created', 'invoice.paid', 'payment.created', 'payment.succeeded'];
const eventFor = (events: readonly Body[], type: string): Body => events.find((event) => event.type === type)?.data;

describe('a subscription that starts now', () => {
  it('is charged at once, off-session', async () => {
    const asked = { customer_email: 'ada@shop.example', country: 'DE', metadata: { seat: 4 } };
    const subscription = await subscribe(host, asked);
    expect(subscription).toMatchObject({ status: 'active', start_at: subscription.created_at, ...asked });
    const [invoice, ...others] = await invoicesOf(host, subscription);
    const [payment, ...more] = await paymentsOf(host, subscription);
    expect([others, more]).toEqual([[], []]);
    expect(invoice).toEqual({
      id: expect.stringMatching(/^inv_/),
      org_id: host.info.org_id,
      subscription_id: subscription.id,
      customer_id: subscription.customer_id,
      plan_id: 'basic',
      number: `${subscription.id.slice(-8).toUpperCase()}-0001`,
      amount: 1_990,
      currency: 'EUR',
      status: 'paid',
      period_start: subscription.start_at,
      period_end: subscription.next_renewal_at,
      attempts: 1,
      next_retry_at: null,
      payment_id: payment.id,
      created_at: expect.any(String),
      updated_at: expect.any(String),
    });
    expect(payment).toMatchObject({
      status: 'succeeded',
      amount: 1_990,
      currency: 'EUR',
      method: 'card',
      customer_id: subscription.customer_id,
      invoice_id: invoice.id,
      description: `Invoice ${invoice.number}`,
      provider: 'stripe',
      ...asked,
    });
    expect(wireOf(payment)).toEqual([
      expect.objectContaining({
        amount: '1990',
        currency: 'eur',
        payment_method: 'pm_card_visa',
        off_session: 'true',
        confirm: 'true',
      }),
    ]);
    expect(await moneyOf(host, payment.id)).toEqual({ amount: 1_990, refunded: 0, currency: 'EUR', count: 1 });
    expect(await subscriptionOf(host, subscription)).toMatchObject({
      next_renewal_at: subscription.next_renewal_at,
      status: 'active',
    });
  });

  it('announces each step once, with a snapshot of that moment', async () => {
    const subscription = await subscribe(host);
    const events = await billingEvents(host, subscription);
    expect(events.map(({ type }) => type).toSorted()).toEqual([...FIRST, 'subscription.created']);
    const [invoice] = await invoicesOf(host, subscription);
    const payment = await read(host, invoice.payment_id);
    expect(eventFor(events, 'subscription.created')).toEqual(subscription);
    expect(eventFor(events, 'invoice.paid')).toEqual(invoice);
    expect(eventFor(events, 'invoice.created')).toEqual({ ...invoice, status: 'open', updated_at: invoice.created_at });
    const { id, amount, currency, status, provider, customer_id, metadata, invoice_id } = payment;
    const shown = { id, amount, currency, status, provider, customer_id, metadata, invoice_id };
    expect(eventFor(events, 'payment.succeeded')).toEqual(shown);
    expect(eventFor(events, 'payment.created')).toEqual({ ...shown, status: 'created', provider: null });
  });

  it('renews when its period ends, and not before', async () => {
    const subscription = await subscribe(host);
    const end = new Date(subscription.next_renewal_at).getTime();
    await goTo(host, new Date(end - 5_000).toISOString());
    expect(await billingEventTypes(host, subscription)).toHaveLength(FIRST.length + 1);
    await goTo(host, new Date(end + 1).toISOString());
    const events = (await billingEvents(host, subscription)).slice(FIRST.length + 1);
    expect(events.map(({ type }) => type).toSorted()).toEqual([...FIRST, 'subscription.renewed']);
    const [first, second, ...others] = await invoicesOf(host, subscription);
    expect(others).toEqual([]);
    expect(second).toMatchObject({
      status: 'paid',
      attempts: 1,
      number: first.number.replace(/1$/, '2'),
      period_start: first.period_end,
      created_at: subscription.next_renewal_at,
    });
    const now = await subscriptionOf(host, subscription);
    expect(now.next_renewal_at).toBe(second.period_end);
    expect(eventFor(events, 'subscription.renewed')).toEqual(now);
    expect(eventFor(events, 'invoice.paid')).toEqual(second);
    const payments = await paymentsOf(host, subscription);
    expect(payments.map(({ id, invoice_id, status }) => [id, invoice_id, status])).toEqual([
      [first.payment_id, first.id, 'succeeded'],
      [second.payment_id, second.id, 'succeeded'],
    ]);
    for (const payment of payments) {
      expect(wireOf(payment)).toEqual([
        expect.objectContaining({ off_session: 'true', payment_method: 'pm_card_visa' }),
      ]);
      expect(await moneyOf(host, payment.id)).toMatchObject({ amount: 1_990, refunded: 0, count: 1 });
    }
  });

  it.each([
    [
      'a saved method with its customer',
      { stripe: { payment_method: 'pm_card_mastercard', customer: 'cus_4TqWn9c2' } },
      { customer: 'cus_4TqWn9c2' },
    ],
    ['the word for a card that is charged', { stripe: 'ok' }, { payment_method: 'ok' }],
    [
      'a token of another provider besides',
      { adyen: { storedPaymentMethodId: 'ok' }, stripe: 'pm_card_amex' },
      { payment_method: 'pm_card_amex' },
    ],
  ])('is charged with %s', async (_, tokens, sent) => {
    const subscription = await subscribe(host, { payment_method: { type: 'card', tokens } });
    const [payment] = await paymentsOf(host, subscription);
    expect([payment.status, wireOf(payment)]).toEqual([
      'succeeded',
      [expect.objectContaining({ ...sent, off_session: 'true' })],
    ]);
  });
});

describe('a subscription that starts later', () => {
  it('is charged when it starts, and not before', async () => {
    await goTo(host, '2051-05-03T09:00:00Z');
    const start_at = '2051-05-20T07:30:00.000Z';
    const subscription = await subscribe(host, { start_at });
    expect(subscription).toMatchObject({ start_at, next_renewal_at: start_at, status: 'active' });
    await goTo(host, '2051-05-20T07:29:50Z');
    expect([await invoicesOf(host, subscription), await paymentsOf(host, subscription)]).toEqual([[], []]);
    expect(await billingEventTypes(host, subscription)).toEqual(['subscription.created']);
    await goTo(host, start_at);
    expect(await invoicesOf(host, subscription)).toMatchObject([
      { status: 'paid', period_start: start_at, period_end: '2051-06-20T07:30:00.000Z', created_at: start_at },
    ]);
    expect((await billingEventTypes(host, subscription)).toSorted()).toEqual([...FIRST, 'subscription.created']);
    expect(await subscriptionOf(host, subscription)).toMatchObject({
      start_at,
      next_renewal_at: '2051-06-20T07:30:00.000Z',
    });
  });

  it.each(
    shortened<readonly [string, string, readonly string[]]>(
      [
        [
          'a year',
          '2054-01-31',
          ['2054-02-28', '2054-03-31', '2054-04-30', '2054-05-31', '2054-06-30', '2054-07-31', '2054-08-31'],
        ],
        [
          'a leap year',
          '2056-01-31',
          ['2056-02-29', '2056-03-31', '2056-04-30', '2056-05-31', '2056-06-30', '2056-07-31', '2056-08-31'],
        ],
        [
          'the day before the last',
          '2057-01-30',
          ['2057-02-28', '2057-03-30', '2057-04-30', '2057-05-30', '2057-06-30', '2057-07-30', '2057-08-30'],
        ],
      ],
      1,
    ),
  )('renews on existing days of each month if it starts at the end of January: %s', async (_, first, days) => {
    await goTo(host, `${first.slice(0, 4)}-01-02T00:00:00Z`);
    const at = (day: string) => `${day}T23:59:59.999Z`;
    const subscription = await subscribe(host, { start_at: at(first) });
    await goTo(host, at(days.at(-2)!));
    const invoices = await invoicesOf(host, subscription);
    const starts = [first, ...days].map(at);
    expect(
      invoices.map(({ period_start, period_end, status, created_at }) => [
        period_start,
        period_end,
        status,
        created_at,
      ]),
    ).toEqual(starts.slice(0, -1).map((start, n) => [start, starts[n + 1], 'paid', start]));
    expect((await subscriptionOf(host, subscription)).next_renewal_at).toBe(starts.at(-1));
  });
});

describe('the interval', () => {
  it.each(
    shortened<readonly [string, readonly string[]]>(
      [
        ['daily', ['2061-02-27', '2061-02-28', '2061-03-01', '2061-03-02']],
        ['weekly', ['2062-12-20', '2062-12-27', '2063-01-03', '2063-01-10']],
        ['monthly', ['2063-11-10', '2063-12-10', '2064-01-10', '2064-02-10']],
        ['quarterly', ['2064-08-31', '2064-11-30', '2065-02-28', '2065-05-31']],
        ['yearly', ['2068-02-29', '2069-02-28', '2070-02-28', '2071-02-28']],
      ],
      0,
      2,
    ),
  )('%s makes one payment per period', async (interval, days) => {
    const starts = days.map((day) => `${day}T08:00:00.000Z`);
    await goTo(host, new Date(Date.parse(starts[0]!) - 60_000).toISOString());
    const subscription = await subscribe(host, { interval, start_at: starts[0] });
    await goTo(host, new Date(Date.parse(starts[2]!) + 60_000).toISOString());
    const invoices = await invoicesOf(host, subscription);
    expect(invoices.map(({ period_start, period_end, status }) => [period_start, period_end, status])).toEqual(
      [0, 1, 2].map((n) => [starts[n], starts[n + 1], 'paid']),
    );
    const payments = await paymentsOf(host, subscription);
    expect(payments.map(({ id }) => id)).toEqual(invoices.map(({ payment_id }) => payment_id));
    for (const { id } of payments)
      expect(await moneyOf(host, id)).toMatchObject({ amount: 1_990, refunded: 0, count: 1 });
  });
});

describe('a change in the middle of a period', () => {
  it.each(
    shortened<readonly [string, Body, Body, Body, Body]>(
      [
        ['amount', { amount: 2_490 }, { amount: 2_490 }, { amount: 2_490 }, { amount: '2490' }],
        ['plan', { plan_id: 'team' }, { plan_id: 'team' }, {}, {}],
        ['metadata', { metadata: { seats: 12 } }, {}, { metadata: { seats: 12 } }, {}],
        [
          'card',
          { payment_method: savedCard('pm_card_mastercard') },
          {},
          { method: 'card' },
          { payment_method: 'pm_card_mastercard' },
        ],
        [
          'method',
          { method: 'wallet', payment_method: { ...savedCard('ok'), type: 'wallet' } },
          {},
          { method: 'wallet' },
          { payment_method: 'ok' },
        ],
      ],
      0,
      3,
    ),
  )('of the %s applies from the next period on', async (_, changes, ofInvoice, ofPayment, onWire) => {
    const subscription = await subscribe(host, { metadata: { seats: 1 } });
    const before = [await invoicesOf(host, subscription), await paymentsOf(host, subscription)];
    const { payment_method: __, ...shown } = changes;
    const { status, body } = await changeSubscription(host, subscription, changes);
    expect([status, body]).toEqual([200, { ...subscription, ...shown, updated_at: expect.any(String) }]);
    await drain(host);
    expect([await invoicesOf(host, subscription), await paymentsOf(host, subscription)]).toEqual(before);
    expect((await billingEventTypes(host, subscription)).at(-1)).toBe('subscription.updated');
    await goTo(host, subscription.next_renewal_at);
    const [first, second] = await invoicesOf(host, subscription);
    const [old, payment] = await paymentsOf(host, subscription);
    expect([first, old]).toEqual(before.map(([each]) => each));
    expect(second).toMatchObject({ amount: 1_990, plan_id: 'basic', status: 'paid', ...ofInvoice });
    expect(payment).toMatchObject({ amount: 1_990, method: 'card', metadata: { seats: 1 }, ...ofPayment });
    expect(wireOf(payment)).toEqual([
      expect.objectContaining({ amount: '1990', payment_method: 'pm_card_visa', off_session: 'true', ...onWire }),
    ]);
  });
});
