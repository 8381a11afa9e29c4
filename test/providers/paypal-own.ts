import { createSign } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { crc32 } from 'node:zlib';
import { afterAll, afterEach, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { webhookHeaders } from '#lib/simulators/paypal/certificates.ts';
import chain from '#test/fixtures/paypal/certificate-chain.json' with { type: 'json' };
import type { Traits } from '#test/providers/journeys.ts';
import { arrive, type OwnShop, openShop, press } from '#test/providers/own-shop.ts';
import { type Body, HANG_UP_AFTER_MS, startHost, type TestHost } from '#test/support/host.ts';
import { advance, begin, drain, operationsOf } from '#test/support/payment-steps.ts';

/**
 * What PayPal alone has: money that moves by our capture, asked for from several sides, and events signed with a
 * certificate.
 */
export function describePaypalOwn(traits: Traits): void {
  let host: TestHost;
  let shop: OwnShop;
  beforeAll(async () => {
    host = await startHost({ hangUpAfterMs: HANG_UP_AFTER_MS, demoProviders: [] });
    shop = await openShop(host, traits);
  });
  afterEach(() => host.control('DELETE', '/psp/scenario'));
  afterAll(() => host?.close());

  describe('an order that the customer approves', () => {
    it('is captured once by the return page, the event and a confirmation at the same time', async () => {
      const payment = await shop.pay(null);
      const back = await press(payment.next_action.url, 'pay');
      await Promise.all([
        arrive(back),
        shop.act(payment, 'confirm', {}),
        arrive(back),
        drain(host),
        shop.act(payment, 'confirm', {}),
      ]);
      await advance(host, '12m');
      expect(await shop.later(payment)).toMatchObject({
        status: 'succeeded',
        attempts: [{ status: 'succeeded' }],
        refunds: [],
        late_success: false,
      });
      expect(await shop.money(payment)).toMatchObject({ amount: payment.amount, refunded: 0, count: 1 });
    });

    it('after our cancel moves no money, whoever comes back', async () => {
      const payment = await shop.pay(null);
      expect((await shop.act(payment, 'cancel')).body.status).toBe('canceled');
      const back = await press(payment.next_action.url, 'pay');
      await arrive(back);
      await advance(host, '2d');
      expect(await shop.later(payment)).toMatchObject({ status: 'canceled', refunds: [] });
      expect([(await shop.money(payment)).count, (await operationsOf(host, payment.id)).includes('confirm')]).toEqual([
        0,
        false,
      ]);
    });

    it('while a cancel of ours runs is given back if it was taken', async () => {
      const payment = await shop.pay(null);
      const back = await press(payment.next_action.url, 'pay');
      const { answer } = await begin(host, 'fetch', () => shop.act(payment, 'cancel'));
      await Promise.all([answer, arrive(back)]);
      await advance(host, '12m');
      const [{ status, refunds }, { amount, refunded, count }] = [await shop.later(payment), await shop.money(payment)];
      expect(count).toBeLessThanOrEqual(1);
      expect([amount - refunded, refunds.length], status).toEqual(
        status === 'canceled' ? [0, count] : [payment.amount, 0],
      );
    });

    it('is unknown while its capture brings no answer: no cancel takes it for untouched', async () => {
      await shop.arrange('approve', { match: { operation: 'create' }, webhook: 'none' });
      const payment = await shop.pay(null);
      await shop.arrange('timeout_after_charge', { match: { operation: 'confirm' }, webhook: 'none' });
      const back = await press(payment.next_action.url, 'pay');
      await arrive(back);
      expect(await shop.act(payment, 'cancel')).toMatchObject({ status: 409, body: { code: 'outcome_unknown' } });
      await advance(host, '12m');
      expect([(await shop.later(payment)).status, (await shop.money(payment)).count]).toEqual(['succeeded', 1]);
    });

    it.each(['timeout_before_charge', 'timeout_after_charge', 'garbage'])(
      'is unknown also where the event began the capture, and is taken once: %s',
      async (behaviour) => {
        const payment = await shop.pay(null);
        await shop.arrange(behaviour, { match: { operation: 'confirm' }, webhook: 'none' });
        await shop.complete(payment.id, 'succeeded');
        const seen = await shop.later(payment);
        expect([seen.status, seen.next_action]).toEqual(['processing', null]);
        expect(await shop.act(payment, 'cancel')).toMatchObject({ status: 409, body: { code: 'outcome_unknown' } });
        await advance(host, '11s');
        expect(await shop.later(payment)).toMatchObject({ status: 'succeeded', refunds: [] });
        expect(await shop.money(payment)).toMatchObject({ amount: payment.amount, refunded: 0, count: 1 });
      },
    );

    it('and is canceled while a capture of ours is out ends canceled, and calls nobody', async () => {
      const patient = await startHost({ pspBudgetMs: 1_000, demoProviders: [] });
      onTestFinished(() => patient.close());
      const waiting = await openShop(patient, traits);
      const payment = await waiting.pay(null);
      await waiting.arrange('timeout_before_charge', { match: { operation: 'confirm' }, webhook: 'none' });
      await patient.control('POST', '/psp/complete', {
        provider: 'paypal',
        reference: payment.id,
        outcome: 'succeeded',
      });
      while (!(await operationsOf(patient, payment.id)).includes('confirm')) await pause(5);
      expect((await waiting.act(payment, 'cancel')).body.status).toBe('canceled');
      await advance(patient, '10d');
      expect(await waiting.later(payment)).toMatchObject({
        status: 'canceled',
        review: null,
        attempts: [{ status: 'canceled' }],
        refunds: [],
      });
      expect((await waiting.money(payment)).count).toBe(0);
    });

    it('and that nobody could capture is not captured by the cancel that ends it', async () => {
      const payment = await shop.pay(null);
      await shop.arrange('timeout_before_charge', { match: { operation: 'confirm' }, times: 1_000 });
      await arrive(await press(payment.next_action.url, 'pay'));
      await advance(host, '9d');
      expect((await shop.later(payment)).review).toMatchObject({ reason: 'no_verdict' });
      await host.control('DELETE', '/psp/scenario');
      expect((await shop.act(payment, 'cancel')).body.status).toBe('canceled');
      expect([(await shop.later(payment)).refunds, (await shop.money(payment)).count]).toEqual([[], 0]);
    });
  });

  describe('a saved card', () => {
    it.each(['processor_0800', 'processor_PPIF'])(
      'that the bank may have approved (%s) is asked about until PayPal knows, and is not declined',
      async (token) => {
        const payment = await shop.pay(token);
        expect(payment).toMatchObject({ status: 'processing', attempts: [{ status: 'processing' }] });
        await advance(host, '2h');
        expect(await shop.later(payment)).toMatchObject({ status: 'processing', attempts: [{ failure: null }] });
        await shop.complete(payment.id, 'succeeded');
        await advance(host, '12m');
        expect(await shop.later(payment)).toMatchObject({ status: 'succeeded', late_success: false });
        expect(await shop.money(payment)).toMatchObject({ amount: payment.amount, refunded: 0, count: 1 });
      },
    );

    it('that the bank did not approve after all fails in the end, without any money', async () => {
      const payment = await shop.pay('processor_0800');
      await shop.complete(payment.id, 'failed');
      await advance(host, '12m');
      expect(await shop.later(payment)).toMatchObject({ status: 'failed', attempts: [{ status: 'failed' }] });
      expect((await shop.money(payment)).count).toBe(0);
    });

    it.each([
      ['3ds_Y_U_UNKNOWN', 'failed', 0],
      ['3ds_Y_C_UNKNOWN', 'failed', 0],
      ['3ds_Y_-_NO', 'failed', 0],
      ['3ds_U_-_UNKNOWN', 'failed', 0],
      ['3ds_Y_A_POSSIBLE', 'succeeded', 1],
      ['3ds_B_-_NO', 'succeeded', 1],
    ])('whose payer comes back with the result %s has %s', async (token, status, count) => {
      const payment = await shop.pay(token);
      await arrive(await press(payment.next_action.url, 'pay'));
      await advance(host, '12m');
      expect([(await shop.later(payment)).status, (await shop.money(payment)).count]).toEqual([status, count]);
    });
  });

  describe('an event', () => {
    const eventAbout = ({ id, psp_reference }: Body): string =>
      JSON.stringify({
        id: 'WH-1',
        event_type: 'CHECKOUT.ORDER.APPROVED',
        resource_type: 'checkout-order',
        resource: {
          id: psp_reference,
          purchase_units: [{ custom_id: [shop.org_id, shop.connection_id, id].join('|') }],
        },
      });
    const genuine = (text: string) => webhookHeaders(text, [shop.credentials.webhook_secret].flat(), host.clock.now());
    /** Signed by somebody whose certificate no authority vouches for. */
    const foreign = (text: string): Readonly<Record<string, string>> => {
      const headers = genuine(text);
      const said = [
        headers['paypal-transmission-id'],
        headers['paypal-transmission-time'],
        shop.credentials.webhook_secret,
        crc32(text),
      ].join('|');
      return {
        ...headers,
        'paypal-transmission-sig': createSign('RSA-SHA256').update(said).sign(chain.keys.leaf, 'base64'),
      };
    };

    it('that PayPal signed is taken', async () => {
      const text = eventAbout(await shop.pay(null));
      expect(await shop.tell(text, genuine(text))).toBe(200);
    });

    it('that names nothing but a later capture finds its payment, which is then looked up', async () => {
      const payment = await shop.later(await shop.pay('ok', { capture: 'manual' }));
      await shop.arrange('pending', { match: { operation: 'capture' }, webhook: 'none' });
      await shop.act(payment, 'capture', { amount: 2_000 });
      const { status, captures } = await shop.later(payment);
      const { psp_reference: id } = captures[0];
      await shop.complete(id, 'succeeded');
      expect([status, (await shop.later(payment)).status]).toEqual(['authorized', 'authorized']);
      const resource = { id, status: 'COMPLETED' };
      const text = JSON.stringify({ id: 'WH-3', event_type: 'PAYMENT.CAPTURE.COMPLETED', resource });
      expect([await shop.tell(text), await shop.tell(text, genuine(text))]).toEqual([401, 200]);
      expect(await shop.later(payment)).toMatchObject({ status: 'succeeded', captured_amount: 2_000 });
    });

    it.each<[string, (text: string) => Readonly<Record<string, string>>]>([
      ['without a signature', () => ({})],
      ['with the signature of another event', () => genuine('{"id":"WH-2"}')],
      ['for another webhook', (text) => webhookHeaders(text, ['1JE4291016473214C'], host.clock.now())],
      ['signed with a foreign key', foreign],
      [
        'with a certificate of another host',
        (text) => ({
          ...foreign(text),
          'paypal-cert-url': 'https://api.paypal.com.evil.example/v1/notifications/certs/CERT-1',
        }),
      ],
      [
        'with a certificate of this machine',
        (text) => ({ ...foreign(text), 'paypal-cert-url': 'http://127.0.0.1:1/v1/notifications/certs/CERT-1' }),
      ],
      [
        'with a certificate that PayPal does not have',
        (text) => ({ ...foreign(text), 'paypal-cert-url': 'https://api.paypal.com/v1/notifications/certs/CERT-1' }),
      ],
      ['by another algorithm', (text) => ({ ...genuine(text), 'paypal-auth-algo': 'SHA1withRSA' })],
    ])('%s is refused, and nothing is asked', async (_, headersOf) => {
      const payment = await shop.pay(null);
      const text = eventAbout(payment);
      const before = await operationsOf(host, payment.id);
      expect(await shop.tell(text, headersOf(text))).toBe(401);
      expect(await operationsOf(host, payment.id)).toEqual(before);
    });
  });
}
