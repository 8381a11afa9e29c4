import { describe, expect, it } from 'vitest';
import { declineOf, FAILURES } from '#shared/domain/payments/declines.catalog.ts';
import { type ChargeOrder, PspNotSent, PspOutcomeUnknown } from '#shared/ports/psp.port.ts';
import { hmacHex } from '#shared/psp/kit/webhooks.ts';
import { razorpay } from '#shared/psp/razorpay/adapter.ts';
import type { CannedResponse, ReceivedRequest } from '#test/contract/canned-server.ts';
import { inCi, specsThere } from '#test/contract/openapi-check.ts';
import { type Bench, describePsp, type Money, type PspDialect } from '#test/contract/psp.contract.ts';
import { describeRazorpayCaptures } from '#test/contract/razorpay-captures.support.ts';
import { factsCheck } from '#test/contract/razorpay-requests.support.ts';
import order from '#test/fixtures/razorpay/order-created.json' with { type: 'json' };
import inApp from '#test/fixtures/razorpay/payment-begun-for-app.json' with { type: 'json' };
import atBank from '#test/fixtures/razorpay/payment-begun-with-bank-page.json' with { type: 'json' };
import captured from '#test/fixtures/razorpay/payment-captured.json' with { type: 'json' };
import failed from '#test/fixtures/razorpay/payment-failed.json' with { type: 'json' };
import link from '#test/fixtures/razorpay/payment-link-created.json' with { type: 'json' };
import refund from '#test/fixtures/razorpay/refund-processed.json' with { type: 'json' };

type Credentials = Parameters<typeof razorpay.ping>[0]['credentials'];

const KEY_SECRET = 'CANARYKEYSECRET';
const CANARIES = [KEY_SECRET, 'CANARYWEBHOOK', 'token_CANARYTOKEN'];
const TOKEN = { token: 'token_CANARYTOKEN', customer_id: 'cust_1', contact: '+919876543210' };

const euro: Money = { amount: 1099, currency: 'EUR', sent: '1099' };
const body = (fields: object): CannedResponse => ({ body: fields });
const paid = ({ sent, currency }: Money) => ({ ...captured, amount: Number(sent), currency });
const begun = body({
  razorpay_payment_id: captured.id,
  razorpay_order_id: order.id,
  razorpay_signature: 'f'.repeat(64),
});
const created = { ...captured, status: 'created', captured: false };
const list = (...items: object[]): CannedResponse => body({ entity: 'collection', count: items.length, items });
const links = (...payment_links: object[]): CannedResponse => body({ payment_links });
const refused = (status: number, error: object): CannedResponse => ({
  status,
  body: {
    error: {
      code: 'BAD_REQUEST_ERROR',
      description: `Quotes ${CANARIES.join(' ')}`,
      source: 'business',
      step: 'payment_initiation',
      metadata: [],
      ...error,
    },
  },
});
const declinedBy = (reason: string): readonly CannedResponse[] => [
  body(order),
  refused(400, { reason, source: 'issuer_bank', metadata: { payment_id: failed.id, order_id: order.id } }),
  body({ ...failed, error_reason: reason, error_description: `Quotes ${CANARIES.join(' ')}` }),
];

type Sent = { readonly [name: string]: unknown };
const sentIn = (request: ReceivedRequest | undefined): Sent => (request?.body ? JSON.parse(request.body) : {});

const dialect: PspDialect<Credentials> = {
  adapter: razorpay,
  credentials: { key_id: 'rzp_test_1', key_secret: CANARIES[0], webhook_secret: CANARIES[1] },
  token: TOKEN,
  canaries: CANARIES,
  reference: captured.id,
  refundReference: refund.id,
  unsupported: ['cancel', 'account_name'],
  money: [
    euro,
    { amount: 100, currency: 'INR', sent: '100' },
    { amount: 500, currency: 'JPY', sent: '500' },
    { amount: 500, currency: 'ISK', sent: '500' },
    { amount: 1250, currency: 'MGA', sent: '1250' },
    { amount: 295_990, currency: 'KWD', sent: '295990' },
  ],
  unsupportedAmounts: [
    { amount: 99, currency: 'INR' },
    { amount: 295_991, currency: 'KWD' },
    { amount: 1000, currency: 'LYD' },
    { amount: 100, currency: 'XXX' },
    { amount: 0, currency: 'USD' },
  ],
  declines: [
    ['insufficient_fund', 'insufficient_funds', 'retry_same_later'],
    ['card_declined', 'card_declined', 'retry_other_psp'],
    ['payment_failed', 'card_declined', 'retry_other_psp'],
    ['gateway_technical_error', 'processing_error', 'retry_other_psp'],
    ['bank_technical_error', 'issuer_unavailable', 'retry_other_psp'],
    ['payment_timed_out', 'expired', 'fix_input'],
    ['incorrect_otp', 'incorrect_pin', 'fix_input'],
    ['incorrect_cvv', 'incorrect_cvc', 'fix_input'],
    ['card_number_invalid', 'invalid_number', 'fix_input'],
    ['card_expired', 'expired_card', 'new_method'],
    ['card_network_not_enabled', 'method_not_supported', 'retry_other_psp'],
    ['payment_cancelled', 'customer_canceled', 'new_method'],
    ['debit_instrument_blocked', 'restricted_card', 'never'],
    ['payment_risk_check_failed', 'fraud_suspected', 'never'],
    ['merchant_not_activated', 'invalid_configuration', 'config'],
    ['pin_attempts_exceeded', 'incorrect_pin', 'new_method'],
    ['payment_amount_tampered', 'fraud_suspected', 'never'],
    ['transaction_daily_limit_exceeded', 'limit_exceeded', 'retry_same_later'],
    ['otp_expired', 'incorrect_pin', 'fix_input'],
    ['invalid_amount', 'amount_not_supported', 'only_other_psp'],
    ['a_reason_of_the_future', 'card_declined', 'retry_same_later'],
  ],
  responses: {
    approved: (money) => [body(order), begun, body(paid(money))],
    fetched: (money) => [body(paid(money))],
    declined: declinedBy,
    redirected: [body(order), body(atBank)],
    hosted: [body(link)],
    pending: [body(order), begun, body(created)],
    refunded: ({ sent, currency }, state) => [
      list(),
      body({ ...refund, amount: Number(sent), currency, status: STATES[state] }),
    ],
    fetchedRefund: ({ sent, currency }, state) => [
      body({ ...refund, amount: Number(sent), currency, status: STATES[state] }),
    ],
    canceled: [body({ ...link, status: 'cancelled' })],
    cancelTooLate: [
      refused(400, {}),
      body({ ...link, status: 'paid', payments: [{ payment_id: captured.id }] }),
      body(captured),
    ],
    account: [list(captured)],
    badCredentials: refused(401, { description: 'The api key provided is invalid' }),
    notFound: refused(400, { reason: 'input_validation_failed', description: 'The id provided does not exist' }),
  },
  amountIn: (request) => (sentIn(request).amount === undefined ? undefined : String(sentIn(request).amount)),
  idempotencyFields: ({ method, path, headers, body }) => ({
    method,
    path,
    key: headers['x-refund-idempotency'],
    body,
  }),
  metadataIn: (request) => sentIn(request).notes,
  check: factsCheck,
};
const STATES = { succeeded: 'processed', pending: 'pending', failed: 'failed' } as const;

const paths = (requests: readonly ReceivedRequest[]) =>
  requests.map(
    ({ method, path, query }) =>
      `${method} ${path.replace(/\/(pay|order|plink)_\w+/, '/$1')}${query.size > 0 ? `?${[...query.keys()]}` : ''}`,
  );

const ownCases = ({ respond, requests, context, order: chargeOrder, errorOf }: Bench<Credentials>): void => {
  const { paymentId, attemptId, metadata } = chargeOrder;
  const onPage: ChargeOrder = { ...chargeOrder, paymentMethod: { type: 'card' } };
  const charge = { reference: captured.id, paymentId, attemptId, mayCapture: true };
  const page = { ...charge, reference: link.id };
  const later = () => ({ ...context(), now: () => new Date(Date.parse(chargeOrder.startedAt) + 125_000) });
  const refundOrder = {
    paymentId,
    refundId: 're_01jc0000000000000000000001',
    reference: captured.id,
    amount: 500,
    currency: 'EUR',
    metadata,
  };
  const authorized = { ...captured, status: 'authorized', captured: false };

  describe('the Razorpay adapter on a token that Razorpay made', () => {
    const kept = { ...captured, token_id: 'token_Made1', customer_id: 'cust_Made1' };

    it('tells it with the customer and how to reach them, and charges it off-session', async () => {
      respond(body(kept));
      const { saved } = await razorpay.fetch(charge, context());
      expect(saved).toEqual({
        token: 'token_Made1',
        customer_id: 'cust_Made1',
        contact: captured.contact,
        email: captured.email,
      });
      expect(razorpay.isReusableToken(saved ?? '', 'card')).toBe(true);
      respond(body(order), begun, body(captured));
      const later = { ...chargeOrder, offSession: true, paymentMethod: { type: 'card', token: saved ?? '' } };
      expect(await razorpay.create(later, context())).toMatchObject({ kind: 'succeeded' });
      expect(sentIn(requests()[2])).toMatchObject({ token: 'token_Made1', customer_id: 'cust_Made1', recurring: true });
    });

    it.each([
      ['is not paid', { ...kept, status: 'failed' }],
      ['names no customer', { ...kept, customer_id: null }],
    ])('tells none of a payment that %s', async (_, payment) => {
      respond(body(payment));
      expect(await razorpay.fetch(charge, context())).not.toHaveProperty('saved');
    });
  });

  describe('the Razorpay adapter on payments started by us', () => {
    it('makes an order for each payment, with the same notes', async () => {
      respond(...dialect.responses.approved(euro));
      await razorpay.create(chargeOrder, context());
      expect(paths(requests())).toEqual([
        'POST /v1/orders',
        'POST /v1/payments/create/json',
        'GET /v1/payments/pay?expand[]',
      ]);
      expect(sentIn(requests()[0])).toEqual({
        amount: 1099,
        currency: 'EUR',
        receipt: attemptId,
        unique_receipt: true,
        payment: { capture: 'automatic' },
        notes: metadata,
      });
      const payment = {
        order_id: order.id,
        method: 'card',
        token: TOKEN.token,
        customer_id: 'cust_1',
        contact: TOKEN.contact,
        email: 'kim@example.com',
        notes: metadata,
      };
      expect(sentIn(requests()[1])).toMatchObject({ ...payment, ip: '192.0.2.1', callback_url: chargeOrder.returnUrl });
      expect(requests()[0]!.headers.authorization).toBe(
        `Basic ${Buffer.from(`rzp_test_1:${KEY_SECRET}`).toString('base64')}`,
      );
    });

    it('leaves out an email address that is too long for a note', async () => {
      const { customer_email: _, ...keys } = metadata;
      respond('cut');
      await errorOf(
        razorpay.create(
          { ...chargeOrder, metadata: { ...keys, customer_email: `${'k'.repeat(245)}@example.com` } },
          context(),
        ),
      );
      expect(sentIn(requests()[0]).notes).toEqual(keys);
    });

    it('leaves late authorizations in India to us', async () => {
      respond('cut');
      await errorOf(razorpay.create({ ...chargeOrder, currency: 'INR' }, context()));
      expect(sentIn(requests()[0]).payment).toMatchObject({
        capture: 'automatic',
        capture_options: { automatic_expiry_period: 12, refund_speed: 'normal' },
      });
    });

    it.each<[string, string, object, object]>([
      ['opens the customer’s own app for UPI', 'upi', {}, { method: 'upi', upi: { flow: 'intent' } }],
      ['redirects to the named bank', 'netbanking', { bank: 'HDFC' }, { method: 'netbanking', bank: 'HDFC' }],
      ['redirects to a bank in small letters', 'netbanking', { bank: ' hdfc_c ' }, { bank: 'HDFC_C' }],
      ['redirects to the named wallet', 'wallet', { network: 'payzapp' }, { method: 'wallet', wallet: 'payzapp' }],
      ['redirects to a wallet by its name', 'wallet', { network: 'Amazon Pay' }, { wallet: 'amazonpay' }],
      ['redirects to a wallet in capitals', 'wallet', { network: 'AIRTEL' }, { wallet: 'airtelmoney' }],
      ['redirects to a wallet with another sign', 'wallet', { network: "Touch 'n Go" }, { wallet: 'touchngo' }],
    ])('%s', async (_, method, extra, sent) => {
      respond(body(order), body(inApp));
      await razorpay.create(
        { ...chargeOrder, method, paymentMethod: { type: method, phone: '+91 (98765) 43-210', ...extra } },
        context(),
      );
      expect(sentIn(requests()[1])).toMatchObject({ ...sent, contact: '+919876543210' });
    });

    it('names its wallets instead of one that it does not know, whose customer chooses on the page', async () => {
      const named = (network: string, method = 'wallet') =>
        razorpay.networksToChooseFrom?.({ method, currency: 'INR', country: 'IN', network });
      expect(named('moonpay')).toEqual(expect.arrayContaining(['airtelmoney', 'amazonpay', 'touchngo']));
      expect([named('PhonePe'), named('OLA MONEY'), named('jio'), named('any', 'upi')]).toEqual([
        undefined,
        undefined,
        undefined,
        undefined,
      ]);
      respond(body(link));
      const paymentMethod = { type: 'wallet', phone: '+919876543210', network: 'moonpay' };
      await razorpay.create({ ...chargeOrder, method: 'wallet', paymentMethod }, context());
      expect(paths(requests())).toEqual(['POST /v1/payment_links']);
    });

    it.each<[string, object, object]>([
      ['the app', inApp, { type: 'display', kind: 'upi_intent', url: expect.stringMatching(/^upi:/) }],
      ['the bank’s page before its code', atBank, { type: 'redirect', method: 'GET' }],
      ['the phone', { ...inApp, next: inApp.next.slice(1) }, { type: 'await' }],
      [
        'a code that was sent already',
        { ...atBank, next: [{ action: 'otp_submit', url: 'https://api.razorpay.com/otp' }] },
        { type: 'collect', field: 'otp' },
      ],
    ])('returns the next action %s', async (_, given, action) => {
      respond(body(order), body(given));
      expect(await razorpay.create(chargeOrder, context())).toMatchObject({
        kind: 'requires_action',
        reference: captured.id,
        action,
      });
    });

    it('requests the code of the bank where only that is possible', async () => {
      respond(
        body(order),
        body({ ...atBank, next: atBank.next.slice(1) }),
        body({ razorpay_payment_id: captured.id, next: [] }),
      );
      expect(await razorpay.create(chargeOrder, context())).toMatchObject({
        action: { type: 'collect', field: 'otp' },
      });
      expect(paths(requests()).at(-1)).toBe('POST /v1/payments/pay/otp_generate');
    });

    it.each<[string, ChargeOrder['paymentMethod'], string | null]>([
      ['no phone number is known', { type: 'card', token: 'token_1' }, 'kim@example.com'],
      ['no mail address is known', { type: 'card', token: 'token_1', phone: '+919876543210' }, null],
      ['no bank is named', { type: 'netbanking', phone: '+919876543210' }, 'kim@example.com'],
    ])('opens a page when %s', async (_, paymentMethod, customerEmail) => {
      respond(body(link));
      expect(
        await razorpay.create({ ...chargeOrder, method: paymentMethod.type, paymentMethod, customerEmail }, context()),
      ).toMatchObject({ reference: link.id });
      expect(paths(requests())).toEqual(['POST /v1/payment_links']);
    });

    describe('the Razorpay adapter off-session', () => {
      const saved = { token: 'token_1', customer_id: 'cust_1', contact: '+919876543210', email: 'kim@example.com' };
      const away = (
        token: ChargeOrder['paymentMethod']['token'] = saved,
        more: Partial<ChargeOrder> = {},
      ): ChargeOrder => ({
        ...chargeOrder,
        offSession: true,
        paymentMethod: { type: 'card', ...(token !== undefined && { token }) },
        ...more,
      });

      it('captures an off-session order whenever the bank approves, in India too', async () => {
        for (const currency of ['EUR', 'INR']) {
          respond('cut');
          await errorOf(razorpay.create(away(saved, { currency }), context()));
        }
        const common = {
          amount: 1099,
          receipt: attemptId,
          unique_receipt: true,
          payment_capture: true,
          notes: metadata,
        };
        expect(requests().map(sentIn)).toEqual([
          { ...common, currency: 'EUR' },
          { ...common, currency: 'INR' },
        ]);
      });

      it('sends the token, its customer and the contact, without a method or a return URL', async () => {
        respond(...dialect.responses.approved(euro));
        expect(await razorpay.create(away(), context())).toMatchObject({ kind: 'succeeded', reference: captured.id });
        expect(paths(requests())).toEqual([
          'POST /v1/orders',
          'POST /v1/payments/create/recurring',
          'GET /v1/payments/pay?expand[]',
        ]);
        expect(sentIn(requests()[1])).toEqual({
          amount: 1099,
          currency: 'EUR',
          order_id: order.id,
          ...saved,
          recurring: true,
          description: 'Order 1',
          notes: metadata,
        });
      });

      it.each<[string, ChargeOrder, object]>([
        [
          'what the payment knows of her',
          away(
            { token: 'token_1', customer_id: 'cust_1' },
            { paymentMethod: { type: 'upi', phone: '+91 98765 43210', token: { token: 't', customer_id: 'c' } } },
          ),
          { token: 't', customer_id: 'c', contact: '+919876543210', email: 'kim@example.com' },
        ],
        [
          'no more than is known',
          away({ token: 't', customer_id: 'c' }, { customerEmail: null }),
          { token: 't', customer_id: 'c' },
        ],
      ])('reports that %s', async (_, given, expected) => {
        respond(...dialect.responses.approved(euro));
        await razorpay.create(given, context());
        const { token, customer_id, contact, email } = sentIn(requests()[1]);
        expect({ token, customer_id, contact, email }).toEqual({ contact: undefined, email: undefined, ...expected });
      });

      it('keeps an off-session payment processing for days', async () => {
        respond(body(order), begun, body(created));
        expect(await razorpay.create(away(), context())).toEqual({ kind: 'waiting', reference: captured.id });
      });

      it.each<[string, ChargeOrder['paymentMethod']['token']]>([
        ['a token of nobody', 'token_1'],
        ['a token whose customer is not named', { token: 'token_1', contact: '+919876543210' }],
        ['no token', undefined],
      ])('does not charge %s off-session', async (_, token) => {
        const given = away(saved, { paymentMethod: { type: 'card', ...(token !== undefined && { token }) } });
        expect(await errorOf(razorpay.create(given, context()))).toMatchObject({ name: 'PspRefused', kind: 'request' });
        expect(requests()).toEqual([]);
      });

      it.each<[string, Parameters<typeof declineOf>]>([
        ['authentication_failed', ['authentication_required']],
        ['mandate_cancelled', ['authorization_revoked']],
        ['mandate_not_active', ['authorization_revoked']],
        ['mandate_expired', ['invalid_payment_method']],
        ['invalid_token', ['invalid_payment_method']],
        ['umn_does_not_exist_payer', ['invalid_payment_method']],
        ['card_expired', ['expired_card']],
        ['bank_account_invalid', ['invalid_account']],
        ['debit_instrument_blocked', ['restricted_card']],
        ['transaction_not_allowed', ['transaction_not_allowed']],
      ])(
        'declines an off-session payment for %s, that is %j, for good unless for authentication',
        async (reason, [code]) => {
          expect(FAILURES[code].category).toBe(code === 'authentication_required' ? 'soft_decline' : 'hard_decline');
          respond(...declinedBy(reason));
          const outcome = { kind: 'declined', reference: failed.id, decline: declineOf(code, reason) };
          expect(await razorpay.create(away(), context())).toEqual(outcome);
          respond(list({ ...order, receipt: attemptId }), list({ ...failed, error_reason: reason }));
          expect(await razorpay.find?.(away(), context())).toEqual(outcome);
        },
      );

      it.each<[string, string]>([
        ['mandate_paused', 'card_declined'],
        ['payment_mandate_not_active', 'try_again_later'],
        ['adequate_funds_not_available_blocked', 'insufficient_funds'],
        ['mandate_debit_beyond_psp_amount_cap', 'limit_exceeded'],
        ['psp_not_available', 'issuer_unavailable'],
      ])('declines an off-session payment for %s, that is %s, for now', async (reason, code) => {
        respond(...declinedBy(reason));
        const outcome = await razorpay.create(away(), context());
        expect(outcome).toMatchObject({ kind: 'declined', decline: { code, provider_code: reason } });
        expect(FAILURES[code as keyof typeof FAILURES].category).toBe('soft_decline');
      });

      it.each<[string, CannedResponse, Parameters<typeof declineOf>, Parameters<typeof declineOf>?]>([
        [
          'the token or its customer is not there any more',
          refused(400, { reason: 'input_validation_failed', description: 'The id provided does not exist' }),
          ['invalid_payment_method', 'input_validation_failed'],
        ],
        [
          'she has agreed to less',
          refused(400, { reason: 'input_validation_failed', description: 'Amount exceeds maximum amount allowed' }),
          ['limit_exceeded', 'input_validation_failed', 'new_method'],
          ['amount_not_supported', 'input_validation_failed'],
        ],
        [
          'the bank has not notified the customer yet',
          refused(400, { reason: 'pre_debit_notification_not_sent' }),
          ['try_again_later', 'pre_debit_notification_not_sent'],
        ],
      ])(
        'declines a payment before it is started when %s, also on-session',
        async (_, reply, decline, present = decline) => {
          respond(body(order), reply);
          expect(await razorpay.create(away(), context())).toEqual({
            kind: 'declined',
            reference: null,
            decline: declineOf(...decline),
          });
          respond(body(order), reply);
          expect(await razorpay.create(chargeOrder, context())).toEqual({
            kind: 'declined',
            reference: null,
            decline: declineOf(...present),
          });
        },
      );

      it('throws PspRefused when a field is wrong', async () => {
        respond(
          body(order),
          refused(400, { reason: 'input_validation_failed', description: 'The contact field is required.' }),
        );
        expect(await errorOf(razorpay.create(away(), context()))).toMatchObject({
          name: 'PspRefused',
          kind: 'request',
        });
      });

      it('keeps a failed authentication as it is on-session', async () => {
        respond(...declinedBy('authentication_failed'));
        expect(await razorpay.create(chargeOrder, context())).toMatchObject({
          decline: { code: 'authentication_failed' },
        });
      });

      it('redirects the customer to the bank when the same token is charged on-session', async () => {
        respond(body(order), body(atBank));
        expect(await razorpay.create(away(saved, { offSession: false }), context())).toMatchObject({
          kind: 'requires_action',
          action: { type: 'redirect', method: 'GET' },
        });
        expect(sentIn(requests()[1])).toMatchObject({
          method: 'card',
          token: 'token_1',
          customer_id: 'cust_1',
          callback_url: chargeOrder.returnUrl,
        });
      });
    });

    it.each<[string, ChargeOrder['paymentMethod']['token'], boolean]>([
      ['a token and whose it is', { token: 'token_1', customer_id: 'cust_1' }, true],
      [
        'a token with all that there is',
        { token: 'token_1', customer_id: 'cust_1', contact: '+919876543210', email: 'kim@example.com' },
        true,
      ],
      ['a word of the simulator', { token: 'ok', customer_id: 'cust_1' }, true],
      ['another', { token: 'decline_expired_card', customer_id: 'cust_1' }, true],
      ['a token of nobody', 'token_1', false],
      ['a word of the simulator, of nobody', 'ok', false],
      ['a token whose customer is not named', { token: 'token_1', contact: '+919876543210' }, false],
      ['a customer without a token', { customer_id: 'cust_1' }, false],
      ['nothing', '', false],
      ['an object of other fields', { token: 'token_1', customer_id: 'cust_1', cvv: '123' }, false],
    ])('says whether a payment of %s is reusable: %j is %s', (_, token, expected) => {
      for (const method of ['card', 'upi']) expect(razorpay.isReusableToken(token!, method)).toBe(expected);
    });

    it('rejects a token of another form without a call', async () => {
      expect(
        await errorOf(
          razorpay.create({ ...chargeOrder, paymentMethod: { type: 'card', token: { pan: '4242' } } }, context()),
        ),
      ).toMatchObject({
        kind: 'request',
      });
      expect(requests()).toEqual([]);
    });

    it.each<[string, CannedResponse]>([
      ['fails', { status: 500, body: {} }],
      ['brings nothing', 'cut'],
      ['is refused', refused(401, {})],
      ['comes too fast', { status: 429, body: {} }],
    ])('keeps the reference of a payment when its look-up %s', async (_, look) => {
      respond(body(order), begun, look);
      expect(await razorpay.create(chargeOrder, context())).toEqual({ kind: 'processing', reference: captured.id });
    });

    it.each<[string, CannedResponse, unknown]>([
      ['its response is cut', 'cut', PspOutcomeUnknown],
      ['its response has no payment', body({ ok: true }), PspOutcomeUnknown],
      ['the gateway fails', { status: 502, body: { error: { code: 'GATEWAY_ERROR' } } }, PspOutcomeUnknown],
      ['it still runs', refused(409, {}), PspOutcomeUnknown],
      ['calls come too fast', { status: 429, body: {} }, PspNotSent],
    ])('throws PspOutcomeUnknown when %s', async (_, reply, kind) => {
      respond(body(order), reply);
      expect(await errorOf(razorpay.create(chargeOrder, context()))).toBeInstanceOf(kind);
    });

    it('follows a payment that succeeded, whatever its refusal said', async () => {
      respond(...declinedBy('payment_timed_out').slice(0, 2), body(captured));
      expect(await razorpay.create(chargeOrder, context())).toMatchObject({
        kind: 'succeeded',
        reference: captured.id,
        amount: 1099,
      });
    });

    it('declines a charge without a reference when the method was refused before a payment was started', async () => {
      respond(body(order), refused(400, { reason: 'invalid_vpa', source: 'customer' }));
      expect(await razorpay.create(chargeOrder, context())).toEqual({
        kind: 'declined',
        reference: null,
        decline: declineOf('invalid_payment_method', 'invalid_vpa', 'fix_input'),
      });
    });

    it.each<[string, object, ...Parameters<typeof declineOf>]>([
      ['a token of the wrong form', { field: 'token' }, 'invalid_payment_method', 'input_validation_failed'],
      ['a method that it finds in no token', { field: 'method' }, 'invalid_payment_method', 'input_validation_failed'],
      ['a bank that the account has not', { reason: 'bank_not_enabled' }, 'method_not_supported', 'bank_not_enabled'],
    ])('declines a charge for %s, without blaming the account', async (_, fault, ...decline) => {
      respond(body(order), refused(400, { reason: 'input_validation_failed', ...fault }));
      expect(await razorpay.create(chargeOrder, context())).toEqual({
        kind: 'declined',
        reference: null,
        decline: declineOf(...decline),
      });
    });

    it.each<[string, object, ...Parameters<typeof declineOf>]>([
      [
        'too small',
        { reason: 'amount_less_than_minimum_amount' },
        'amount_not_supported',
        'amount_less_than_minimum_amount',
      ],
      [
        'too small, in words',
        { description: 'Order amount less than minimum amount allowed' },
        'amount_not_supported',
        'input_validation_failed',
      ],
      ['not as it wants it', { field: 'amount' }, 'amount_not_supported', 'input_validation_failed'],
      [
        'in a currency the account has not',
        { description: 'Currency is not supported' },
        'currency_not_supported',
        'input_validation_failed',
      ],
    ])('declines a charge whose order or page is refused for an amount %s', async (_, fault, ...decline) => {
      for (const given of [chargeOrder, { ...chargeOrder, paymentMethod: { type: 'card' } }]) {
        respond(
          refused(400, { reason: 'input_validation_failed', ...fault }),
          given === chargeOrder ? list() : { body: { payment_links: [] } },
        );
        expect(await razorpay.create(given, context())).toEqual({
          kind: 'declined',
          reference: null,
          decline: declineOf(...decline),
        });
      }
    });

    it('throws our own message for a request refused for a field of ours', async () => {
      respond(body(order), refused(400, { reason: 'input_validation_failed', field: 'contact' }));
      const error = await errorOf(razorpay.create(chargeOrder, context()));
      expect(error).toMatchObject({ name: 'PspRefused', kind: 'request', provider_code: 'input_validation_failed' });
      expect(String(error)).not.toContain('Quotes');
    });

    it('returns the payment of an order that is paid', async () => {
      respond(body(order), refused(400, { reason: 'order_already_paid' }), list(captured));
      expect(await razorpay.create(chargeOrder, context())).toMatchObject({
        kind: 'succeeded',
        reference: captured.id,
      });
      respond(body(order), refused(400, { reason: 'order_already_paid' }), list());
      expect(await errorOf(razorpay.create(chargeOrder, context()))).toBeInstanceOf(PspOutcomeUnknown);
    });

    it('returns the payment of a paid order, whichever payment the refusal names', async () => {
      respond(
        body(order),
        refused(400, { reason: 'order_already_paid', metadata: { payment_id: failed.id, order_id: order.id } }),
        list(failed, captured),
      );
      expect(await razorpay.create(chargeOrder, context())).toMatchObject({
        kind: 'succeeded',
        reference: captured.id,
      });
    });

    it.each(['payment_pending', 'deemed_transaction', 'capture_failed', 'duplicate_request', 'verification_failed'])(
      'keeps a payment processing that failed with %s, as the bank may still approve it',
      async (reason) => {
        respond(...declinedBy(reason));
        expect(await razorpay.create(chargeOrder, context())).toEqual({ kind: 'processing', reference: failed.id });
        respond(body({ ...captured, status: 'authorized', captured: false }), body(captured));
        expect(await razorpay.fetch(charge, context())).toMatchObject({ kind: 'succeeded' });
      },
    );

    it('looks up the order of an undecided refusal that names no payment, and is unknown while there is none', async () => {
      respond(body(order), refused(400, { reason: 'duplicate_request' }), list(created));
      expect(await razorpay.create(chargeOrder, context())).toEqual({ kind: 'waiting', reference: captured.id });
      respond(body(order), refused(400, { reason: 'duplicate_request' }), list());
      expect(await errorOf(razorpay.create(chargeOrder, context()))).toBeInstanceOf(PspOutcomeUnknown);
    });

    it('does not start a second payment when a charge is repeated', async () => {
      respond(list(order), list(created));
      expect(await razorpay.create(chargeOrder, later())).toEqual({ kind: 'waiting', reference: captured.id });
      expect(paths(requests())).toEqual(['GET /v1/orders?receipt,count', 'GET /v1/orders/order/payments']);
    });

    it('uses the order that an earlier send left without a payment', async () => {
      respond(list({ ...order, receipt: 'another' }, order), list(), begun, body(captured));
      expect(await razorpay.create(chargeOrder, later())).toMatchObject({ kind: 'succeeded' });
      expect(paths(requests())[2]).toBe('POST /v1/payments/create/json');
      expect(sentIn(requests()[2]).order_id).toBe(order.id);
    });

    it.each([{ attempts: 1 }, { status: 'attempted' }, { status: 'paid' }])(
      'searches for a payment before starting one when the order has %j',
      async (fields) => {
        respond(body({ ...order, ...fields }), list(failed, captured));
        expect(await razorpay.create(chargeOrder, context())).toMatchObject({ kind: 'succeeded' });
        expect(requests()).toHaveLength(2);
      },
    );

    it('throws PspOutcomeUnknown while the order of an earlier send cannot be looked up', async () => {
      for (const trouble of [{ status: 429, body: {} }, refused(401, {}), refused(400, {})]) {
        respond(body({ ...order, attempts: 1 }), trouble);
        expect(await errorOf(razorpay.create(chargeOrder, context()))).toBeInstanceOf(PspOutcomeUnknown);
      }
    });

    it('finds the order whose receipt is taken, and throws when that look-up fails', async () => {
      const taken = refused(400, { reason: 'input_validation_failed', description: 'Order receipt should be unique.' });
      respond(taken, list(order), begun, body(captured));
      expect(await razorpay.create(chargeOrder, context())).toMatchObject({ kind: 'succeeded' });
      respond(taken, { status: 429, body: {} });
      expect(await errorOf(razorpay.create(chargeOrder, context()))).toBeInstanceOf(PspOutcomeUnknown);
      respond(taken, list());
      expect(await errorOf(razorpay.create(chargeOrder, context()))).toMatchObject({
        name: 'PspRefused',
        kind: 'request',
      });
    });
  });

  describe('the Razorpay adapter on authorized payments', () => {
    it('captures the whole amount while that is allowed', async () => {
      respond(body(authorized), body(captured));
      expect(await razorpay.fetch(charge, context())).toMatchObject({ kind: 'succeeded', amount: 1099 });
      expect(paths(requests())[1]).toBe('POST /v1/payments/pay/capture');
      expect(sentIn(requests()[1])).toEqual({ amount: 1099, currency: 'EUR' });
    });

    it('does not capture a payment when that is not allowed', async () => {
      respond(body(authorized));
      expect(await razorpay.fetch({ ...charge, mayCapture: false }, context())).toEqual({
        kind: 'processing',
        reference: captured.id,
      });
      respond(list(order), list(authorized));
      expect(await razorpay.find?.(chargeOrder, context())).toEqual({ kind: 'processing', reference: captured.id });
      expect(requests().map(({ method }) => method)).not.toContain('POST');
    });

    it('returns the success of a payment that another call has captured', async () => {
      respond(body(authorized), refused(400, {}), body(captured));
      expect(await razorpay.fetch(charge, context())).toMatchObject({ kind: 'succeeded' });
    });

    it.each<[string, CannedResponse]>([
      ['fails', { status: 500, body: {} }],
      ['brings nothing', 'cut'],
      ['returns nonsense', body({ hello: 'world' })],
    ])('keeps a payment processing when its capture %s', async (_, capture) => {
      respond(body(authorized), capture);
      expect(await razorpay.fetch(charge, context())).toEqual({ kind: 'processing', reference: captured.id });
    });
  });

  describe('the Razorpay adapter on payments', () => {
    it.each<[string, object, object]>([
      [
        'that was given back had succeeded',
        { status: 'refunded', captured: true },
        { kind: 'succeeded', amount: 1099 },
      ],
      ['that nobody captured took nothing', { status: 'refunded', captured: false }, { kind: 'canceled' }],
      [
        'stays undecided when it does not say whether it was captured',
        { status: 'refunded', captured: null },
        { kind: 'processing' },
      ],
      ['that the customer has not finished is waited for', { status: 'created' }, { kind: 'waiting' }],
      ['in a state of the future is processing', { status: 'pending_review' }, { kind: 'processing' }],
      [
        'that failed for an unknown reason of the gateway stays',
        { status: 'failed', error_reason: 'x_y', error_source: 'gateway' },
        { decline: { code: 'card_declined', retry: 'retry_same_later' } },
      ],
      [
        'that failed while the bank may still approve it is processing',
        { status: 'failed', error_reason: 'payment_pending', error_source: 'gateway' },
        { kind: 'processing' },
      ],
      [
        'whose customer bears the fee is for what is left',
        { amount: 40_333, fee: 10_283, fee_bearer: 'customer' },
        { kind: 'succeeded', amount: 30_050 },
      ],
    ])('%s', async (_, fields, expected) => {
      respond(body({ ...captured, ...fields }));
      expect(await razorpay.fetch(charge, context())).toMatchObject({ reference: captured.id, ...expected });
    });

    it('reads the order of a payment whose fee is shared, and counts the fee while it cannot', async () => {
      const shared = { ...captured, amount: 1110, fee: 22, fee_bearer: 'dynamic' };
      respond(body(shared), body({ ...order, amount: 1099, currency: 'EUR', status: 'paid' }));
      expect(await razorpay.fetch(charge, context())).toMatchObject({ kind: 'succeeded', amount: 1099 });
      expect(paths(requests())[1]).toBe('GET /v1/orders/order');
      respond(body(shared), { status: 500, body: {} });
      expect(await razorpay.fetch(charge, context())).toMatchObject({ kind: 'succeeded', amount: 1110 });
    });

    it('leaves a payment unknown in a currency whose unit is not certain', async () => {
      respond(body({ ...captured, currency: 'LYD' }));
      expect(await errorOf(razorpay.fetch(charge, context()))).toBeInstanceOf(PspOutcomeUnknown);
    });

    it.each<[string, readonly object[], object | undefined]>([
      ['money first', [failed, authorized, { ...captured, created_at: 1 }, created], { kind: 'succeeded' }],
      ['then what may still move', [failed, { ...created, created_at: 1 }], { kind: 'waiting' }],
      [
        'also a failure that the bank may still approve',
        [failed, { ...failed, error_reason: 'deemed_transaction', created_at: 1 }],
        { kind: 'processing' },
      ],
      ['then the failure', [failed], { kind: 'declined' }],
      ['and nothing where there is none', [], undefined],
    ])('finds a payment by its order: %s', async (_, payments, expected) => {
      respond(list(order), list(...payments));
      const found = await razorpay.find?.(chargeOrder, context());
      if (expected) expect(found).toMatchObject(expected);
      else expect(found).toBeUndefined();
    });

    it('submits the code of the bank, and returns the outcome of the payment', async () => {
      const confirm = (otp: unknown) =>
        razorpay.confirm({ reference: captured.id, order: chargeOrder, input: { otp } }, context());
      respond(begun, body(captured));
      expect(await confirm('123456')).toMatchObject({ kind: 'succeeded' });
      expect(sentIn(requests()[0])).toEqual({ otp: '123456' });
      respond(refused(400, { reason: 'incorrect_otp' }), body(created));
      expect(await confirm(1234)).toMatchObject({ kind: 'requires_action', action: { type: 'collect', field: 'otp' } });
      respond(
        refused(400, { reason: 'otp_attempts_exceeded' }),
        body({ ...failed, error_reason: 'otp_attempts_exceeded' }),
      );
      expect(await confirm('1')).toMatchObject({ kind: 'declined', decline: { code: 'authentication_failed' } });
      respond(begun, { status: 429, body: {} });
      expect(await errorOf(confirm('123456'))).toBeInstanceOf(PspOutcomeUnknown);
      expect(await errorOf(confirm('drop table'))).toMatchObject({ name: 'PspRefused', kind: 'request' });
    });
  });

  describe('the Razorpay adapter on payment links', () => {
    it('sends our metadata, and limits a link to the method and one day', async () => {
      respond(body(link));
      expect(await razorpay.create(onPage, context())).toMatchObject({
        reference: link.id,
        expires_at: '2026-01-02T00:00:00.000Z',
      });
      expect(sentIn(requests()[0])).toMatchObject({
        amount: 1099,
        accept_partial: false,
        reference_id: attemptId,
        notes: metadata,
        callback_url: chargeOrder.returnUrl,
        callback_method: 'get',
        expire_by: 1_767_312_000,
        options: { checkout: { method: { card: true, upi: false, netbanking: false, wallet: false } } },
      });
    });

    it.each<[string, object, readonly CannedResponse[], object]>([
      ['waits for the customer', {}, [], { kind: 'requires_action', reference: link.id }],
      [
        'keeps waiting after a failed try',
        { order_id: order.id },
        [list(failed)],
        { kind: 'requires_action', reference: link.id },
      ],
      [
        'keeps waiting while a try is running',
        { order_id: order.id },
        [list(created)],
        { kind: 'requires_action', reference: link.id },
      ],
      [
        'is its payment once it is paid',
        { status: 'paid', payments: [{ payment_id: captured.id }] },
        [body(captured)],
        { kind: 'succeeded', reference: captured.id, amount: 1099 },
      ],
      [
        'is found paid by its order',
        { status: 'paid', order_id: order.id },
        [list(failed, captured)],
        { kind: 'succeeded', reference: captured.id },
      ],
      [
        'has what the customer authorized captured',
        { order_id: order.id },
        [list(authorized), body(captured)],
        { kind: 'succeeded', reference: captured.id },
      ],
      [
        'took money although it was ended',
        { status: 'cancelled', order_id: order.id },
        [list(captured)],
        { kind: 'succeeded' },
      ],
      ['is paid by nobody knows what', { status: 'paid' }, [], { kind: 'processing', reference: link.id }],
      [
        'has expired',
        { status: 'expired' },
        [],
        { kind: 'declined', reference: link.id, decline: { code: 'expired' } },
      ],
      [
        'has expired while the bank may still approve a try',
        { status: 'expired', order_id: order.id },
        [list({ ...failed, error_reason: 'payment_pending' })],
        { kind: 'processing', reference: failed.id },
      ],
      ['was canceled', { status: 'cancelled' }, [], { kind: 'canceled', reference: link.id }],
      ['is partly paid, which we never ask for', { status: 'partially_paid' }, [], { kind: 'processing' }],
      ['is in a state of the future', { status: 'paused' }, [], { kind: 'processing' }],
    ])('%s', async (_, fields, more, expected) => {
      respond(body({ ...link, ...fields }), ...more);
      expect(await razorpay.fetch(page, context())).toMatchObject(expected);
    });

    it('finds a link by its reference, also before a repeat', async () => {
      respond(links({ ...link, reference_id: 'another' }, link));
      expect(await razorpay.find?.(onPage, context())).toMatchObject({ kind: 'requires_action', reference: link.id });
      expect(await razorpay.create(onPage, later())).toMatchObject({ kind: 'requires_action', reference: link.id });
      expect(paths(requests())).toEqual(['GET /v1/payment_links?reference_id', 'GET /v1/payment_links?reference_id']);
      respond(links());
      expect(await razorpay.find?.(onPage, context())).toBeUndefined();
    });

    it('returns the link that has taken the reference', async () => {
      const taken = refused(400, { description: 'payment link with given reference_id already exists' });
      respond(taken, links(link));
      expect(await razorpay.create(onPage, context())).toMatchObject({ kind: 'requires_action', reference: link.id });
      respond(taken, links());
      expect(await errorOf(razorpay.create(onPage, context()))).toMatchObject({ name: 'PspRefused', kind: 'request' });
    });

    it('cancels a link', async () => {
      respond(...dialect.responses.canceled);
      expect(await razorpay.cancel(page, context())).toEqual({ kind: 'canceled', reference: link.id });
      expect(paths(requests())).toEqual(['POST /v1/payment_links/plink/cancel']);
    });

    it.each<[string, readonly CannedResponse[], object]>([
      [
        'was paid a moment before',
        dialect.responses.cancelTooLate.slice(1),
        { kind: 'succeeded', reference: captured.id },
      ],
      ['has expired meanwhile', [body({ ...link, status: 'expired' })], { kind: 'canceled', reference: link.id }],
      [
        'is being paid, and then not captured',
        [body({ ...link, order_id: order.id }), list(authorized)],
        { kind: 'processing', reference: captured.id },
      ],
    ])('returns the outcome of a link on cancel when it %s', async (_, then, expected) => {
      respond(refused(400, {}), ...then);
      expect(await razorpay.cancel(page, context())).toMatchObject(expected);
      expect(requests().filter(({ method }) => method === 'POST')).toHaveLength(1);
    });

    it.each<[string, CannedResponse, object]>([
      ['does not exist', dialect.responses.notFound, { kind: 'not_found' }],
      ['is another account’s', dialect.responses.badCredentials, { kind: 'credentials' }],
    ])('throws PspRefused for the cancel of a link when it %s', async (_, reply, expected) => {
      respond(reply);
      expect(await errorOf(razorpay.cancel(page, context()))).toMatchObject({ name: 'PspRefused', ...expected });
    });

    const back = {
      razorpay_payment_link_id: link.id,
      razorpay_payment_link_reference_id: attemptId,
      razorpay_payment_link_status: 'paid',
      razorpay_payment_id: captured.id,
    };
    const signed = (fields: Record<string, string>) => ({
      ...fields,
      razorpay_signature: hmacHex('sha256', KEY_SECRET, Object.values(fields).join('|')),
    });
    it.each<[string, Record<string, string>, string]>([
      ['is followed to the payment that was brought back, signed', signed(back), '/v1/payments/'],
      [
        'is only looked at when that is not signed',
        { ...back, razorpay_signature: 'f'.repeat(64) },
        '/v1/payment_links/',
      ],
      [
        'is only looked at when that is of another charge',
        signed({ ...back, razorpay_payment_link_reference_id: 'att_2' }),
        '/v1/payment_links/',
      ],
      [
        'is only looked at when that is not paid',
        signed({ ...back, razorpay_payment_link_status: 'created' }),
        '/v1/payment_links/',
      ],
    ])('%s', async (_, parameters, path) => {
      respond(body(path === '/v1/payments/' ? captured : link));
      const input = razorpay.readReturn?.({ ...parameters, other: 'x' });
      expect(input).toEqual(parameters);
      await razorpay.confirm({ reference: link.id, order: onPage, input: input ?? {} }, context());
      expect(requests()[0]!.path.startsWith(path)).toBe(true);
    });

    it('only looks up a link when the customer returns without a signature', () => {
      expect(razorpay.readReturn?.({ razorpay_payment_id: captured.id })).toBeUndefined();
      expect(razorpay.readReturn?.({ 'error[code]': 'BAD_REQUEST_ERROR' })).toBeUndefined();
    });
  });

  describe('the Razorpay adapter on refunds', () => {
    it('sends a refund under its own key, with the amount', async () => {
      respond(list(), body(refund));
      await razorpay.refund(refundOrder, context());
      expect(paths(requests())).toEqual(['GET /v1/payments/pay/refunds?count,skip', 'POST /v1/payments/pay/refund']);
      expect(sentIn(requests()[1])).toEqual({
        amount: 500,
        speed: 'normal',
        receipt: refundOrder.refundId,
        notes: metadata,
      });
      expect(requests()[1]!.headers['x-refund-idempotency']).toBe(refundOrder.refundId);
    });

    it('does not repeat a refund that is listed', async () => {
      respond(list({ ...refund, receipt: null, id: 'rfnd_2' }, { ...refund, status: 'pending' }));
      expect(await razorpay.refund(refundOrder, context())).toEqual({ kind: 'accepted', reference: refund.id });
      expect(requests()).toHaveLength(1);
    });

    it('searches a refund on every page', async () => {
      const others = Array.from({ length: 100 }, (_, n) => ({ ...refund, id: `rfnd_${n}`, receipt: `${n}` }));
      respond(list(...others), list(refund));
      expect(await razorpay.refund(refundOrder, context())).toEqual({ kind: 'succeeded', reference: refund.id });
      expect(requests().map(({ query }) => query.get('skip'))).toEqual(['0', '100']);
    });

    it('fails a refused refund, unless it is listed all the same', async () => {
      respond(list(), refused(400, { reason: 'NA' }), list());
      expect(await razorpay.refund(refundOrder, context())).toEqual({
        kind: 'failed',
        reference: null,
        decline: { code: 'refund_declined', provider_code: 'BAD_REQUEST_ERROR' },
      });
      respond(list(), refused(400, {}), list(refund));
      expect(await razorpay.refund(refundOrder, context())).toMatchObject({ kind: 'succeeded', reference: refund.id });
      respond(list(), refused(400, {}), { status: 429, body: {} });
      expect(await errorOf(razorpay.refund(refundOrder, context()))).toBeInstanceOf(PspOutcomeUnknown);
      respond(list(), refused(409, {}));
      expect(await errorOf(razorpay.refund(refundOrder, context()))).toBeInstanceOf(PspOutcomeUnknown);
    });

    it.each([
      ['Your account does not have enough balance to carry out the refund operation.', 'insufficient_balance'],
      ['The payment has been fully refunded already', 'already_refunded'],
      ['The refund amount provided is greater than the refund amount left', 'already_refunded'],
      ['Refund is not supported by the bank because the payment is more than 6 months old', 'expired'],
      ['The amount must be at least INR 1.00', 'amount_not_supported'],
      ['Something new', 'refund_declined'],
    ])('maps the refusal "%s" of a refund to our code', async (description, code) => {
      respond(list(), refused(400, { reason: 'NA', description }), list());
      expect(await razorpay.refund(refundOrder, context())).toMatchObject({ kind: 'failed', decline: { code } });
    });

    it('does not fail a refund when the list is refused', async () => {
      respond(refused(400, { reason: 'input_validation_failed' }));
      expect(await errorOf(razorpay.refund(refundOrder, context()))).toBeInstanceOf(PspOutcomeUnknown);
    });

    it('keeps a refund of an unknown status pending', async () => {
      respond(body({ ...refund, status: 'queued' }));
      expect(
        await razorpay.fetchRefund({ reference: refund.id, paymentId, charge: captured.id }, context()),
      ).toMatchObject({ kind: 'accepted' });
    });

    it('refunds a link through its payment', async () => {
      respond(
        body({ ...link, status: 'paid', payments: [{ payment_id: captured.id }] }),
        body(captured),
        list(),
        body(refund),
      );
      expect(await razorpay.refund({ ...refundOrder, reference: link.id }, context())).toMatchObject({
        kind: 'succeeded',
      });
      respond(body(link));
      expect(await errorOf(razorpay.refund({ ...refundOrder, reference: link.id }, context()))).toMatchObject({
        name: 'PspRefused',
        kind: 'state',
      });
    });
  });

  it.runIf(specsThere || inCi)('reports a field that the API facts do not name (needs ../shared/psp-specs)', () => {
    const request = {
      method: 'POST',
      path: '/v1/orders',
      query: new URLSearchParams(),
      headers: {},
      body: '{"amount":"1","colour":"red"}',
    };
    expect(dialect.check()(request).join()).toMatch(
      /lacks currency.*unknown colour.*amount has another type.*not signed in.*no JSON/,
    );
  });
};

describe('razorpay', () =>
  describePsp(dialect, (bench) => {
    ownCases(bench);
    describeRazorpayCaptures(bench);
  }));
