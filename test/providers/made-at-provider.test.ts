import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type OwnShop, openShop } from '#test/providers/own-shop.ts';
import {
  aConnection,
  anOrganization,
  type Body,
  HANG_UP_AFTER_MS,
  startHost,
  type TestHost,
} from '#test/support/host.ts';
import {
  act,
  advance,
  drain,
  eventTypesOf,
  type Money,
  moneyOf,
  operationsOf,
  read,
} from '#test/support/payment-steps.ts';

/** What happens at a PSP without us: refunds made in its dashboard, and a bank that changes its mind. */
let host: TestHost;
beforeAll(async () => {
  host = await startHost({ hangUpAfterMs: HANG_UP_AFTER_MS, demoProviders: [] });
});
afterEach(() => host.control('DELETE', '/psp/scenario'));
afterAll(() => host?.close());

const opened = (provider: string, currency: string, beside = {}): Promise<OwnShop> =>
  openShop(host, { provider, currency, beside, declines: [], cancel: 'refused', neverArrived: 'sent_again' });

/** As the merchant asks in the dashboard. */
async function inDashboard(provider: string, path: string, key: string, body: object): Promise<Body> {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  const reply = await fetch(`${host.info.simulators}/${provider}${path}`, {
    method: 'POST',
    headers,
    body: JSON.stringify(body),
  });
  expect(reply.status).toBeLessThan(300);
  await drain(host);
  return reply.json();
}

type Dashboard = {
  readonly provider: string;
  readonly currency: string;
  /** Answers the refund's reference. */
  readonly refund: (shop: OwnShop, payment: Body, amount: number) => Promise<string>;
};

const DASHBOARDS: readonly Dashboard[] = [
  {
    provider: 'mollie',
    currency: 'EUR',
    refund: async ({ credentials }, { psp_reference, currency }, amount) => {
      const body = { amount: { currency, value: (amount / 100).toFixed(2) }, description: 'Asked for on the phone' };
      return (await inDashboard('mollie', `/v2/payments/${psp_reference}/refunds`, credentials.api_key, body)).id;
    },
  },
  {
    provider: 'paystack',
    currency: 'NGN',
    refund: async ({ credentials }, { psp_reference }, amount) =>
      String(
        (await inDashboard('paystack', '/refund', credentials.secret_key, { transaction: psp_reference, amount })).data
          .id,
      ),
  },
];

describe.each(DASHBOARDS)('a refund made in the dashboard of $provider', ({ provider, currency, refund }) => {
  const shown = ({ refunds }: Body) => refunds.map(({ amount, status, reason }: Body) => [amount, status, reason]);
  const paid = async (): Promise<{ shop: OwnShop; payment: Body }> => {
    const shop = await opened(provider, currency);
    return { shop, payment: await shop.later(await shop.pay('ok')) };
  };
  const settled = async (shop: OwnShop, payment: Body, reference: string): Promise<Body> => {
    await shop.complete(reference, 'succeeded');
    await advance(host, '30m');
    return shop.later(payment);
  };

  it('is taken into the record, once, and counts beside ours', async () => {
    const { shop, payment } = await paid();
    const reference = await refund(shop, payment, 2_000);
    const seen = await settled(shop, payment, reference);
    expect([seen.status, seen.amount_refunded, shown(seen)]).toEqual([
      'succeeded',
      2_000,
      [[2_000, 'succeeded', 'made_at_provider']],
    ]);
    expect((await shop.act(payment, 'refund', { amount: 3_001 })).body.code).toBe('refund_exceeds_remaining');
    const ours = (await shop.act(payment, 'refund')).body.refunds.at(-1);
    if (ours.status === 'pending') await shop.complete(ours.psp_reference, 'succeeded');
    await advance(host, '30m');
    expect(await shop.later(payment)).toMatchObject({ status: 'refunded', amount_refunded: 5_000 });
    expect((await shop.money(payment)).refunded).toBe(5_000);
  });

  it('is told from one of ours of the same amount', async () => {
    const { shop, payment } = await paid();
    await shop.act(payment, 'refund', { amount: 2_000 });
    const reference = await refund(shop, payment, 2_000);
    await settled(shop, payment, reference);
    const [ours] = (await shop.later(payment)).refunds;
    if (ours.status === 'pending') await shop.complete(ours.psp_reference, 'succeeded');
    await advance(host, '30m');
    const seen = await shop.later(payment);
    expect([seen.amount_refunded, shown(seen)]).toEqual([
      4_000,
      [
        [2_000, 'succeeded', null],
        [2_000, 'succeeded', 'made_at_provider'],
      ],
    ]);
    expect((await shop.money(payment)).refunded).toBe(4_000);
  });

  it('of all of it makes the payment refunded', async () => {
    const { shop, payment } = await paid();
    const reference = await refund(shop, payment, 5_000);
    expect(await settled(shop, payment, reference)).toMatchObject({ status: 'refunded', amount_refunded: 5_000 });
    expect((await shop.act(payment, 'refund')).body.code).toBe('payment_not_refundable');
  });
});

describe('a payment at Razorpay that had failed and whose bank says yes after all', () => {
  const declined = async (): Promise<{ shop: OwnShop; payment: Body }> => {
    const shop = await opened('razorpay', 'INR', { phone: '+919900000000' });
    const payment = await shop.later(await shop.pay('decline_insufficient_funds'));
    expect(payment.status).toBe('failed');
    return { shop, payment };
  };
  const taken = (money: Money) => [money.amount - money.refunded, money.count];

  it('in time, when Razorpay takes the money by itself, succeeds late', async () => {
    const { shop, payment } = await declined();
    await shop.complete(payment.psp_reference, 'succeeded');
    expect(await shop.later(payment)).toMatchObject({ status: 'succeeded', late_success: true, failure: null });
    expect(taken(await shop.money(payment))).toEqual([5_000, 1]);
    expect((await shop.act(payment, 'refund')).status).toBe(200);
  });

  it('too late for that is not taken by us: it stays failed, and the bank gives it back', async () => {
    const { shop, payment } = await declined();
    await advance(host, '1d');
    await shop.complete(payment.psp_reference, 'succeeded');
    await advance(host, '5d');
    expect(await shop.later(payment)).toMatchObject({ status: 'failed', late_success: false, review: null });
    expect([taken(await shop.money(payment)), (await operationsOf(host, payment.id)).includes('capture')]).toEqual([
      [0, 0],
      false,
    ]);
  });

  it('when another try has succeeded meanwhile goes back, once', async () => {
    const { shop, payment } = await declined();
    const { payment_method } = { payment_method: { type: 'card', token: 'ok', phone: '+919900000000' } };
    expect((await shop.act(payment, 'retry', { payment_method })).body.status).toMatch(/succeeded|processing/);
    await shop.complete(payment.psp_reference, 'succeeded');
    await advance(host, '30m');
    const seen = await shop.later(payment);
    expect([seen.status, seen.late_success, seen.refunds.map(({ reason, status }: Body) => [reason, status])]).toEqual([
      'succeeded',
      false,
      [['duplicate_charge', 'succeeded']],
    ]);
    expect(taken(await shop.money(payment))).toEqual([5_000, 2]);
    expect(await eventTypesOf(host, payment.id, { key: shop.key })).toEqual(['created', 'failed', 'succeeded']);
  });
});

describe.each([
  ['flutterwave', 'EUR'],
  ['paystack', 'NGN'],
])('a second charge at %s that goes back while the payment goes by another provider', (provider, currency) => {
  it('is found by its reference when its bank refuses the refund', async () => {
    const { key } = await anOrganization(host);
    const how = { key };
    await aConnection(host, { key }, { id: 'a', provider });
    await aConnection(host, { key }, { id: 'b', provider: 'stripe', routing_hints: { fallback_only: true } });
    const card = { type: 'card', tokens: { [provider]: 'decline_card_declined', stripe: 'ok' } };
    const asked = { amount: 5_000, currency, customer_email: 'kim@example.com', payment_method: card };
    const { body: payment } = await host.call('POST', '/v1/payments', asked, how);
    expect([payment.status, payment.provider]).toEqual(['succeeded', 'stripe']);
    const tell = async (reference: string, outcome: string) => {
      await host.control('POST', '/psp/complete', { provider, reference, outcome });
      await drain(host);
      return read(host, payment.id, how);
    };
    await host.control('POST', '/psp/scenario', {
      provider,
      behaviour: 'pending',
      match: { operation: 'refund' },
      times: 1,
    });
    const [given] = (await tell(payment.attempts[0].psp_reference, 'succeeded')).refunds;
    expect([given.reason, given.status]).toEqual(['duplicate_charge', 'pending']);
    const bounced = await tell(given.psp_reference, 'failed');
    expect([bounced.refunds[0].status, bounced.review]).toEqual([
      'failed',
      expect.objectContaining({ reason: 'refund_failed', refund_id: given.id }),
    ]);
    expect((await act(host, payment.id, 'cancel', undefined, how)).body.review).toBeNull();
    expect((await moneyOf(host, payment.id)).refunded).toBe(5_000);
  });
});
