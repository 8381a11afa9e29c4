import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Traits } from '#test/providers/journeys.ts';
import { arrive, type OwnShop, openShop, press } from '#test/providers/own-shop.ts';
import { type Body, startHost, type TestHost } from '#test/support/host.ts';
import { advance } from '#test/support/payment-steps.ts';

const FLAT = 'kim+flat@example.com';

/** What Flutterwave alone has: failures that are none yet, and callbacks in two forms. */
export function describeFlutterwaveOwn(traits: Traits): void {
  let host: TestHost;
  let shop: OwnShop;
  beforeAll(async () => {
    host = await startHost({ demoProviders: [] });
    shop = await openShop(host, traits);
  });
  afterEach(() => host.control('DELETE', '/psp/scenario'));
  afterAll(() => host?.close());

  it.each(['server_error', 'no_message', 'gateway_timeout', 'in_progress', 'no_reason_to_decline'])(
    'a charge that fails with %s is asked about, and may succeed',
    async (reason) => {
      const payment = await shop.pay(`decline_${reason}`);
      expect(payment).toMatchObject({ status: 'processing', attempts: [{ status: 'processing', failure: null }] });
      await advance(host, '1h');
      expect((await shop.later(payment)).status).toBe('processing');
      await shop.complete(payment.id, 'succeeded');
      await advance(host, '2d');
      expect(await shop.later(payment)).toMatchObject({ status: 'succeeded', amount_refunded: 0 });
      expect(await shop.money(payment)).toMatchObject({ count: 1 });
    },
  );

  it.each([
    ['unlisted', 'card_declined', null, true],
    ['contact_acquirer', 'card_declined', 'contact_acquirer', false],
    ['contact_security', 'fraud_suspected', 'suspected_fraud', false],
    ['security_violation', 'fraud_suspected', 'security_violation', false],
    ['stolen_card_pick_up', 'stolen_card', 'stolen_card_pick_up', false],
    ['mpesa_no_funds', 'insufficient_funds', 'insufficient_funds', true],
    ['pin_entry_tries_exceeded', 'incorrect_pin', 'pin_entry_tries_exceeded', true],
  ])('a charge that fails with %s is a %s (%s), to be retried: %s', async (reason, code, provider_code, retryable) => {
    expect(await shop.pay(`decline_${reason}`)).toMatchObject({
      status: 'failed',
      failure: { code, provider_code, retryable },
    });
  });

  it('the fee that the customer pays is no part of the payment', async () => {
    const payment = await shop.pay('ok', { customer_email: 'kim+fees@example.com' });
    expect(payment).toMatchObject({ status: 'succeeded', failure: null });
  });

  describe('a callback in the flat form', () => {
    const charge = (payment: Body, more: Body = {}): string =>
      JSON.stringify({
        id: Number(payment.psp_reference) || 4_711,
        txRef: payment.attempts[0].id,
        flwRef: 'FLW-MOCK-1',
        amount: payment.amount / 100,
        currency: payment.currency,
        status: 'successful',
        'event.type': 'CARD_TRANSACTION',
        ...more,
      });
    const transactionOf = async (payment: Body): Promise<Body> => {
      const [{ id }] = payment.attempts;
      const address = `${host.info.simulators}/flutterwave/v3/transactions/verify_by_reference?tx_ref=${id}`;
      const headers = { authorization: `Bearer ${shop.credentials.secret_key}` };
      return ((await (await fetch(address, { headers })).json()) as Body).data;
    };
    const signed = () => ({ 'verif-hash': shop.credentials.webhook_secret });

    it('pays a charge that waits for the bank', async () => {
      const payment = await shop.pay('needs_3ds', { customer_email: FLAT });
      expect(payment.status).toBe('requires_action');
      await press(payment.next_action.url, 'authenticate');
      expect(await shop.later(payment)).toMatchObject({ status: 'succeeded', late_success: false });
    });

    it('pays a hosted page, which has no number of its own', async () => {
      const payment = await shop.pay(null, { customer_email: FLAT });
      await press(payment.next_action.url, 'decline');
      expect((await shop.later(payment)).status).toBe('requires_action');
      await press(payment.next_action.url, 'pay');
      expect(await shop.later(payment)).toMatchObject({ status: 'succeeded' });
      expect(await shop.money(payment)).toMatchObject({ amount: payment.amount, count: 1 });
    });

    it('pays a phone’s charge, whose number no response showed', async () => {
      await shop.arrange('http_500', { match: { operation: 'find' } });
      const payment = await shop.pay(null, {
        currency: 'GHS',
        country: 'GH',
        method: 'mobile_money',
        payment_method: { type: 'mobile_money', phone: '+233551234987', network: 'MTN' },
        customer_email: FLAT,
      });
      expect(payment.psp_reference).toBe(`tx:${payment.attempts[0].id}`);
      await shop.complete(payment.id, 'succeeded');
      expect(await shop.later(payment)).toMatchObject({ status: 'succeeded' });
    });

    it('is taken for its sender’s only with the secret hash, and proves nothing itself', async () => {
      const payment = await shop.pay('needs_3ds');
      expect(await shop.tell(charge(payment))).toBe(401);
      expect(await shop.tell(charge(payment), { 'verif-hash': 'wrong' })).toBe(401);
      expect(await shop.tell(charge(payment), signed())).toBe(200);
      expect((await shop.later(payment)).status).toBe('requires_action');
      await arrive(await press(payment.next_action.url, 'authenticate'));
      expect(await shop.tell(charge(payment, { status: undefined }), signed())).toBe(200);
      expect(await shop.later(payment)).toMatchObject({ status: 'succeeded' });
      expect(await shop.money(payment)).toMatchObject({ count: 1 });
    });

    it('about another attempt or an unknown one is not taken for this payment’s', async () => {
      const payment = await shop.pay('needs_3ds');
      const txRef = 'att_01jc0000000000000000000009';
      expect(await shop.tell(charge(payment, { txRef }), signed())).toBe(401);
      expect(await shop.tell(charge(payment, { txRef, id: 4_712 }), signed())).toBe(400);
      expect((await shop.later(payment)).status).toBe('requires_action');
    });

    it('reaches a hosted page, and so does one in today’s form that has no metadata', async () => {
      await shop.arrange('approve', { webhook: 'none' });
      const payment = await shop.pay(null);
      const data = { id: 4_713, tx_ref: payment.attempts[0].id, status: 'failed' };
      expect(await shop.tell(JSON.stringify({ event: 'charge.completed', data }))).toBe(401);
      await press(payment.next_action.url, 'pay');
      expect((await shop.later(payment)).status).toBe('requires_action');
      const { id } = await transactionOf(payment);
      const told = JSON.stringify({ event: 'charge.completed', data: { ...data, id } });
      expect(await shop.tell(told, signed())).toBe(200);
      expect(await shop.later(payment)).toMatchObject({ status: 'succeeded', psp_reference: String(id) });
    });

    it('of a transfer is received, and one of a charge without an id is not', async () => {
      expect(await shop.tell(JSON.stringify({ 'event.type': 'Transfer', transfer: { id: 1 } }))).toBe(200);
      expect(await shop.tell(JSON.stringify({ txRef: 'att_1', 'event.type': 'CARD_TRANSACTION' }))).toBe(400);
    });
  });
}
