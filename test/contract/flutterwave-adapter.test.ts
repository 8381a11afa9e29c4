import { describe, expect, it } from 'vitest';
import { declineOf, failureOf } from '#shared/domain/payments/declines.catalog.ts';
import { type ChargeOrder, PspNotSent, PspOutcomeUnknown } from '#shared/ports/psp.port.ts';
import { flutterwave } from '#shared/psp/flutterwave/adapter.ts';
import type { CannedResponse, ReceivedRequest } from '#test/contract/canned-server.ts';
import { flutterwaveCheck } from '#test/contract/flutterwave-requests.support.ts';
import { inCi, specsThere } from '#test/contract/openapi-check.ts';
import { AN_ORDER, type Bench, describePsp, type Money, type PspDialect } from '#test/contract/psp.contract.ts';
import onPhone from '#test/fixtures/flutterwave/charge-awaits-phone.json' with { type: 'json' };
import secured from '#test/fixtures/flutterwave/charge-by-token-secured.json' with { type: 'json' };
import hosted from '#test/fixtures/flutterwave/hosted-link.json' with { type: 'json' };
import nameless from '#test/fixtures/flutterwave/mobile-money-without-data.json' with { type: 'json' };
import refunded from '#test/fixtures/flutterwave/refund-initiated.json' with { type: 'json' };
import missing from '#test/fixtures/flutterwave/transaction-missing.json' with { type: 'json' };
import verified from '#test/fixtures/flutterwave/transaction-verified.json' with { type: 'json' };
import unauthorized from '#test/fixtures/flutterwave/unauthorized.json' with { type: 'json' };

type Credentials = Parameters<typeof flutterwave.ping>[0]['credentials'];

const CANARIES = ['FLWSECK_TEST-CANARYSECRETKEY', 'CANARYWEBHOOKHASH', 'flw-t1nf-CANARYTOKEN'];
const ID = String(verified.data.id);
const euro: Money = { amount: 1099, currency: 'EUR', sent: '10.99' };

const ok = (data: unknown, meta?: unknown): CannedResponse => ({
  body: { status: 'success', message: 'Charge initiated', data, ...(meta !== undefined && { meta }) },
});
const transaction = (fields: object) => ({ ...verified.data, ...fields });
const paid = ({ sent, currency }: Money) =>
  transaction({ amount: Number(sent), charged_amount: Number(sent), currency });
const pending = transaction({
  status: 'pending',
  processor_response: `Quotes ${CANARIES.join(' ')}`,
  amount: 10.99,
  charged_amount: 10.99,
  currency: 'EUR',
});
const failed = (reason: string) => transaction({ status: 'failed', processor_response: reason });
const refused = (status: number, message = `Quotes ${CANARIES.join(' ')}`, data: unknown = null): CannedResponse => ({
  status,
  body: { status: 'error', message, data },
});
const absent: CannedResponse = { status: 404, body: missing };
const refund = (fields: object = {}) => ({ ...refunded.data, ...fields });
const list = (...items: object[]): CannedResponse =>
  ok(items, { page_info: { total: items.length, current_page: 1, total_pages: 1 } });
const STATES = { succeeded: 'completed', pending: 'pending', failed: 'failed' } as const;

type Sent = { readonly [name: string]: unknown };
const sentIn = (request: ReceivedRequest | undefined): Sent => (request?.body ? JSON.parse(request.body) : {});

const dialect: PspDialect<Credentials> = {
  adapter: flutterwave,
  credentials: { secret_key: CANARIES[0], webhook_secret: CANARIES[1] },
  token: CANARIES[2],
  reusableTokens: ['flw-t1nf-CANARYTOKEN', { token: 'flw-t1nf-CANARYTOKEN', email: 'first@example.com' }, 'ok'],
  canaries: CANARIES,
  reference: ID,
  refundReference: String(refunded.data.id),
  unsupported: ['cancel', 'account_name'],
  confirmInput: { otp: '12345' },
  sentMetadata: { refund: { comments: 're_01jc0000000000000000000001' } },
  money: [
    euro,
    { amount: 500, currency: 'JPY', sent: '500' },
    { amount: 1, currency: 'NGN', sent: '0.01' },
    { amount: 1900, currency: 'GHS', sent: '19' },
    { amount: 1500, currency: 'UGX', sent: '1500' },
    { amount: 5120, currency: 'KWD', sent: '5.12' },
    { amount: 99_999_999_999, currency: 'NGN', sent: '999999999.99' },
    { amount: 114_9, currency: 'USD', sent: '11.49' },
  ],
  unsupportedAmounts: [
    { amount: 5124, currency: 'KWD' },
    { amount: 100, currency: 'XXX' },
    { amount: 0, currency: 'NGN' },
  ],
  declines: [
    ['insufficient_funds', 'insufficient_funds', 'retry_same_later'],
    ['do_not_honor', 'do_not_honor', 'retry_other_psp'],
    ['incorrect_pin', 'incorrect_pin', 'fix_input'],
    ['expired_card', 'expired_card', 'new_method'],
    ['lost_card', 'lost_card', 'never'],
    ['suspected_fraud', 'fraud_suspected', 'never'],
    ['system_error', 'processing_error', 'retry_other_psp'],
    ['a_reason_of_the_future', 'card_declined', 'retry_same_later'],
  ],
  responses: {
    approved: (money) => [ok(paid(money))],
    declined: (reason) => [ok(failed(reason))],
    redirected: [ok(pending, { authorization: { mode: 'redirect', redirect: 'https://auth.flutterwave.com/1' } })],
    hosted: [{ body: hosted }],
    pending: [ok(pending)],
    refunded: ({ sent }, state) => [list(), ok(refund({ amount_refunded: Number(sent), status: STATES[state] }))],
    fetchedRefund: ({ sent, currency }, state) => [
      ok(refund({ amount_refunded: Number(sent), status: STATES[state] })),
      ok(transaction({ currency })),
    ],
    canceled: [],
    cancelTooLate: [],
    account: [ok([{ currency: 'NGN', available_balance: 12345, ledger_balance: 12345 }])],
    badCredentials: { status: 401, body: unauthorized },
    notFound: absent,
  },
  amountIn: (request) => (sentIn(request).amount === undefined ? undefined : JSON.stringify(sentIn(request).amount)),
  idempotencyFields: ({ method, path, query, body }) => ({ method, path, query: query.toString(), body }),
  metadataIn: (request) => sentIn(request).meta ?? { comments: sentIn(request).comments },
  fiveEurosSent: '5',
  check: () => flutterwaveCheck(CANARIES[0]),
};

const ownCases = ({ respond, requests, context, order, errorOf }: Bench<Credentials>): void => {
  const { paymentId, attemptId, metadata } = order;
  const charge = { reference: ID, paymentId, attemptId, mayCapture: true };
  const paths = () => requests().map(({ method, path }) => `${method} ${path}`);
  const VERIFY = `GET /v3/transactions/${ID}/verify`;
  const BY_REF = 'GET /v3/transactions/verify_by_reference';
  const byPhone = (fields: Partial<ChargeOrder>, method: object = {}): ChargeOrder => ({
    ...AN_ORDER,
    method: 'mobile_money',
    paymentMethod: { type: 'mobile_money', phone: '+254 700 000-000', ...method },
    ...fields,
  });

  describe('the Flutterwave adapter on token charges', () => {
    it('sends the attempt, the customer and the return URL', async () => {
      respond(ok(paid(euro)));
      await flutterwave.create({ ...order, country: 'NG' }, context());
      expect(sentIn(requests()[0])).toEqual({
        token: CANARIES[2],
        amount: 10.99,
        currency: 'EUR',
        country: 'NG',
        email: 'kim@example.com',
        tx_ref: attemptId,
        ip: '192.0.2.1',
        narration: 'Order 1',
        redirect_url: order.returnUrl,
        meta: metadata,
      });
    });

    it('accepts the email address that a token was made for', async () => {
      respond(ok(paid(euro)));
      await flutterwave.create(
        { ...order, paymentMethod: { type: 'card', token: { token: 'flw-1', email: 'old@example.com' } } },
        context(),
      );
      expect(sentIn(requests()[0])).toMatchObject({ token: 'flw-1', email: 'old@example.com' });
    });

    it('accepts the card that a look-up shows, and sends its token alone', async () => {
      respond(ok(paid(euro)));
      const { card } = verified.data;
      await flutterwave.create({ ...order, paymentMethod: { type: 'card', token: card } }, context());
      expect(sentIn(requests()[0])).toMatchObject({ token: card.token, email: 'kim@example.com' });
      expect(requests()[0]!.body).not.toContain(card.last_4digits);
    });

    it.each<[string, Partial<ChargeOrder>]>([
      ['a token of another form', { paymentMethod: { type: 'card', token: { pan: '4242' } } }],
      ['no mail address', { customerEmail: null }],
    ])('rejects a charge with %s without a call', async (_, fields) => {
      expect(await errorOf(flutterwave.create({ ...order, ...fields }, context()))).toMatchObject({
        name: 'PspRefused',
        kind: 'request',
      });
      expect(requests()).toEqual([]);
    });

    it('declines a failed charge, also when the error contains the transaction', async () => {
      respond(refused(400, 'Insufficient Funds', failed('Insufficient Funds')));
      expect(await flutterwave.create(order, context())).toMatchObject({
        kind: 'declined',
        reference: ID,
        decline: declineOf('insufficient_funds', 'insufficient_funds'),
      });
      expect(requests()).toHaveLength(1);
    });

    it.each<[string, CannedResponse, object]>([
      ['has succeeded all the same', ok(paid(euro)), { kind: 'succeeded', reference: ID, amount: 1099 }],
      ['is under way all the same', ok(pending), { kind: 'processing', reference: ID }],
      ['has failed', ok(failed('Do not honour')), { kind: 'declined', decline: { code: 'do_not_honor' } }],
    ])('looks up a refused charge that %s', async (_, seen, outcome) => {
      respond(refused(400, 'Timed out'), seen);
      expect(await flutterwave.create(order, context())).toMatchObject(outcome);
      expect(paths()).toEqual(['POST /v3/tokenized-charges', BY_REF]);
      expect(requests()[1]!.query.get('tx_ref')).toBe(attemptId);
    });

    it('treats a refused charge that is not listed as not made', async () => {
      respond(refused(400), absent);
      const error = await errorOf(flutterwave.create(order, context()));
      expect(error).toMatchObject({ name: 'PspRefused', kind: 'request' });
      expect(String(error)).not.toContain('Quotes');
    });

    it.each(['A server error has occurred. Please try again.', 'no_reason_to_decline'])(
      'keeps asking about a failed charge that may have been approved: "%s"',
      async (reason) => {
        respond(refused(400, reason, failed(reason)));
        expect(await flutterwave.create(order, context())).toMatchObject({ kind: 'processing', reference: ID });
        respond(ok(failed(reason)));
        expect(await flutterwave.create(order, context())).toMatchObject({ kind: 'processing', reference: ID });
        expect(await flutterwave.fetch(charge, context())).toMatchObject({ kind: 'processing', reference: ID });
        expect(await flutterwave.find!(order, context())).toMatchObject({ kind: 'processing', reference: ID });
      },
    );

    it('leaves a charge unknown that is refused with HTTP 200 and not listed', async () => {
      respond(refused(200, 'Insufficient funds'), refused(200, 'No transaction was found for this id'));
      expect(await errorOf(flutterwave.create(order, context()))).toBeInstanceOf(PspOutcomeUnknown);
    });

    it('keeps a charge here that is refused with words of a bank that no list has', async () => {
      respond(refused(400, 'The bank of Kim says no'), absent);
      expect(await flutterwave.create(order, context())).toEqual({
        kind: 'declined',
        reference: null,
        decline: declineOf('card_declined', null, 'retry_same_later'),
      });
    });

    it.each([
      ['Invalid token passed', 'invalid_payment_method', 'invalid_token'],
      ['Token not found', 'invalid_payment_method', 'invalid_token'],
      ['Wrong token or email passed', 'invalid_payment_method', 'invalid_token'],
      ['Token has expired', 'invalid_payment_method', 'invalid_token'],
      ['Insufficient funds on the card of Kim', 'insufficient_funds', 'insufficient_funds'],
    ] as const)('declines a charge that is refused with "%s" and not listed', async (message, code, provider_code) => {
      respond(refused(400, message), absent);
      expect(await flutterwave.create(order, context())).toEqual({
        kind: 'declined',
        reference: null,
        decline: declineOf(code, provider_code),
      });
    });

    it.each(['Request timed out', 'Internal server error', 'Duplicate transaction', 'Please try again'])(
      'leaves a charge unknown that is refused with "%s" and not listed',
      async (message) => {
        respond(refused(400, message), absent);
        expect(await errorOf(flutterwave.create(order, context()))).toBeInstanceOf(PspOutcomeUnknown);
      },
    );

    it.each([
      ['Currency not supported', 'currency_not_supported'],
      ['currency must be NGN', 'currency_not_supported'],
      ['Amount does not meet minimum amount allowed', 'amount_not_supported'],
      ['Amount greater than daily transaction limit', 'amount_not_supported'],
    ])('maps a charge refused with "%s" to the decline %s, on its page too', async (message, code) => {
      respond(refused(400, message), absent);
      expect(await flutterwave.create(order, context())).toMatchObject({
        kind: 'declined',
        reference: null,
        decline: { code },
      });
      respond(refused(400, message));
      const asked = { ...order, paymentMethod: { type: 'card' } };
      expect(await flutterwave.create(asked, context())).toMatchObject({
        kind: 'declined',
        reference: null,
        decline: { code },
      });
    });

    it('blames the account when the merchant is suspended', async () => {
      respond(refused(400, 'Merchant is suspended'), absent);
      expect(await errorOf(flutterwave.create(order, context()))).toMatchObject({
        name: 'PspRefused',
        kind: 'account',
      });
    });

    it.each(['Merchant limit exceeded', 'Merchant not permitted'])(
      'throws PspRefused for a charge refused with "%s", which may be our mistake',
      async (message) => {
        respond(refused(400, message), absent);
        expect(await errorOf(flutterwave.create(order, context()))).toMatchObject({
          name: 'PspRefused',
          kind: 'request',
        });
      },
    );

    it.each<[string, CannedResponse]>([
      ['fails', { status: 503, body: '' }],
      ['comes too fast', { status: 429, body: {} }],
      ['is refused', refused(401)],
      ['shows another charge', ok(transaction({ tx_ref: 'att_other' }))],
    ])('leaves a refused charge unknown when the look-up %s', async (_, seen) => {
      respond(refused(400), seen);
      const error = await errorOf(flutterwave.create(order, context()));
      expect(error).toBeInstanceOf(PspOutcomeUnknown);
      expect(error).not.toBeInstanceOf(PspNotSent);
    });

    it.each<[string, CannedResponse]>([
      ['is another charge', ok(transaction({ tx_ref: 'att_other' }))],
      ['names no amount', ok(transaction({ amount: null }))],
      ['names an amount finer than the currency', ok(transaction({ amount: 10.991 }))],
      ['names no currency', ok(transaction({ currency: undefined }))],
      ['is an error and a success', { body: { status: 'error', message: '', data: verified.data } }],
    ])('throws PspOutcomeUnknown when the response %s', async (_, reply) => {
      respond(reply);
      expect(await errorOf(flutterwave.create(order, context()))).toBeInstanceOf(PspOutcomeUnknown);
    });

    it.each([
      ['more, with the fee on top', 11.5, 1099],
      ['less, as the customer paid too little', 5, 500],
    ])('reports what was paid: %s', async (_, charged_amount, amount) => {
      respond(ok(transaction({ amount: 10.99, charged_amount, currency: 'EUR' })));
      expect(await flutterwave.create(order, context())).toMatchObject({ kind: 'succeeded', amount });
    });

    it('accepts numbers as text', async () => {
      respond(ok(transaction({ id: ID, amount: '10.99', charged_amount: '10.990', currency: 'EUR' })));
      expect(await flutterwave.create(order, context())).toMatchObject({
        kind: 'succeeded',
        reference: ID,
        amount: 1099,
      });
    });

    it.each<[string, object, object, object]>([
      ['a code', { authorization: { mode: 'otp' } }, {}, { type: 'collect', field: 'otp' }],
      [
        'an address in the transaction',
        {},
        { auth_url: 'https://auth.example/2' },
        { type: 'redirect', url: 'https://auth.example/2', method: 'GET' },
      ],
      [
        'an address in its meta',
        {},
        { meta: { authorization: { mode: 'redirect', redirect: 'https://auth.example/3' } } },
        { type: 'redirect', url: 'https://auth.example/3', method: 'GET' },
      ],
      [
        'a bank account to pay to',
        {
          authorization: {
            mode: 'banktransfer',
            transfer_account: '0067100155',
            transfer_bank: 'Mock Bank',
            transfer_amount: 10.99,
          },
        },
        {},
        {
          type: 'display',
          kind: 'banktransfer',
          transfer_account: '0067100155',
          transfer_bank: 'Mock Bank',
          transfer_amount: 10.99,
        },
      ],
    ])('returns %s as the next action', async (_, meta, fields, action) => {
      respond(ok({ ...pending, ...fields }, meta));
      expect(await flutterwave.create(order, context())).toMatchObject({
        kind: 'requires_action',
        reference: ID,
        action,
      });
    });

    it.each(['pin', 'avs_noauth', 'callback', 'of_the_future'])(
      'keeps a charge open that requires %s, which this service never has',
      async (mode) => {
        respond(ok(pending, { authorization: { mode, redirect: 'javascript:alert(1)' } }));
        expect(await flutterwave.create(order, context())).toMatchObject({ kind: 'processing', reference: ID });
      },
    );
  });

  describe('the Flutterwave adapter off-session', () => {
    const away = (fields: Partial<ChargeOrder> = {}): ChargeOrder => ({
      ...order,
      offSession: true,
      customerIp: null,
      ...fields,
    });

    it('charges a token in its only form, with the return URL', async () => {
      respond(ok(paid(euro)));
      expect(await flutterwave.create(away({ country: 'NG' }), context())).toMatchObject({
        kind: 'succeeded',
        reference: ID,
        amount: 1099,
        currency: 'EUR',
      });
      expect(paths()).toEqual(['POST /v3/tokenized-charges']);
      expect(sentIn(requests()[0])).toEqual({
        token: CANARIES[2],
        amount: 10.99,
        currency: 'EUR',
        country: 'NG',
        email: 'kim@example.com',
        tx_ref: attemptId,
        narration: 'Order 1',
        redirect_url: order.returnUrl,
        meta: metadata,
      });
    });

    it('sends the email address that first paid by the card', async () => {
      respond(ok(paid(euro)));
      await flutterwave.create(
        away({ paymentMethod: { type: 'card', token: { token: 'flw-1', email: 'first@example.com' } } }),
        context(),
      );
      expect(sentIn(requests()[0])).toMatchObject({ token: 'flw-1', email: 'first@example.com' });
    });

    it('redirects the customer whose bank requires her, and keeps the redirect meanwhile', async () => {
      const asked = {
        kind: 'requires_action',
        reference: ID,
        action: { type: 'redirect', url: secured.data.meta.authorization.redirect, method: 'GET' },
      };
      for (const each of [away(), { ...order, offSession: false }]) {
        respond({ body: secured });
        expect(await flutterwave.create(each, context())).toMatchObject(asked);
        expect(sentIn(requests().at(-1))).toMatchObject({ redirect_url: order.returnUrl });
      }
      respond(ok(pending));
      expect(await flutterwave.fetch(charge, context())).toEqual({ kind: 'waiting', reference: ID });
    });

    it.each([
      ['Authentication required', 'authentication_required', 'soft_decline'],
      ['Revocation of authorization order', 'authorization_revoked', 'hard_decline'],
      ['Stop payment order', 'authorization_revoked', 'hard_decline'],
      ['Expired card', 'expired_card', 'hard_decline'],
      ['Insufficient Funds', 'insufficient_funds', 'soft_decline'],
    ])('maps the reason "%s" to the decline %s, a %s', async (reason, code, category) => {
      respond(ok(failed(reason)));
      const outcome = await flutterwave.create(away(), context());
      expect(outcome).toMatchObject({ kind: 'declined', reference: ID, decline: { code } });
      if (outcome.kind === 'declined') expect(failureOf(outcome.decline)).toMatchObject({ category });
    });

    it.each<[string, Partial<ChargeOrder>]>([
      ['a token', { paymentMethod: { type: 'card' } }],
      [
        'a card that its token is of',
        {
          method: 'mobile_money',
          currency: 'KES',
          paymentMethod: { type: 'mobile_money', phone: '254700000000', token: 'flw-1' },
        },
      ],
      [
        'a token, where a phone would ring',
        { method: 'mobile_money', currency: 'KES', paymentMethod: { type: 'mobile_money', phone: '254700000000' } },
      ],
      ['an address', { customerEmail: null }],
    ])('does not charge without %s, and opens no page', async (_, fields) => {
      expect(await errorOf(flutterwave.create(away(fields), context()))).toMatchObject({
        name: 'PspRefused',
        kind: 'request',
      });
      expect(requests()).toEqual([]);
    });
  });

  it.each<[unknown, string, boolean]>([
    ['flw-t1nf-1', 'card', true],
    ['ok', 'card', true],
    ['needs_3ds', 'card', true],
    ['pending', 'card', true],
    ['decline_expired_card', 'card', true],
    [{ token: 'flw-t1nf-1', email: 'kim@example.com' }, 'card', true],
    [{ token: 'flw-t1nf-1' }, 'card', true],
    [verified.data.card, 'card', true],
    [{ ...verified.data.card, token: undefined }, 'card', false],
    [{ token: 'flw-t1nf-1', pan: '4242' }, 'card', false],
    [{ token: 'flw-t1nf-1', email: 'kim' }, 'card', false],
    [{ token: '' }, 'card', false],
    ['x'.repeat(256), 'card', false],
    ['flw-t1nf-1', 'mobile_money', false],
    ['flw-t1nf-1', 'wallet', false],
  ])('says whether the token %j is reusable for %s: %s', (token, method, expected) => {
    expect(flutterwave.isReusableToken(token as string, method)).toBe(expected);
  });

  describe('the Flutterwave adapter on hosted pages', () => {
    const onPage = { ...order, paymentMethod: { type: 'card' } };
    it('limits a page to the method and one day, under our reference', async () => {
      respond({ body: hosted });
      expect(await flutterwave.create(onPage, context())).toEqual({
        kind: 'requires_action',
        reference: attemptId,
        action: { type: 'redirect', url: hosted.data.link, method: 'GET' },
        expires_at: '2026-01-02T00:00:00.000Z',
      });
      expect(sentIn(requests()[0])).toMatchObject({
        payment_options: 'card',
        session_duration: 1440,
        customer: { email: 'kim@example.com' },
        tx_ref: attemptId,
      });
    });

    it.each<[string, CannedResponse, object]>([
      ['waits where nobody has paid yet', absent, { kind: 'waiting', reference: attemptId }],
      ['keeps waiting after a declined try', ok(failed('Do not honour')), { kind: 'waiting', reference: attemptId }],
      ['waits while a try runs', ok(pending), { kind: 'waiting', reference: attemptId }],
      [
        'is its transaction once that has taken money',
        ok(paid(euro)),
        { kind: 'succeeded', reference: ID, amount: 1099, currency: 'EUR' },
      ],
    ])('%s', async (_, seen, outcome) => {
      respond(seen);
      expect(await flutterwave.fetch({ ...charge, reference: attemptId }, context())).toMatchObject(outcome);
      expect(paths()).toEqual([BY_REF]);
    });

    it('refunds a page through its transaction, and not before there is one', async () => {
      const refundOrder = {
        paymentId,
        refundId: 're_2',
        reference: attemptId,
        amount: 500,
        currency: 'EUR',
        metadata,
      };
      respond(ok(paid(euro)), list(), ok(refund()));
      expect(await flutterwave.refund(refundOrder, context())).toMatchObject({ kind: 'succeeded' });
      expect(paths().at(-1)).toBe(`POST /v3/transactions/${ID}/refund`);
      respond(absent);
      expect(await errorOf(flutterwave.refund(refundOrder, context()))).toMatchObject({
        name: 'PspRefused',
        kind: 'state',
      });
    });

    it('treats a page that Flutterwave refuses as not made', async () => {
      respond(refused(400));
      expect(await errorOf(flutterwave.create(onPage, context()))).toMatchObject({
        name: 'PspRefused',
        kind: 'request',
      });
      expect(paths()).toEqual(['POST /v3/payments']);
    });
  });

  describe('the Flutterwave adapter on mobile money', () => {
    it.each<[string, Partial<ChargeOrder>, object, string, object]>([
      ['in Kenya', { currency: 'KES', country: 'KE' }, {}, 'mpesa', { phone_number: '254700000000' }],
      [
        'in Ghana',
        { currency: 'GHS', country: 'GH' },
        { network: 'AirtelTigo' },
        'mobile_money_ghana',
        { network: 'TIGO' },
      ],
      ['in Uganda', { currency: 'UGX', country: 'UG' }, {}, 'mobile_money_uganda', { amount: 1099 }],
      ['in Rwanda', { currency: 'RWF', country: 'RW' }, {}, 'mobile_money_rwanda', { order_id: attemptId }],
      ['in Zambia', { currency: 'ZMW', country: 'ZM' }, { network: 'mtn' }, 'mobile_money_zambia', { network: 'MTN' }],
      ['in Tanzania', { currency: 'TZS', country: 'TZ' }, {}, 'mobile_money_tanzania', {}],
      ['in Senegal', { currency: 'XOF', country: 'SN' }, {}, 'mobile_money_franco', { country: 'SN' }],
    ])('charges %s on the phone', async (_, fields, method, type, sent) => {
      respond(ok(pending));
      expect(await flutterwave.create(byPhone(fields, method), context())).toMatchObject({
        kind: 'processing',
        reference: ID,
      });
      expect(requests()[0]!.query.get('type')).toBe(type);
      expect(sentIn(requests()[0])).toMatchObject({
        tx_ref: attemptId,
        email: 'kim@example.com',
        meta: metadata,
        ...sent,
      });
    });

    it('returns the number of a started charge', async () => {
      respond({ body: onPhone });
      expect(await flutterwave.create(byPhone({ currency: 'KES', country: 'KE' }), context())).toEqual({
        kind: 'processing',
        reference: ID,
      });
    });

    it.each<[string, Partial<ChargeOrder>, object, string]>([
      ['a network that Ghana needs', { currency: 'GHS', country: 'GH' }, {}, 'mobilemoneyghana'],
      ['a country that francs need', { currency: 'XAF', country: null }, {}, 'mobilemoneyfranco'],
      ['a phone', { currency: 'KES' }, { phone: undefined }, 'mpesa'],
    ])('opens the page that asks for the missing %s', async (_, fields, method, options) => {
      respond({ body: hosted });
      expect(await flutterwave.create(byPhone(fields, method), context())).toMatchObject({
        kind: 'requires_action',
        reference: attemptId,
      });
      expect(sentIn(requests()[0]).payment_options).toBe(options);
    });

    const GHANA = byPhone({ currency: 'GHS', country: 'GH' }, { network: 'MTN' });
    const action = { type: 'redirect', url: nameless.meta.authorization.redirect, method: 'GET' };
    it.each<[string, CannedResponse, object]>([
      ['is named by a look-up', ok(pending), { kind: 'requires_action', reference: ID, action }],
      [
        'keeps our reference while it is not listed',
        absent,
        { kind: 'requires_action', reference: `tx:${attemptId}`, action },
      ],
      [
        'keeps our reference when the look-up fails',
        { status: 503, body: '' },
        { kind: 'requires_action', reference: `tx:${attemptId}`, action },
      ],
      ['has been paid by then', ok(paid(euro)), { kind: 'succeeded', reference: ID, amount: 1099, currency: 'EUR' }],
    ])('looks up a charge whose response has no transaction, and %s', async (_, seen, outcome) => {
      respond({ body: nameless }, seen);
      expect(await flutterwave.create(GHANA, context())).toMatchObject(outcome);
    });

    it('leaves a charge unknown whose response is empty and that is not listed', async () => {
      respond({ body: { status: 'success', message: 'Charge initiated' } }, absent);
      expect(await errorOf(flutterwave.create(GHANA, context()))).toBeInstanceOf(PspOutcomeUnknown);
    });

    it.each<[string, CannedResponse, object]>([
      [
        'failed',
        ok(failed('Insufficient balance')),
        { kind: 'declined', reference: ID, decline: { code: 'insufficient_funds' } },
      ],
      ['waits', ok(pending), { kind: 'waiting', reference: ID }],
      ['is not there yet', absent, { kind: 'waiting', reference: `tx:${attemptId}` }],
    ])('looks up a charge without a number by our reference: %s', async (_, seen, outcome) => {
      respond(seen);
      expect(await flutterwave.fetch({ ...charge, reference: `tx:${attemptId}` }, context())).toMatchObject(outcome);
      expect(requests()[0]!.query.get('tx_ref')).toBe(attemptId);
    });
  });

  describe('the Flutterwave adapter on one-time codes', () => {
    const confirm = (input: Readonly<Record<string, unknown>> = { otp: 12345 }) =>
      flutterwave.confirm({ reference: ID, order, input }, context());
    it('submits a code with the reference from a look-up', async () => {
      respond(ok(pending), ok(paid(euro)));
      expect(await confirm()).toMatchObject({ kind: 'succeeded', amount: 1099 });
      expect(paths()).toEqual([VERIFY, 'POST /v3/validate-charge']);
      expect(sentIn(requests()[1])).toEqual({ otp: '12345', flw_ref: verified.data.flw_ref, type: 'card' });
    });

    it('submits no code for a charge that has ended', async () => {
      respond(ok(paid(euro)));
      expect(await confirm()).toMatchObject({ kind: 'succeeded' });
      expect(paths()).toEqual([VERIFY]);
    });

    it.each<[string, CannedResponse, object]>([
      ['leaves the charge open', ok(pending), { name: 'PspRefused', kind: 'request' }],
      ['has ended the charge', ok(failed('Incorrect PIN')), { kind: 'declined', decline: { code: 'incorrect_pin' } }],
      ['was taken after all', ok(paid(euro)), { kind: 'succeeded' }],
      ['cannot be looked up', { status: 429, body: {} }, { name: 'PspOutcomeUnknown' }],
    ])('handles a refused code that %s', async (_, seen, outcome) => {
      respond(ok(pending), refused(400, 'Invalid OTP'), seen);
      expect(await confirm().catch((error: unknown) => error)).toMatchObject(outcome);
    });

    it('accepts only codes of 3 to 12 letters or digits', async () => {
      expect(await errorOf(confirm({ otp: '12 OR 1' }))).toMatchObject({ name: 'PspRefused', kind: 'request' });
      expect(requests()).toEqual([]);
    });

    it('leaves the charge unchanged without a code', async () => {
      respond(ok(pending));
      expect(await confirm({})).toEqual({ kind: 'waiting', reference: ID });
    });
  });

  describe('the Flutterwave adapter in a look-up', () => {
    it.each([
      ['has our reference', {}, 'succeeded'],
      ['names our payment', { tx_ref: 'older', meta: { payment_id: paymentId } }, 'succeeded'],
      ['is another', { tx_ref: 'other', meta: { payment_id: 'pay_other' } }, 'PspOutcomeUnknown'],
      ['has another number', { id: 1 }, 'PspOutcomeUnknown'],
    ])('looks up a transaction that %s: %s', async (_, fields, expected) => {
      respond(ok({ ...paid(euro), ...fields }));
      const seen = await flutterwave.fetch(charge, context()).catch((error: unknown) => error);
      expect(seen).toMatchObject(expected === 'succeeded' ? { kind: expected } : { name: expected });
    });

    it('looks up a charge without a response by our reference, and finds nothing where nothing is listed', async () => {
      respond(ok(paid(euro)));
      expect(await flutterwave.find?.(order, context())).toMatchObject({ kind: 'succeeded', reference: ID });
      respond(absent);
      expect(await flutterwave.find?.(order, context())).toBeUndefined();
      respond({ status: 400, body: missing });
      expect(await flutterwave.find?.(order, context())).toBeUndefined();
    });

    it('does not take a wrong URL for an empty result', async () => {
      respond(refused(404, 'Cannot GET /v3/transactions/verify_by_reference'));
      expect(await errorOf(Promise.resolve(flutterwave.find?.(order, context())))).toMatchObject({
        name: 'PspRefused',
        kind: 'request',
      });
    });

    it('keeps a charge of an unknown status processing', async () => {
      respond(ok(transaction({ status: 'reversed?' })));
      expect(await flutterwave.fetch(charge, context())).toEqual({ kind: 'waiting', reference: ID });
    });
  });

  describe('the Flutterwave adapter on refunds', () => {
    const refundOrder = {
      paymentId,
      refundId: 're_3',
      reference: ID,
      amount: 500,
      currency: 'EUR',
      metadata,
    };
    const send = () => flutterwave.refund(refundOrder, context());
    const listed = (fields: object) => refund({ amount_refunded: 5, comments: null, ...fields });
    it('does not repeat a refund that is listed', async () => {
      respond(list(listed({ id: 1 }), listed({ id: 2, comments: 're_3', status: 'pending' })));
      expect(await send()).toEqual({ kind: 'accepted', reference: '2' });
      expect(paths()).toEqual(['GET /v3/refunds']);
      expect(requests()[0]!.query.get('id')).toBe(ID);
    });

    it('finds a refund on a later page, and not among those of other charges', async () => {
      const info = { page_info: { total: 12, current_page: 1, total_pages: 2 } };
      respond(ok([listed({ tx_id: 7, comments: 're_3' })], info), ok([listed({ id: 9, comments: 're_3' })], info));
      expect(await send()).toMatchObject({ reference: '9' });
      expect(requests()[1]!.query.get('page')).toBe('2');
    });

    it.each<[string, CannedResponse]>([
      ['does not say whose a refund of the same amount is', list(refund({ amount_refunded: 5 }))],
      ['is too long', ok([], { page_info: { total: 999, current_page: 1, total_pages: 100 } })],
      ['is no list', ok({})],
    ])('does not send a refund when the list %s', async (_, reply) => {
      respond(reply);
      expect(await errorOf(send())).toBeInstanceOf(PspOutcomeUnknown);
      expect(requests().every(({ method }) => method === 'GET')).toBe(true);
    });

    it('does not send a refund when the list is not found, but does when it is empty', async () => {
      respond(refused(404, 'Cannot GET /v3/refunds'));
      expect(await errorOf(send())).toMatchObject({ name: 'PspRefused' });
      respond(refused(404, 'No refund found'), ok(refund()));
      expect(await send()).toMatchObject({ kind: 'succeeded' });
    });

    it.each<[string, CannedResponse, object]>([
      [
        'is not listed, as failed',
        list(),
        { kind: 'failed', reference: null, decline: { code: 'refund_declined', provider_code: null } },
      ],
      [
        'is listed all the same, as it is listed',
        list(listed({ id: 4, comments: 're_3' })),
        { kind: 'succeeded', reference: '4' },
      ],
      ['cannot be looked up, as unknown', { status: 500, body: '' }, { name: 'PspOutcomeUnknown' }],
    ])('reports a refused refund that %s', async (_, again, outcome) => {
      respond(list(), refused(400), again);
      expect(await send().catch((error: unknown) => error)).toMatchObject(outcome);
    });

    it('leaves a refund unknown that timed out and is not listed', async () => {
      respond(list(), refused(400, 'Request timeout'), list());
      expect(await errorOf(send())).toBeInstanceOf(PspOutcomeUnknown);
    });

    it.each([
      ['completed-mpgs', 'succeeded'],
      ['successful', 'succeeded'],
      ['failed', 'failed'],
      ['pending-momo', 'accepted'],
      ['of the future', 'accepted'],
    ])('maps the refund status %s to %s', async (status, kind) => {
      respond(list(), ok(refund({ status })));
      expect(await send()).toMatchObject({ kind });
    });

    it('returns our id of our own refund, whoever reports it first', async () => {
      respond(
        ok(refund({ comments: 're_01jc0000000000000000000001', tx_id: Number(ID) })),
        ok(transaction({ currency: 'EUR' })),
      );
      const ref = { reference: String(refunded.data.id), paymentId, charge: ID };
      expect(await flutterwave.fetchRefund(ref, context())).toMatchObject({ ourId: 're_01jc0000000000000000000001' });
    });

    it('does not take the refund of another charge for this one', async () => {
      respond(ok(refund({ tx_id: 7 })));
      expect(
        await errorOf(flutterwave.fetchRefund({ reference: '8612', paymentId, charge: ID }, context())),
      ).toBeInstanceOf(PspOutcomeUnknown);
    });
  });

  it.runIf(specsThere || inCi)('reports a field that the API facts do not name (needs ../shared/psp-specs)', () => {
    const request = {
      method: 'POST',
      path: '/v3/payments',
      query: new URLSearchParams('a=1'),
      headers: {},
      body: '{"amount":"1","colour":"red"}',
    };
    expect(dialect.check()(request).join()).toMatch(
      /not signed in.*no JSON.*unknown query a.*lacks tx_ref.*lacks customer.email.*unknown colour.*no number/,
    );
  });
};

describe('flutterwave', () => describePsp(dialect, ownCases));
