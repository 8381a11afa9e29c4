import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Provider } from '#shared/domain/routing/connection.model.ts';
import { type OwnShop, openShop } from '#test/providers/own-shop.ts';
import { type Body, HANG_UP_AFTER_MS, startHost, type TestHost } from '#test/support/host.ts';
import { advance, drain, eventTypesOf } from '#test/support/payment-steps.ts';

/** Refunds of which we hear from the provider: at any time, in any order, and beside our own. */
let host: TestHost;
beforeAll(async () => {
  host = await startHost({ hangUpAfterMs: HANG_UP_AFTER_MS, demoProviders: [] });
});
afterEach(async () => {
  await host.control('DELETE', '/psp/scenario');
  await host.control('DELETE', '/faults');
});
afterAll(() => host?.close());

const PROVIDERS: readonly (readonly [Provider, string])[] = [
  ['stripe', 'EUR'],
  ['adyen', 'EUR'],
  ['paypal', 'EUR'],
  ['checkout', 'EUR'],
  ['mollie', 'EUR'],
  ['paystack', 'NGN'],
  ['flutterwave', 'NGN'],
  ['razorpay', 'INR'],
];

/**
 * Nobody tells us that the customer has paid. At Adyen nothing but its notification could, so it comes late. At PayPal
 * the money moves by our own call, whose response is lost.
 */
function unknownAsPaid(provider: Provider): readonly [behaviour: string, more: Body] {
  if (provider === 'paypal') return ['timeout_after_charge', { webhook: 'none' }];
  return ['requires_action', { webhook: provider === 'adyen' ? 'late:600' : 'none' }];
}

const opened = (provider: Provider, currency: string): Promise<OwnShop> =>
  openShop(host, {
    provider,
    currency,
    // Razorpay wants the customer's number beside a token.
    ...(provider === 'razorpay' && { beside: { phone: '+919900000000' } }),
    declines: [],
    cancel: 'refused',
    neverArrived: 'sent_again',
  });

describe.each(PROVIDERS)('at %s', (provider, currency) => {
  let shop: OwnShop;
  beforeAll(async () => {
    shop = await opened(provider, currency);
  });
  const pay = (): Promise<Body> => shop.pay('ok');
  const paid = async (): Promise<Body> => shop.later(await pay());
  const byHand = (payment: Body, amount: number): void =>
    expect(host.simulators.refundInDashboard(provider, payment.id, amount)).toBeLessThan(300);
  /** The provider repeats what was refused after a quarter of a second, one second, three seconds. */
  const settled = async (payment: Body, refunded: number): Promise<Body> => {
    for (let n = 0; n < 20; n += 1) {
      await advance(host, n === 0 ? '2h' : '5s');
      const seen = await shop.later(payment);
      if (seen.amount_refunded === refunded) return seen;
      await pause(300);
    }
    return shop.later(payment);
  };
  const amounts = ({ refunds }: Body) => refunds.map(({ amount, status }: Body) => [amount, status]);
  const refundEvents = async ({ id }: Body) =>
    (await eventTypesOf(host, id, { key: shop.key })).filter((type) => type === 'refunded').length;

  it('a refund that is told while we do not know that its payment is paid is counted with the payment', async () => {
    await shop.arrange(...unknownAsPaid(provider));
    const payment = await pay();
    expect(payment.status).toMatch(/requires_action|processing/);
    await shop.complete(payment.psp_reference ?? payment.id, 'succeeded');
    byHand(payment, 2_000);
    await drain(host);
    await advance(host, '25h');
    const seen = await settled(payment, 2_000);
    expect([seen.status, seen.amount_refunded, amounts(seen)]).toEqual(['succeeded', 2_000, [[2_000, 'succeeded']]]);
    expect([(await shop.money(payment)).refunded, await refundEvents(payment)]).toEqual([2_000, 1]);
  });

  /** On PayPal's page the customer only approves: the money moves by our own call, so we know of it. */
  if (provider !== 'paypal')
    it('a refund that is told while we do not know that its page is paid is counted with the payment', async () => {
      const payment = await shop.pay(null);
      expect(payment.status).toBe('requires_action');
      const fault = { point: 'table', nth: 1, kind: 'error', when: 'before', handler: 'psp-webhooks' };
      await host.control('POST', '/faults', fault);
      await host.control('POST', '/psp/complete', { provider, reference: payment.psp_reference, outcome: 'succeeded' });
      byHand(payment, 2_000);
      const seen = await settled(payment, 2_000);
      expect([seen.status, seen.amount_refunded, amounts(seen)]).toEqual(['succeeded', 2_000, [[2_000, 'succeeded']]]);
      expect([(await shop.money(payment)).refunded, await refundEvents(payment)]).toEqual([2_000, 1]);
    });

  it('a refund that is told while the store fails the payment’s callback is counted with the payment', async () => {
    await shop.arrange('requires_action');
    const payment = await pay();
    const fault = { point: 'table', nth: 1, kind: 'error', when: 'before', handler: 'psp-webhooks' };
    await host.control('POST', '/faults', fault);
    await host.control('POST', '/psp/complete', {
      provider,
      reference: payment.psp_reference ?? payment.id,
      outcome: 'succeeded',
    });
    // PayPal's money moves only once its callback was handled.
    if (provider === 'paypal') await pause(500);
    byHand(payment, 5_000);
    const seen = await settled(payment, 5_000);
    expect([seen.status, seen.amount_refunded, amounts(seen)]).toEqual(['refunded', 5_000, [[5_000, 'succeeded']]]);
    expect([(await shop.money(payment)).refunded, await refundEvents(payment)]).toEqual([5_000, 1]);
  });

  it('two refunds of one amount whose answers are lost are two refunds, in whatever order they are told', async () => {
    const payment = await paid();
    const lost = { match: { operation: 'refund' }, webhook: 'late:60' };
    await shop.arrange('timeout_after_charge', { ...lost, webhook: 'late:400' });
    await shop.arrange('timeout_after_charge', lost);
    // Nor does the first repeat of each call bring its reference.
    await shop.arrange('timeout_after_charge', { match: { operation: 'refund' }, times: 1, webhook: 'none' });
    for (let n = 0; n < 2; n += 1) await shop.act(payment, 'refund', { amount: 1_000 });
    await pause(600);
    await drain(host);
    await host.control('DELETE', '/psp/scenario');
    const seen = await settled(payment, 2_000);
    const references = new Set(seen.refunds.map(({ psp_reference }: Body) => psp_reference));
    expect([seen.amount_refunded, amounts(seen), references.size]).toEqual([
      2_000,
      [
        [1_000, 'succeeded'],
        [1_000, 'succeeded'],
      ],
      2,
    ]);
    expect([(await shop.money(payment)).refunded, await refundEvents(payment)]).toEqual([2_000, 2]);
  });

  it('one made by hand at the instant of one of ours that finds too little left is counted, and ours fails', async () => {
    const payment = await paid();
    const ours = shop.act(payment, 'refund', { amount: 3_000 });
    await pause(2);
    host.simulators.refundInDashboard(provider, payment.id, 3_000);
    expect((await ours).status).toBeLessThan(500);
    const seen = await settled(payment, 3_000);
    const made = amounts(seen).filter(([, state]: readonly string[]) => state === 'succeeded');
    expect([seen.amount_refunded, made]).toEqual([3_000, [[3_000, 'succeeded']]]);
    expect([(await shop.money(payment)).refunded, await refundEvents(payment)]).toEqual([3_000, 1]);
  });

  it('one of which we hear while ours is slowly refused is counted once there is room', async () => {
    const payment = await paid();
    await shop.arrange('slow:150', { match: { operation: 'fetch_refund' } });
    byHand(payment, 3_000);
    await pause(20);
    await shop.act(payment, 'refund', { amount: 3_000 });
    const seen = await settled(payment, 3_000);
    expect([seen.amount_refunded, (await shop.money(payment)).refunded, await refundEvents(payment)]).toEqual([
      3_000, 3_000, 1,
    ]);
  });

  it.each(['refuse_connection', 'rate_limited'])(
    'one that was never sent (%s) is sent soon after',
    async (behaviour) => {
      const payment = await paid();
      // Adyen has no look-up: only its notification tells what became of a refund.
      await shop.arrange(behaviour, { match: { operation: 'refund' }, times: 1_000 });
      expect((await shop.act(payment, 'refund', { amount: 2_000 })).body.refunds).toMatchObject([
        { status: 'pending' },
      ]);
      await advance(host, '2h');
      await host.control('DELETE', '/psp/scenario');
      await advance(host, '65m');
      const seen = await shop.later(payment);
      expect([seen.amount_refunded, (await shop.money(payment)).refunded]).toEqual([2_000, 2_000]);
    },
  );

  it.each(['timeout_before_charge', 'garbage'])(
    'one whose sends get no answer for two hours (%s) is made once, soon after',
    async (behaviour) => {
      const payment = await paid();
      // Adyen has no look-up: only its notification tells what became of a refund.
      await shop.arrange(behaviour, {
        match: { operation: 'refund' },
        times: 1_000,
        webhook: provider === 'adyen' ? 'normal' : 'none',
      });
      await shop.act(payment, 'refund', { amount: 2_000 });
      await advance(host, '2h');
      await host.control('DELETE', '/psp/scenario');
      await advance(host, '65m');
      await advance(host, '2s');
      const seen = await shop.later(payment);
      expect([seen.amount_refunded, (await shop.money(payment)).refunded]).toEqual([2_000, 2_000]);
    },
  );

  it('twenty at once whose answers are lost are twenty, each with a reference of its own', async () => {
    const payment = await paid();
    await shop.arrange('timeout_after_charge', { match: { operation: 'refund' }, times: 20 });
    await Promise.all(Array.from({ length: 20 }, () => shop.act(payment, 'refund', { amount: 100 })));
    await host.control('DELETE', '/psp/scenario');
    const seen = await settled(payment, 2_000);
    expect([seen.amount_refunded, new Set(seen.refunds.map((r: Body) => r.psp_reference)).size]).toEqual([2_000, 20]);
    expect([(await shop.money(payment)).refunded, await refundEvents(payment)]).toEqual([2_000, 20]);
  });

  it('one that we owe by ourselves is sent when the provider is back', async () => {
    await shop.arrange('wrong_amount');
    const payment = await paid();
    expect(payment.review?.reason).toBe('amount_mismatch');
    await shop.arrange('refuse_connection', { match: { operation: 'refund' }, times: 1_000 });
    const canceled = (await shop.act(payment, 'cancel')).body;
    expect([canceled.status, canceled.refunds[0]]).toMatchObject(['canceled', { status: 'pending' }]);
    await advance(host, '2h');
    await host.control('DELETE', '/psp/scenario');
    await advance(host, '65m');
    await advance(host, '2s');
    const seen = await shop.later(payment);
    expect([seen.refunds[0], seen.review]).toMatchObject([{ status: 'succeeded', reason: 'after_cancel' }, null]);
    expect((await shop.money(payment)).refunded).toBe(5_001);
  });

  it('one whose send failed inside the provider is made once, at the latest the next day', async () => {
    const payment = await paid();
    await shop.arrange('http_500', { match: { operation: 'refund' } });
    await shop.act(payment, 'refund', { amount: 2_000 });
    await advance(host, '26h');
    const seen = await shop.later(payment);
    expect([seen.amount_refunded, seen.review, (await shop.money(payment)).refunded]).toEqual([2_000, null, 2_000]);
  });

  it('one that could not be sent for weeks is sent when the provider is back', async () => {
    const payment = await paid();
    await shop.arrange('refuse_connection', { match: { operation: 'refund' }, times: 1_000 });
    await shop.act(payment, 'refund', { amount: 2_000 });
    await advance(host, '20d');
    await host.control('DELETE', '/psp/scenario');
    await advance(host, '25h');
    const seen = await shop.later(payment);
    expect([seen.amount_refunded, seen.review, await refundEvents(payment)]).toEqual([2_000, null, 1]);
    expect((await shop.money(payment)).refunded).toBe(2_000);
  });

  it('one that can never be sent fails in the end, and its amount is free again', async () => {
    const payment = await paid();
    await shop.arrange('refuse_connection', { match: { operation: 'refund' }, times: 1_000 });
    await shop.act(payment, 'refund', { amount: 2_000 });
    await advance(host, '32d');
    await host.control('DELETE', '/psp/scenario');
    const seen = await shop.later(payment);
    expect(seen.refunds).toMatchObject([{ status: 'failed', failure: { code: 'provider_unavailable' } }]);
    expect((await shop.act(payment, 'refund', { amount: 5_000 })).status).toBe(200);
  });

  it('one made by hand that leaves no room for one of ours that waits is taken at once', async () => {
    const payment = await paid();
    await shop.arrange('refuse_connection', { match: { operation: 'refund' }, times: 1_000 });
    await shop.act(payment, 'refund', { amount: 3_000 });
    byHand(payment, 2_500);
    await drain(host);
    // Mollie completes it a second later.
    await advance(host, '2s');
    const seen = await shop.later(payment);
    expect([seen.amount_refunded, amounts(seen)]).toEqual([
      2_500,
      [
        [3_000, 'failed'],
        [2_500, 'succeeded'],
      ],
    ]);
    await host.control('DELETE', '/psp/scenario');
    await advance(host, '3d');
    expect((await shop.later(payment)).amount_refunded).toBe(2_500);
    expect((await shop.money(payment)).refunded).toBe(2_500);
  });

  it('one made by hand beside one of ours that waits leaves ours to be sent', async () => {
    const payment = await paid();
    await shop.arrange('refuse_connection', { match: { operation: 'refund' }, times: 1 });
    await shop.act(payment, 'refund', { amount: 3_000 });
    byHand(payment, 1_000);
    await drain(host);
    await advance(host, '2s');
    expect((await shop.later(payment)).amount_refunded).toBe(1_000);
    const seen = await settled(payment, 4_000);
    expect([seen.amount_refunded, (await shop.money(payment)).refunded]).toEqual([4_000, 4_000]);
  });
});
