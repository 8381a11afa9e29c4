import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Traits } from '#test/providers/journeys.ts';
import { arrive, type OwnShop, openShop, press } from '#test/providers/own-shop.ts';
import { type Body, HANG_UP_AFTER_MS, startHost, type TestHost } from '#test/support/host.ts';
import { advance } from '#test/support/payment-steps.ts';

/**
 * What Checkout.com alone has: keys that forget what failed, pages with several tries, actions that are decided later.
 */
export function describeCheckoutOwn(traits: Traits): void {
  let host: TestHost;
  let shop: OwnShop;
  beforeAll(async () => {
    host = await startHost({ hangUpAfterMs: HANG_UP_AFTER_MS, demoProviders: [] });
    shop = await openShop(host, traits);
  });
  afterEach(() => host.control('DELETE', '/psp/scenario'));
  afterAll(() => host?.close());

  it('a hosted page takes a second try after a declined one, and charges once', async () => {
    const payment = await shop.pay(null, { country: 'GB' });
    const { url } = payment.next_action;
    await press(url, 'decline');
    expect(await shop.later(payment)).toMatchObject({
      status: 'requires_action',
      attempts: [{ status: 'requires_action' }],
    });
    await arrive(await press(url, 'pay'));
    expect(await shop.later(payment)).toMatchObject({ status: 'succeeded', late_success: false });
    expect(await shop.money(payment)).toMatchObject({ amount: payment.amount, count: 1 });
  });

  it('a hosted page that the customer leaves is still there', async () => {
    const payment = await shop.pay(null, { country: 'GB' });
    await arrive(await press(payment.next_action.url, 'cancel'));
    expect(await shop.later(payment)).toMatchObject({
      status: 'requires_action',
      next_action: { url: payment.next_action.url },
    });
  });

  it('a hosted page that was paid on, of which nobody told, is waited for when the customer’s time ends', async () => {
    await shop.arrange('pending', { webhook: 'none' });
    const payment = await shop.pay(null, { country: 'GB' });
    await press(payment.next_action.url, 'pay');
    await advance(host, '25h');
    expect(await shop.later(payment)).toMatchObject({
      status: 'processing',
      next_action: null,
      psp_reference: expect.stringMatching(/^pay_/),
    });
    await shop.complete(payment.id, 'succeeded');
    await advance(host, '2d');
    expect(await shop.later(payment)).toMatchObject({ status: 'succeeded', late_success: false });
  });

  it('a charge that is declined as still in progress is asked about, and may succeed', async () => {
    const payment = await shop.pay('decline_20118');
    expect(payment).toMatchObject({ status: 'processing', attempts: [{ status: 'processing', failure: null }] });
    await advance(host, '1h');
    expect((await shop.later(payment)).status).toBe('processing');
    await shop.complete(payment.id, 'succeeded');
    await advance(host, '2d');
    expect(await shop.later(payment)).toMatchObject({ status: 'succeeded', amount_refunded: 0 });
    expect(await shop.money(payment)).toMatchObject({ count: 1 });
  });

  it.each([
    ['decline_20005_recommendation_03', 'do_not_honor', '20005', false],
    ['decline_20005_advice_21', 'do_not_honor', '20005', false],
    ['decline_20018', 'transaction_not_allowed', '20018', false],
    ['decline_43401', 'authentication_required', '43401', true],
    ['decline_20777', 'card_declined', '20777', true],
  ])('the token %s fails with %s (%s), to be retried: %s', async (token, code, provider_code, retryable) => {
    expect(await shop.pay(token)).toMatchObject({ status: 'failed', failure: { code, provider_code, retryable } });
  });

  it('a failed 3-D Secure is a failed authentication, although no code says so', async () => {
    const payment = await shop.pay('decline_authentication_N');
    await arrive(await press(payment.next_action.url, 'fail'));
    expect(await shop.later(payment)).toMatchObject({ status: 'failed', failure: { code: 'authentication_failed' } });
  });

  it('a bank where the customer turns away leaves the payment unpaid, and nothing taken', async () => {
    const payment = await shop.pay(null, { method: 'ideal', payment_method: { type: 'ideal' }, country: 'NL' });
    expect(payment).toMatchObject({ status: 'requires_action', next_action: { type: 'redirect' } });
    await shop.complete(payment.id, 'failed');
    expect([(await shop.later(payment)).status, (await shop.money(payment)).count]).toEqual([
      expect.stringMatching(/failed|canceled/),
      0,
    ]);
  });

  it('a refund that is declined late, without an event, is found out', async () => {
    const payment = await shop.later(await shop.pay('ok'));
    await shop.arrange('pending', { match: { operation: 'refund' }, webhook: 'none' });
    const { refunds } = (await shop.act(payment, 'refund', { amount: 2_000 })).body;
    await advance(host, '2h');
    expect(await shop.later(payment)).toMatchObject({ amount_refunded: 0, refunds: [{ status: 'pending' }] });
    await shop.complete(refunds[0].psp_reference, 'failed');
    await advance(host, '2d');
    expect(await shop.later(payment)).toMatchObject({
      status: 'succeeded',
      amount_refunded: 0,
      refunds: [{ status: 'failed' }],
    });
    expect((await shop.act(payment, 'refund')).body).toMatchObject({
      refunds: [{ amount: 2_000 }, { amount: payment.amount }],
    });
  });

  describe('a second charge under the same attempt', () => {
    /** As a send does that was taken for lost, and arrives after its repetition. */
    const chargeAgain = async (payment: {
      id: string;
      attempts: { id: string }[];
      amount: number;
      currency: string;
    }) => {
      const metadata = { org_id: shop.org_id, connection_id: shop.connection_id, payment_id: payment.id };
      const charge = {
        amount: payment.amount,
        currency: payment.currency,
        reference: payment.attempts[0]?.id,
        capture: true,
        metadata,
      };
      const { processing_channel_id } = shop.credentials;
      const { id } = await ask('/payments', {
        ...charge,
        processing_channel_id,
        source: { type: 'token', token: 'ok' },
      });
      return id;
    };
    const ask = async (path: string, body: object): Promise<Body> => {
      const headers = { authorization: `Bearer ${shop.credentials.secret_key}`, 'content-type': 'application/json' };
      const reply = await fetch(`${host.info.simulators}/checkout${path}`, {
        method: 'POST',
        headers,
        body: JSON.stringify(body),
      });
      expect(reply.status).toBeLessThan(300);
      return reply.json();
    };

    it('goes back, once', async () => {
      const payment = await shop.later(await shop.pay('ok'));
      await chargeAgain(payment);
      await advance(host, '30m');
      expect(await shop.later(payment)).toMatchObject({
        status: 'succeeded',
        amount_refunded: 0,
        refunds: [{ reason: 'duplicate_charge', status: 'succeeded' }],
      });
      expect(await shop.money(payment)).toMatchObject({
        amount: 2 * payment.amount,
        refunded: payment.amount,
        count: 2,
      });
    });

    it('that the merchant gives back there is not the first one’s refund', async () => {
      const payment = await shop.later(await shop.pay('ok'));
      await shop.arrange('decline:card_declined', { match: { operation: 'refund' }, times: 1 });
      const second = await chargeAgain(payment);
      await advance(host, '30m');
      expect(await shop.later(payment)).toMatchObject({ refunds: [{ reason: 'duplicate_charge', status: 'failed' }] });
      const metadata = { org_id: shop.org_id, connection_id: shop.connection_id, payment_id: payment.id };
      await ask(`/payments/${second}/refunds`, { amount: payment.amount, reference: 'by hand', metadata });
      await advance(host, '5m');
      expect(await shop.later(payment)).toMatchObject({ status: 'succeeded', amount_refunded: 0 });
    });

    it('is not forgotten where the provider could not be asked when its event came', async () => {
      const payment = await shop.later(await shop.pay('ok'));
      await shop.arrange('http_500', { match: { operation: 'fetch' }, times: 1 });
      await chargeAgain(payment);
      await advance(host, '30m');
      expect(await shop.later(payment)).toMatchObject({
        refunds: [{ reason: 'duplicate_charge', status: 'succeeded' }],
      });
    });
  });
}
