import { createHmac } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Traits } from '#test/providers/journeys.ts';
import { arrive, type OwnShop, openShop, press } from '#test/providers/own-shop.ts';
import { type Body, HANG_UP_AFTER_MS, startHost, type TestHost } from '#test/support/host.ts';
import { advance, drain, operationsOf } from '#test/support/payment-steps.ts';
import { temporaryFolder } from '#test/support/temporary-folder.ts';

/** What Adyen alone has: what the customer brings back, and notices that are believed where their signature reaches. */
export function describeAdyenOwn(traits: Traits): void {
  let host: TestHost;
  let shop: OwnShop;
  beforeAll(async () => {
    host = await startHost({ hangUpAfterMs: HANG_UP_AFTER_MS, demoProviders: [] });
    shop = await openShop(host, traits);
  });
  afterEach(() => host.control('DELETE', '/psp/scenario'));
  afterAll(() => host?.close());

  let notices = 0;
  /** One signed item. The payment's own keys stand outside the signature. */
  const item = (payment: Body, { data = {}, ...change }: Body = {}, names: Body = payment): object => {
    notices += 1;
    const said = {
      pspReference: `TEST${String(notices).padStart(12, '0')}`,
      originalReference: '',
      merchantAccountCode: shop.credentials.merchant_account,
      merchantReference: payment.attempts[0].id,
      amount: { value: payment.amount, currency: payment.currency },
      eventCode: 'AUTHORISATION',
      success: 'true',
      ...change,
    };
    const { pspReference, originalReference, merchantAccountCode, merchantReference, amount, eventCode, success } =
      said;
    const text = [
      pspReference,
      originalReference,
      merchantAccountCode,
      merchantReference,
      amount.value,
      amount.currency,
      eventCode,
      success,
    ].join(':');
    const hmacSignature = createHmac('sha256', Buffer.from(shop.credentials.webhook_secret, 'hex'))
      .update(text)
      .digest('base64');
    const keys = {
      'metadata.org_id': shop.org_id,
      'metadata.connection_id': shop.connection_id,
      'metadata.payment_id': names.id,
    };
    const additionalData = { ...data, ...keys, hmacSignature };
    return { reason: '', ...said, eventDate: '2026-11-28T00:00:00+00:00', additionalData };
  };
  const tell = (...items: object[]) =>
    shop.tell(
      JSON.stringify({
        live: 'false',
        notificationItems: items.map((NotificationRequestItem) => ({ NotificationRequestItem })),
      }),
    );
  /** A charge that Adyen has not decided on, and of which it tells nothing by itself. */
  const undecided = async (): Promise<Body> => {
    await shop.arrange('pending', { webhook: 'none' });
    const payment = await shop.pay('ok');
    expect(payment.status).toBe('processing');
    return payment;
  };

  describe('what a customer brings back from the bank', () => {
    it('is passed on twice and charges once', async () => {
      const payment = await shop.pay('needs_3ds');
      const back = await press(payment.next_action.url, 'authenticate');
      await Promise.all([arrive(back), arrive(back)]);
      await arrive(back);
      expect(await shop.later(payment)).toMatchObject({
        status: 'succeeded',
        attempts: [{ status: 'succeeded' }],
        refunds: [],
      });
      expect(await shop.money(payment)).toMatchObject({ amount: payment.amount, count: 1 });
    });

    it('pays for no other payment of the same amount', async () => {
      const [paid, other] = [await shop.pay('needs_3ds'), await shop.pay('needs_3ds')];
      const back = new URL(await press(paid.next_action.url, 'authenticate'));
      const theirs = new URL(await press(other.next_action.url, 'cancel'));
      theirs.searchParams.set('redirectResult', back.searchParams.get('redirectResult') ?? '');
      await arrive(theirs.href);
      await arrive(back.href);
      expect((await shop.later(other)).status).toBe('requires_action');
      expect([
        (await shop.later(paid)).status,
        (await shop.money(paid)).count,
        (await shop.money(other)).count,
      ]).toEqual(['succeeded', 1, 0]);
    });

    it('is passed on again where no answer came, and the charge goes on', async () => {
      const payment = await shop.pay('needs_3ds');
      const back = await press(payment.next_action.url, 'authenticate');
      await shop.arrange('timeout_before_charge', { match: { operation: 'confirm' } });
      await arrive(back);
      expect(await shop.later(payment)).toMatchObject({ status: 'processing', next_action: null });
      expect(await shop.act(payment, 'cancel')).toMatchObject({ status: 409, body: { code: 'outcome_unknown' } });
      await arrive(back);
      expect([(await shop.later(payment)).status, (await shop.money(payment)).count]).toEqual(['succeeded', 1]);
    });
  });

  describe('a notice', () => {
    it('with a signature that names another payment is refused, and moves neither', async () => {
      const [named, signed] = [await undecided(), await undecided()];
      expect(await tell(item(signed, {}, named))).toBe(401);
      expect([(await shop.later(named)).status, (await shop.later(signed)).status]).toEqual([
        'processing',
        'processing',
      ]);
      expect(await tell(item(signed))).toBe(200);
      expect([(await shop.later(named)).status, (await shop.later(signed)).status]).toEqual([
        'processing',
        'succeeded',
      ]);
    });

    it('of a charge that is another payment’s is refused', async () => {
      const [paid, other] = [await shop.pay('ok'), await undecided()];
      expect(await tell(item(other, { pspReference: paid.psp_reference }))).toBe(401);
      expect((await shop.later(other)).status).toBe('processing');
    });

    it('changed after it was signed, or signed with another key, is refused', async () => {
      const payment = await undecided();
      expect(await tell({ ...item(payment), amount: { value: 1, currency: payment.currency } })).toBe(401);
      expect(await tell({ ...item(payment), additionalData: { 'metadata.payment_id': payment.id } })).toBe(401);
      expect((await shop.later(payment)).status).toBe('processing');
    });

    it('of two items settles both payments, and a repetition nothing', async () => {
      const [one, two] = [await undecided(), await undecided()];
      const batch = [item(one), item(two, { success: 'false' })];
      for (const _again of [1, 2]) expect(await tell(...batch)).toBe(200);
      expect([(await shop.later(one)).status, (await shop.later(two)).status]).toEqual(['succeeded', 'failed']);
    });

    it('of a method that Adyen has kept comes before, after or with that of its charge, and keeps it once', async () => {
      const kept = [];
      for (const order of ['after', 'before', 'with']) {
        await shop.arrange('pending', { webhook: 'none' });
        const token = { encryptedCardNumber: 'adyenjs_1', encryptedExpiryMonth: 'adyenjs_2', encryptedExpiryYear: 'e' };
        const customer = { customer_id: `kept_${order}`, save: true };
        const payment = await shop.pay('ok', { payment_method: { type: 'card', token }, ...customer });
        const reference = payment.attempts[0].psp_reference;
        const paid = item(payment, { pspReference: reference, reason: '044925:1142:03/2030', paymentMethod: 'mc' });
        const data = {
          'recurring.recurringDetailReference': 'M5N7TQ4TG5PFWR50',
          'recurring.shopperReference': 'shopper_1',
        };
        const ofToken = item(payment, {
          eventCode: 'RECURRING_CONTRACT',
          pspReference: 'M5N7TQ4TG5PFWR50',
          originalReference: reference,
          amount: { value: 0, currency: 'EUR' },
          data,
        });
        const withToken = item(payment, {
          pspReference: reference,
          reason: '044925:1142:03/2030',
          paymentMethod: 'mc',
          data,
        });
        const notices = { after: [paid, ofToken, ofToken], before: [ofToken, paid], with: [paid, withToken] }[order];
        for (const notice of notices ?? []) expect(await tell(notice)).toBe(200);
        const { status, payment_method_id } = await shop.later(payment);
        expect([status, payment_method_id]).toEqual(['succeeded', expect.stringMatching(/^pm_/)]);
        const listed = `/v1/payment-methods?customer_id=${customer.customer_id}`;
        kept.push((await host.call('GET', listed, undefined, { key: shop.key })).body);
      }
      const card = { brand: 'mastercard', last4: '1142', exp_month: 3, exp_year: 2030 };
      expect(kept).toMatchObject(kept.map(() => ({ payment_methods: [{ card }] })));
    });

    it('of the webhook for tokens keeps the method of the payment that it names', async () => {
      await shop.arrange('pending', { webhook: 'none' });
      const token = { encryptedCardNumber: 'adyenjs_1', encryptedExpiryMonth: 'adyenjs_2', encryptedExpiryYear: 'e' };
      const kept = { payment_method: { type: 'card', token }, customer_id: 'kept_by_event', save: true };
      const payment = await shop.pay('ok', kept);
      const reference = payment.attempts[0].psp_reference;
      expect(await tell(item(payment, { pspReference: reference }))).toBe(200);
      const event = JSON.stringify({
        type: 'recurring.token.created',
        environment: 'test',
        createdAt: '2026-11-28T00:00:00+01:00',
        eventId: reference,
        data: {
          merchantAccount: shop.credentials.merchant_account,
          storedPaymentMethodId: 'M5N7TQ4TG5PFWR51',
          shopperReference: 'shopper_1',
          type: 'visa',
          operation: 'created',
        },
      });
      const sign = (key: string) => createHmac('sha256', Buffer.from(key, 'hex')).update(event).digest('base64');
      expect(await shop.tell(event, { hmacsignature: sign('CD'.repeat(32)) })).toBe(401);
      expect((await shop.later(payment)).payment_method_id ?? null).toBeNull();
      expect(await shop.tell(event, { hmacsignature: sign(shop.credentials.webhook_secret) })).toBe(200);
      expect(await shop.later(payment)).toMatchObject({
        status: 'succeeded',
        payment_method_id: expect.stringMatching(/^pm_/),
      });
    });

    it('with one item that is not signed vouches for none', async () => {
      const [one, two] = [await undecided(), await undecided()];
      expect(await tell(item(one), { ...item(two), success: 'false' })).toBe(401);
      expect([(await shop.later(one)).status, (await shop.later(two)).status]).toEqual(['processing', 'processing']);
    });

    it.each(['AUTHORISATION', 'OFFER_CLOSED'])(
      'of a try that failed on a page which was paid meanwhile holds nothing up (%s)',
      async (eventCode) => {
        const payment = await shop.pay(null);
        await shop.complete(payment.id, 'succeeded');
        const merchantReference = `${payment.attempts[0].id}-page`;
        expect(
          await tell(
            item(payment, { merchantReference, eventCode, success: eventCode === 'AUTHORISATION' ? 'false' : 'true' }),
          ),
        ).toBe(200);
        expect(await shop.later(payment)).toMatchObject({ status: 'succeeded', attempts: [{ status: 'succeeded' }] });
      },
    );

    it('of a second charge for the same attempt gives that one back', async () => {
      const payment = await shop.pay('ok');
      expect((await shop.later(payment)).status).toBe('succeeded');
      expect(await tell(item(payment))).toBe(200);
      await advance(host, '5m');
      const { status, amount_refunded, refunds } = await shop.later(payment);
      expect([status, amount_refunded]).toEqual(['succeeded', 0]);
      expect(refunds).toMatchObject([{ reason: 'duplicate_charge', amount: payment.amount }]);
    });
  });

  /** As the state of Adyen's Component has it, with a word of the simulator for the encrypted number. */
  const byComponent = (word: string) => ({
    type: 'scheme',
    holderName: '',
    encryptedCardNumber: word,
    encryptedExpiryMonth: 'test_03',
    encryptedExpiryYear: 'test_2030',
    encryptedSecurityCode: 'test_737',
    brand: 'cartebancaire',
    checkoutAttemptId: 'd3290440-e3e5-4bb0-bd3d-beacaa796c6b',
    sdkData: 'eyJzY2hlbWFWZXJzaW9uIjoxfQ==',
  });

  it('a card as the Component hands it out is charged, though the customer left the name empty', async () => {
    const payment = await shop.pay(null, { payment_method: { type: 'card', token: byComponent('ok') } });
    expect(payment).toMatchObject({ status: 'succeeded', attempts: [{ status: 'succeeded' }] });
    expect((await shop.money(payment)).count).toBe(1);
  });

  describe('a refusal', () => {
    it.each([
      ['refused_2', 'card_declined', true],
      ['refused_2_advice_03', 'card_declined', false],
      ['refused_2_advice_01', 'card_declined', true],
      ['refused_2_raw_43', 'stolen_card', false],
      ['refused_46', 'card_declined', false],
      ['refused_42', 'authentication_failed', true],
      ['refused_50', 'authorization_revoked', false],
    ])('%s means the same by its answer and by its notice', async (token, code, retryable) => {
      const failure = { code, retryable };
      await shop.arrange('timeout_after_charge', { match: { operation: 'create' } });
      const [told, answered] = [await shop.pay(token), await shop.pay(token)];
      expect(answered).toMatchObject({ status: 'failed', failure });
      expect(await shop.later(told)).toMatchObject({ status: 'failed', failure });
    });

    it('with the advice never to try again is told so by a notice of another charge, too', async () => {
      const payment = await undecided();
      const data = { merchantAdviceCode: '03 : Do not try again' };
      expect(await tell(item(payment, { success: 'false', reason: 'Refused', data }))).toBe(200);
      expect(await shop.later(payment)).toMatchObject({
        status: 'failed',
        failure: { code: 'card_declined', retryable: false, provider_code: '2' },
      });
    });

    it('that Adyen will try again by itself keeps the payment open until that has ended', async () => {
      const [paid, failed] = [await shop.pay('refused_12_rescued'), await shop.pay('refused_12_rescued')];
      expect([(await shop.later(paid)).status, (await shop.later(failed)).status]).toEqual([
        'processing',
        'processing',
      ]);
      await shop.complete(paid.id, 'succeeded');
      await shop.complete(failed.id, 'failed');
      expect((await shop.later(paid)).status).toBe('succeeded');
      expect(await shop.later(failed)).toMatchObject({ status: 'failed', failure: { code: 'insufficient_funds' } });
    });
  });

  it('a page that the provider can’t be told to end is given up after a week, and nobody is asked any more', async () => {
    const payment = await shop.pay(null);
    await shop.arrange('refuse_connection', { match: { operation: 'cancel' }, times: 5_000 });
    await advance(host, '25h');
    expect((await shop.later(payment)).status).toBe('requires_action');
    await advance(host, '8d');
    expect(await shop.later(payment)).toMatchObject({ status: 'failed', failure: { code: 'expired' } });
    const asked = (await operationsOf(host, payment.id)).length;
    await advance(host, '1d');
    expect((await operationsOf(host, payment.id)).length).toBe(asked);
  }, 90_000);

  it('a provider that is started again signs as before', async () => {
    const folder = await temporaryFolder();
    const options = { hangUpAfterMs: HANG_UP_AFTER_MS, demoProviders: [traits.provider], dataDir: folder.path('data') };
    const first = await startHost(options);
    const { body } = await first.call('POST', '/v1/payments', {
      amount: 5_000,
      currency: 'EUR',
      payment_method: { type: 'card', token: 'pending' },
    });
    await first.close();
    const second = await startHost(options);
    await second.control('POST', '/psp/complete', {
      provider: traits.provider,
      reference: body.id,
      outcome: 'succeeded',
    });
    await drain(second);
    expect((await second.call('GET', `/v1/payments/${body.id}`)).body).toMatchObject({ status: 'succeeded' });
    await second.close();
    await folder.remove();
  });
}
