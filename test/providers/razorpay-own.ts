import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Traits } from '#test/providers/journeys.ts';
import { type OwnShop, openShop, press } from '#test/providers/own-shop.ts';
import {
  aConnection,
  anOrganization,
  type Body,
  HANG_UP_AFTER_MS,
  startHost,
  type TestHost,
  type TestOrganization,
} from '#test/support/host.ts';
import { advance, operationsOf } from '#test/support/payment-steps.ts';

/** What Razorpay alone has: failures that the bank may still approve, its own reasons, and fees of the customer. */
export function describeRazorpayOwn(traits: Traits): void {
  let host: TestHost;
  let shop: OwnShop;
  beforeAll(async () => {
    host = await startHost({ hangUpAfterMs: HANG_UP_AFTER_MS, demoProviders: ['stripe'] });
    shop = await openShop(host, traits);
  });
  afterEach(() => host.control('DELETE', '/psp/scenario'));
  afterAll(() => host?.close());

  describe('a failed payment that the bank may still approve', () => {
    it.each(['payment_pending', 'deemed_transaction', 'capture_failed'])(
      'stays processing with %s, is asked about, and succeeds when the bank approves it days later',
      async (reason) => {
        const payment = await shop.pay(`decline_${reason}`);
        expect(payment).toMatchObject({ status: 'processing', attempts: [{ status: 'processing' }] });
        await advance(host, '25h');
        expect((await shop.later(payment)).status).toBe('processing');
        await shop.complete(payment.attempts[0].psp_reference, 'succeeded');
        expect(await shop.later(payment)).toMatchObject({ status: 'succeeded', attempts: [{}] });
        expect(await shop.money(payment)).toMatchObject({ amount: payment.amount, count: 1 });
      },
    );

    it('is left to a person after a week without a decision, who can end it', async () => {
      const payment = await shop.pay('decline_payment_pending');
      await advance(host, '9d');
      const reviewed = await shop.later(payment);
      expect(reviewed).toMatchObject({ status: 'processing', review: { reason: 'no_verdict' } });
      const asked = (await operationsOf(host, payment.id)).length;
      await advance(host, '2d');
      expect((await operationsOf(host, payment.id)).length).toBe(asked);
      expect((await shop.act(payment, 'cancel')).body).toMatchObject({ status: 'canceled', review: null });
      expect((await shop.money(payment)).count).toBe(0);
    }, 90_000);
  });

  describe('a decline in a shop that has another provider too', () => {
    let both: TestOrganization;
    beforeAll(async () => {
      both = await anOrganization(host);
      const { id: connection_id } = await aConnection(host, both, { provider: 'razorpay' });
      await aConnection(host, both, { provider: 'stripe' });
      const rule = { name: 'India', countries: ['IN'], connection_id, fallback_to_default: true };
      expect((await host.call('POST', '/v1/routing-rules', rule, { key: both.key })).status).toBe(201);
    });
    const pay = async (token: string): Promise<Body> => {
      const payment_method = { type: 'card', ...traits.beside, tokens: { razorpay: token, stripe: 'ok' } };
      const body = { amount: 5_000, currency: 'INR', country: 'IN', customer_email: 'kim@example.com', payment_method };
      return (await host.call('POST', '/v1/payments', body, { key: both.key })).body;
    };
    const providersOf = ({ attempts }: Body) => attempts.map(({ provider }: Body) => provider);

    it('goes elsewhere for a generic refusal, and for a technical fault', async () => {
      for (const token of ['decline_payment_failed', 'decline_bank_technical_error']) {
        const payment = await pay(token);
        expect([payment.status, providersOf(payment)]).toEqual(['succeeded', ['razorpay', 'stripe']]);
      }
    });

    it.each([
      ['payment_pending', 'processing'],
      ['invalid_response_from_gateway', 'processing'],
      ['payment_amount_tampered', 'failed'],
      ['pin_attempts_exceeded', 'failed'],
      ['transaction_daily_limit_exceeded', 'failed'],
      ['duplicate_rrn_found', 'failed'],
    ])('stays at Razorpay for %s', async (reason, status) => {
      const payment = await pay(`decline_${reason}`);
      expect([payment.status, providersOf(payment)]).toEqual([status, ['razorpay']]);
    });

    it('stays at Razorpay for a reason that no list has, and may be tried again', async () => {
      const error = { code: 'GATEWAY_ERROR', description: 'No.', reason: 'moon_phase', source: 'gateway' };
      const failed = {
        id: 'pay_moon',
        entity: 'payment',
        amount: 5_000,
        currency: 'INR',
        status: 'failed',
        captured: false,
        error_reason: 'moon_phase',
        error_source: 'gateway',
      };
      const refused = { ...error, step: 'payment_authorization', metadata: { payment_id: 'pay_moon' } };
      await shop.arrange('raw', { match: { operation: 'create' }, raw: { status: 400, body: { error: refused } } });
      await shop.arrange('raw', { match: { operation: 'fetch' }, raw: { status: 200, body: failed } });
      const payment = await pay('ok');
      expect(payment).toMatchObject({
        status: 'failed',
        failure: { code: 'card_declined', category: 'soft_decline', provider_code: 'moon_phase', retryable: true },
      });
      expect(providersOf(payment)).toEqual(['razorpay']);
    });
  });

  it.each([
    ['customer_fee', 'the customer bears'],
    ['shared_fee', 'the customer and the merchant share'],
  ])('a payment with %s, a fee that %s, succeeds with its price', async (token) => {
    const payment = await shop.later(await shop.pay(token));
    expect(payment).toMatchObject({ status: 'succeeded', amount: payment.amount, review: null });
    expect(await shop.money(payment)).toMatchObject({ amount: payment.amount, count: 1 });
  });

  it('a page whose customer bears the fee succeeds with its price', async () => {
    const payment = await shop.pay(null);
    await press(payment.next_action.url, 'fee');
    expect(await shop.later(payment)).toMatchObject({ status: 'succeeded', review: null });
  });

  it('a wallet may be named as its customers name it, and an unknown one is answered with the list', async () => {
    const pay = (network: string) =>
      host.call(
        'POST',
        '/v1/payments',
        {
          amount: 5_000,
          currency: 'INR',
          method: 'wallet',
          customer_email: 'kim@example.com',
          payment_method: { type: 'wallet', network, ...traits.beside },
        },
        { key: shop.key },
      );
    expect((await pay('Amazon Pay')).body).toMatchObject({
      status: 'requires_action',
      next_action: { type: 'redirect' },
    });
    const { status, body } = await pay('moonpay');
    expect([status, JSON.stringify(body)]).toEqual([400, expect.stringContaining('amazonpay')]);
  });
}
