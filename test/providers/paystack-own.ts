import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { randomCredentials } from '#lib/local/demo.ts';
import type { Traits } from '#test/providers/journeys.ts';
import { type OwnShop, openShop } from '#test/providers/own-shop.ts';
import {
  aConnection,
  anOrganization,
  type Body,
  HANG_UP_AFTER_MS,
  startHost,
  type TestHost,
} from '#test/support/host.ts';
import { advance, drain, moneyOf, read } from '#test/support/payment-steps.ts';

/**
 * What Paystack alone has: reasons in the banks' words, fees that the customer may bear, and refunds that name their
 * charge by a number.
 */
export function describePaystackOwn(traits: Traits): void {
  let host: TestHost;
  let shop: OwnShop;
  beforeAll(async () => {
    host = await startHost({ hangUpAfterMs: HANG_UP_AFTER_MS, demoProviders: [] });
    shop = await openShop(host, traits);
  });
  afterEach(() => host.control('DELETE', '/psp/scenario'));
  afterAll(() => host?.close());

  describe('a charge that failed with the words of a bank', () => {
    it('which has not decided is asked about, and may succeed', async () => {
      const payment = await shop.pay('says_Transaction_Pending');
      expect(payment).toMatchObject({ status: 'processing', attempts: [{ status: 'processing', failure: null }] });
      await advance(host, '1h');
      expect((await shop.later(payment)).status).toBe('processing');
      await shop.complete(payment.id, 'succeeded');
      await advance(host, '2d');
      expect(await shop.later(payment)).toMatchObject({ status: 'succeeded', late_success: false });
      expect(await shop.money(payment)).toMatchObject({ amount: payment.amount, refunded: 0, count: 1 });
    });

    it('which had not decided may fail in the end', async () => {
      const payment = await shop.pay('says_Request_in_Progress');
      await shop.complete(payment.id, 'failed');
      await advance(host, '2d');
      expect(await shop.later(payment)).toMatchObject({ status: 'failed', failure: { code: 'card_declined' } });
      expect((await shop.money(payment)).count).toBe(0);
    });

    it.each([
      ['says_Security_violation', 'fraud_suspected', 'security_violation', false],
      ['says_Pickup_card_(stolen_card)', 'stolen_card', 'stolen_card', false],
      ['says_Duplicate_transaction', 'card_declined', 'duplicate_transaction', true],
      ['says_Words_of_no_list', 'card_declined', null, true],
    ])('%s fails with %s (%s), to be retried: %s', async (token, code, provider_code, retryable) => {
      expect(await shop.pay(token)).toMatchObject({ status: 'failed', failure: { code, provider_code, retryable } });
    });
  });

  describe('a payment whose customer bears the fees', () => {
    const SECRET = 'sk_test_customerfee_of_the_shop';
    const AMOUNT = 30_050;

    async function pay(): Promise<{ readonly payment: Body; readonly key: string }> {
      const { key } = await anOrganization(host);
      const credentials = { ...randomCredentials('paystack', 'sandbox'), secret_key: SECRET };
      await aConnection(host, { key }, { provider: 'paystack', credentials });
      const payment_method = { type: 'card', token: 'ok' };
      const asked = { amount: AMOUNT, currency: 'NGN', customer_email: 'kim@example.com', payment_method };
      const { body: payment } = await host.call('POST', '/v1/payments', asked, { key });
      expect(payment).toMatchObject({ status: 'succeeded', amount: AMOUNT, failure: null });
      expect((await moneyOf(host, payment.id)).amount).toBeGreaterThan(AMOUNT);
      return { payment, key };
    }

    it('is paid in full, and can be given back in full', async () => {
      const { payment, key } = await pay();
      const refund = await host.call('POST', `/v1/payments/${payment.id}/refund`, {}, { key });
      expect(refund.status, refund.text).toBe(200);
      await advance(host, '1h');
      expect(await read(host, payment.id, { key })).toMatchObject({ status: 'refunded', amount_refunded: AMOUNT });
      expect(await moneyOf(host, payment.id)).toMatchObject({ refunded: AMOUNT, count: 1 });
    });

    it('is given back with the fees in Paystack’s dashboard, and counts as refunded', async () => {
      const { payment, key } = await pay();
      const sent = await fetch(`${host.info.simulators}/paystack/refund`, {
        method: 'POST',
        headers: { authorization: `Bearer ${SECRET}`, 'content-type': 'application/json' },
        body: JSON.stringify({ transaction: payment.psp_reference }),
      });
      expect(sent.status).toBe(200);
      await drain(host);
      expect(await read(host, payment.id, { key })).toMatchObject({ status: 'refunded', amount_refunded: AMOUNT });
    });
  });

  const callsOf = async (): Promise<number> => (await host.control('GET', '/psp/calls')).body.calls.length;

  describe('mobile money in Ghana', () => {
    const byPhone = (network: string) => ({
      currency: 'GHS',
      method: 'mobile_money',
      payment_method: { type: 'mobile_money', phone: '+233551234987', network },
    });

    it.each(['MTN', 'mtn', 'MTN MoMo', 'Vodafone', 'Telecel Cash', 'AirtelTigo'])(
      'charges the phone whose network a customer calls %s',
      async (network) => {
        const payment = await shop.pay(null, byPhone(network));
        expect(payment).toMatchObject({
          failure: null,
          next_action: { type: expect.stringMatching(/^(await|collect)$/) },
        });
        await shop.complete(payment.id, 'succeeded');
        expect(await shop.later(payment)).toMatchObject({ status: 'succeeded' });
      },
    );

    it('refuses a network that is none of Ghana’s, names those that are, and sends nothing', async () => {
      const before = await callsOf();
      const refused = await shop.pay(null, byPhone('Glo'));
      expect(refused).toMatchObject({
        code: 'invalid_request',
        message: expect.stringContaining('mtn, vod, atl, tgo'),
        details: { fields: [{ path: 'payment_method.network' }] },
      });
      expect(await callsOf()).toBe(before);
    });
  });
}
