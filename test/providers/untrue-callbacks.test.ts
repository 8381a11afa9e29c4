import { createHmac } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type OwnShop, openShop } from '#test/providers/own-shop.ts';
import { aConnection, type Body, HANG_UP_AFTER_MS, startHost, type TestHost } from '#test/support/host.ts';
import { advance, drain, eventText, operationsOf, signatureOf } from '#test/support/payment-steps.ts';

/** Callbacks that prove who sent them and are not true, and secrets that change while callbacks come. */
let host: TestHost;
beforeAll(async () => {
  host = await startHost({ hangUpAfterMs: HANG_UP_AFTER_MS, demoProviders: [] });
});
afterEach(() => host.control('DELETE', '/psp/scenario'));
afterAll(() => host?.close());

const opened = (provider: string, currency: string, beside = {}): Promise<OwnShop> =>
  openShop(host, { provider, currency, beside, declines: [], cancel: 'refused', neverArrived: 'sent_again' });

describe('a callback of Flutterwave, whose hash proves nothing of its body', () => {
  let shop: OwnShop;
  beforeAll(async () => {
    shop = await opened('flutterwave', 'NGN');
  });
  const keysOf = ({ id }: Body) => ({ org_id: shop.org_id, connection_id: shop.connection_id, payment_id: id });
  const lie = (payment: Body, data: Body, event = 'charge.completed') =>
    shop.tell(JSON.stringify({ event, data, meta_data: keysOf(payment) }), {
      'verif-hash': shop.credentials.webhook_secret,
    });
  const said = (payment: Body, change: Body = {}) => ({
    id: Number(payment.psp_reference),
    tx_ref: payment.attempts[0].id,
    status: 'successful',
    amount: 50,
    charged_amount: 50,
    currency: 'NGN',
    ...change,
  });
  const unchanged = async (payment: Body, work: () => Promise<unknown>) => {
    const before = await shop.later(payment);
    await work();
    expect(await shop.later(payment)).toEqual(before);
  };

  it.each([
    ['pending', 'processing'],
    ['needs_otp', 'requires_action'],
    ['decline_lost_card', 'failed'],
  ])('makes no success of one that is none (%s)', async (word, status) => {
    const payment = await shop.later(await shop.pay(word));
    expect(payment.status).toBe(status);
    await unchanged(payment, async () => expect(await lie(payment, said(payment))).toBe(200));
    expect((await shop.money(payment)).count).toBe(0);
  });

  it('takes nothing back from one that succeeded', async () => {
    const payment = await shop.later(await shop.pay('ok'));
    await unchanged(payment, () => lie(payment, said(payment, { status: 'failed' })));
    await unchanged(payment, () =>
      lie(
        payment,
        { id: 1, status: 'completed', AmountRefunded: 50, TransactionId: payment.psp_reference },
        'refund.completed',
      ),
    );
  });

  it('pays for nothing with the transaction of another payment', async () => {
    const [paid, waiting] = [await shop.later(await shop.pay('ok')), await shop.later(await shop.pay('pending'))];
    await unchanged(waiting, () => lie(waiting, said(waiting, { id: Number(paid.psp_reference) })));
    await unchanged(waiting, () => lie(waiting, said(paid)));
    await unchanged(paid, () => lie(paid, said(waiting)));
  });

  it('pays for nothing with a charge that the merchant made beside us', async () => {
    const waiting = await shop.later(await shop.pay('pending'));
    const own = {
      tx_ref: 'order-7',
      amount: 50,
      currency: 'NGN',
      email: 'kim@example.com',
      token: 'ok',
      redirect_url: 'https://shop.example/',
    };
    const headers = { authorization: `Bearer ${shop.credentials.secret_key}`, 'content-type': 'application/json' };
    const made = await fetch(`${host.info.simulators}/flutterwave/v3/tokenized-charges`, {
      method: 'POST',
      headers,
      body: JSON.stringify(own),
    });
    const { data } = (await made.json()) as Body;
    expect(data.status).toBe('successful');
    await unchanged(waiting, () => lie(waiting, said(waiting, { id: data.id })));
    await unchanged(waiting, () => lie(waiting, said(waiting, { id: data.id, tx_ref: data.tx_ref })));
  });

  it('is refused with any other hash, and asks nothing', async () => {
    const payment = await shop.later(await shop.pay('pending'));
    const asked = await operationsOf(host, payment.id);
    const text = JSON.stringify({ event: 'charge.completed', data: said(payment), meta_data: keysOf(payment) });
    for (const hash of ['', 'guessed', shop.credentials.webhook_secret.slice(1)])
      expect(await shop.tell(text, { 'verif-hash': hash })).toBe(401);
    expect(await operationsOf(host, payment.id)).toEqual(asked);
  });

  it('that says the amount is another is believed no more than one that says it fits', async () => {
    await shop.arrange('pending', { webhook: 'none' });
    const payment = await shop.later(await shop.pay('ok'));
    await host.control('POST', '/psp/complete', {
      provider: 'flutterwave',
      reference: payment.id,
      outcome: 'succeeded',
    });
    await lie(payment, said(payment, { amount: 1, charged_amount: 1, currency: 'USD' }));
    await drain(host);
    await advance(host, '5m');
    expect(await shop.later(payment)).toMatchObject({ status: 'succeeded', review: null });
  });
});

type Signing = {
  readonly provider: string;
  readonly currency: string;
  readonly beside?: object;
  readonly text: (shop: OwnShop, payment: Body) => string;
  readonly sign: (text: string, secret: string) => Readonly<Record<string, string>>;
  readonly renewed: string;
};

const namesOf = ({ org_id, connection_id }: OwnShop, { id }: Body) => ({ org_id, connection_id, payment_id: id });
const hex = (text: string, secret: string): string => createHmac('sha256', secret).update(text).digest('hex');
const seconds = () => Math.floor(host.clock.now().getTime() / 1_000);

const SIGNINGS: readonly Signing[] = [
  {
    provider: 'stripe',
    currency: 'EUR',
    text: (shop, payment) =>
      eventText({
        type: 'payment_intent.processing',
        object: { id: payment.psp_reference, metadata: namesOf(shop, payment) },
      }),
    sign: (text, secret) => ({ 'stripe-signature': signatureOf(text, secret, seconds()) }),
    renewed: 'whsec_renewed',
  },
  {
    provider: 'checkout',
    currency: 'EUR',
    text: (shop, payment) =>
      JSON.stringify({
        id: 'evt_1',
        type: 'payment_approved',
        data: { id: payment.psp_reference, metadata: namesOf(shop, payment) },
      }),
    sign: (text, secret) => ({ 'cko-signature': hex(text, secret) }),
    renewed: 'renewed-signature-key',
  },
  {
    provider: 'razorpay',
    currency: 'INR',
    beside: { phone: '+919900000000' },
    text: (shop, payment) =>
      JSON.stringify({
        entity: 'event',
        event: 'payment.authorized',
        contains: ['payment'],
        payload: { payment: { entity: { id: payment.psp_reference, notes: namesOf(shop, payment) } } },
      }),
    sign: (text, secret) => ({ 'x-razorpay-signature': hex(text, secret) }),
    renewed: 'renewed-webhook-secret',
  },
  {
    provider: 'flutterwave',
    currency: 'NGN',
    text: (shop, payment) =>
      JSON.stringify({
        event: 'charge.completed',
        data: { id: Number(payment.psp_reference), tx_ref: payment.attempts[0].id, status: 'pending' },
        meta_data: namesOf(shop, payment),
      }),
    sign: (_, secret) => ({ 'verif-hash': secret }),
    renewed: 'renewed-secret-hash',
  },
];

describe.each(SIGNINGS)('the webhook secret of $provider', ({ provider, currency, beside, text, sign, renewed }) => {
  it('is rotated: both count for a while, then the new one alone', async () => {
    const shop = await opened(provider, currency, beside);
    const payment = await shop.later(await shop.pay('pending'));
    const old = shop.credentials.webhook_secret;
    const told = text(shop, payment);
    const answers = async () => [await shop.tell(told, sign(told, old)), await shop.tell(told, sign(told, renewed))];
    const rotate = (webhook_secret: unknown) =>
      aConnection(host, shop, {
        provider,
        id: shop.connection_id,
        credentials: { ...shop.credentials, webhook_secret },
      });
    expect(await answers()).toEqual([200, 401]);
    await rotate([renewed, old]);
    expect(await answers()).toEqual([200, 200]);
    await rotate(renewed);
    expect(await answers()).toEqual([401, 200]);
    expect((await shop.later(payment)).status).toBe(payment.status);
  });
});
