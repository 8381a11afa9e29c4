import { describe, expect, it } from 'vitest';
import { declineOf, failureOf } from '#shared/domain/payments/declines.catalog.ts';
import { type ChargeOrder, PspOutcomeUnknown } from '#shared/ports/psp.port.ts';
import { paystack } from '#shared/psp/paystack/adapter.ts';
import type { CannedResponse, ReceivedRequest } from '#test/contract/canned-server.ts';
import { inCi, specsThere } from '#test/contract/openapi-check.ts';
import { paystackCheck } from '#test/contract/paystack-requests.support.ts';
import { type Bench, describePsp, type Money, type PspDialect } from '#test/contract/psp.contract.ts';
import balance from '#test/fixtures/paystack/balance.json' with { type: 'json' };
import authorized from '#test/fixtures/paystack/charge-authorized.json' with { type: 'json' };
import byTransfer from '#test/fixtures/paystack/charge-by-transfer.json' with { type: 'json' };
import byUssd from '#test/fixtures/paystack/charge-by-ussd.json' with { type: 'json' };
import offline from '#test/fixtures/paystack/charge-offline.json' with { type: 'json' };
import paused from '#test/fixtures/paystack/charge-paused.json' with { type: 'json' };
import wantsOtp from '#test/fixtures/paystack/charge-wants-otp.json' with { type: 'json' };
import duplicate from '#test/fixtures/paystack/duplicate-reference.json' with { type: 'json' };
import page from '#test/fixtures/paystack/page-opened.json' with { type: 'json' };
import fetchedRefund from '#test/fixtures/paystack/refund-fetched.json' with { type: 'json' };
import queuedRefund from '#test/fixtures/paystack/refund-queued.json' with { type: 'json' };
import verified from '#test/fixtures/paystack/transaction-verified.json' with { type: 'json' };

const CANARIES = ['sk_test_CANARYSECRETKEY', 'AUTH_CANARYTOKEN', 'sk_test_CANARYFORMERKEY'];
const REFERENCE = 'att-01jc0000000000000000000001';
const REFUND = String(fetchedRefund.data.id);

type Body = { readonly [name: string]: unknown };
type Credentials = Parameters<typeof paystack.ping>[0]['credentials'];

const bodyOf = ({ body }: ReceivedRequest): Body => (body === '' ? {} : JSON.parse(body));
const of = <T extends { data: object }>(reply: T, fields: object): CannedResponse => ({
  body: { ...reply, data: { ...reply.data, ...fields } },
});
const units = ({ sent, currency }: Money) => ({ amount: Number(sent), currency });
const transaction = (fields: object): CannedResponse => of(verified, fields);
const list = (...refunds: object[]): CannedResponse => ({
  body: { status: true, message: 'Refunds retrieved', data: refunds },
});
const refused = (status: number, message: string, more: object = {}): CannedResponse => ({
  status,
  body: { status: false, message, type: 'validation_error', ...more },
});
const notFound = refused(404, `Nothing ${CANARIES.join(' ')}`, { code: 'transaction_not_found' });

/** What we pass on of a reason → the bank's own words. */
const WORDS: Readonly<Record<string, string>> = {
  insufficient_funds: 'Insufficient Funds',
  declined: 'Declined',
  do_not_honor: 'Do Not Honour',
  expired_card: 'Expired Card',
  incorrect_pin: 'Incorrect PIN',
  incorrect_otp: 'Token Not Generated. Customer Not Registered on Token Platform',
  incorrect_cvc: 'Invalid CVV',
  lost_card: 'Lost Card, Pick-Up',
  stolen_card: 'Stolen Card, Pick-Up',
  suspected_fraud: 'Suspected Fraud',
  not_permitted: 'Transaction not Permitted to Cardholder',
  issuer_inoperative: 'Issuer or Switch Inoperative',
  system_malfunction: 'System Malfunction',
  not_completed: 'The transaction was not completed',
};

const STATES = { succeeded: 'processed', pending: 'pending', failed: 'failed' } as const;
const euro: Money = { amount: 1099, currency: 'EUR', sent: '1099' };

const dialect: PspDialect<Credentials> = {
  adapter: paystack,
  credentials: { secret_key: CANARIES[0], webhook_secret: [CANARIES[2]] },
  token: CANARIES[1],
  reusableTokens: ['AUTH_CANARYTOKEN', { authorization_code: 'AUTH_CANARYTOKEN', email: 'first@example.com' }, 'ok'],
  canaries: CANARIES,
  reference: REFERENCE,
  refundReference: REFUND,
  unsupported: ['cancel', 'account_name', 'page_end'],
  confirmInput: { otp: '123456' },
  toReference: (id) => id.replace('_', '-'),
  sentMetadata: { refund: { merchant_note: 're-01jc0000000000000000000001' } },
  money: [
    euro,
    { amount: 500_000, currency: 'NGN', sent: '500000' },
    { amount: 1, currency: 'GHS', sent: '1' },
    { amount: 99_999_999_999, currency: 'USD', sent: '99999999999' },
  ],
  unsupportedAmounts: [
    { amount: 1000, currency: 'XOF' },
    { amount: 1000, currency: 'RWF' },
    { amount: 1000, currency: 'KWD' },
    { amount: 100, currency: 'XXX' },
    { amount: 0, currency: 'NGN' },
  ],
  declines: [
    ['insufficient_funds', 'insufficient_funds', 'retry_same_later'],
    ['declined', 'card_declined', 'retry_other_psp'],
    ['do_not_honor', 'do_not_honor', 'retry_other_psp'],
    ['issuer_inoperative', 'issuer_unavailable', 'retry_other_psp'],
    ['system_malfunction', 'processing_error', 'retry_other_psp'],
    ['incorrect_pin', 'incorrect_pin', 'fix_input'],
    ['incorrect_otp', 'incorrect_pin', 'fix_input'],
    ['incorrect_cvc', 'incorrect_cvc', 'fix_input'],
    ['expired_card', 'expired_card', 'new_method'],
    ['not_permitted', 'transaction_not_allowed', 'new_method'],
    ['lost_card', 'lost_card', 'never'],
    ['stolen_card', 'stolen_card', 'never'],
    ['suspected_fraud', 'fraud_suspected', 'never'],
    ['not_completed', 'expired', 'fix_input'],
  ],
  responses: {
    approved: (money) => [of(authorized, units(money))],
    declined: (reason) => [
      of(authorized, { status: 'failed', gateway_response: WORDS[reason], message: `Quotes ${CANARIES.join(' ')}` }),
    ],
    redirected: [{ body: paused }],
    hosted: [{ body: page }],
    pending: [of(authorized, { status: 'pending' })],
    refunded: (money, state) => [transaction({}), list(), of(queuedRefund, { ...units(money), status: STATES[state] })],
    fetchedRefund: (money, state) => [of(fetchedRefund, { ...units(money), status: STATES[state] })],
    fetched: (money) => [transaction(units(money))],
    canceled: [],
    cancelTooLate: [],
    account: [{ body: balance }],
    badCredentials: refused(401, `Invalid key ${CANARIES.join(' ')}`, { code: 'invalid_Key' }),
    notFound,
  },
  amountIn: (request) => bodyOf(request).amount?.toString(),
  idempotencyFields: ({ method, path, body }) => ({ method, path, body }),
  metadataIn: (request) => {
    const { metadata, merchant_note } = bodyOf(request);
    if (merchant_note !== undefined) return { merchant_note };
    return typeof metadata === 'string' ? JSON.parse(metadata) : metadata;
  },
  check: () => {
    const documented = paystackCheck();
    return (request) => [
      ...documented(request),
      ...(request.headers.authorization === `Bearer ${CANARIES[0]}` ? [] : [`${request.path} has no key`]),
    ];
  },
};

const paths = (requests: readonly ReceivedRequest[]) =>
  requests.map(({ method, path }) => `${method} ${path.replace(REFERENCE, '{reference}')}`);
const VERIFY = 'GET /transaction/verify/{reference}';

const ownCases = ({ respond, requests, context, order, errorOf }: Bench<Credentials>): void => {
  const { paymentId, attemptId, metadata } = order;
  const onPage = { ...order, paymentMethod: { type: 'card' } };
  const charge = { reference: REFERENCE, paymentId, attemptId, mayCapture: true };
  const refundOrder = {
    paymentId,
    refundId: 're_01jc0000000000000000000001',
    reference: REFERENCE,
    amount: 500,
    currency: 'NGN',
    metadata,
  };
  const sent = (n = 0) => bodyOf(requests()[n]!);

  describe('the Paystack adapter on stored cards', () => {
    it.each<[string, ChargeOrder['paymentMethod']['token'], object]>([
      ['the payment’s own address', 'AUTH_1', { authorization_code: 'AUTH_1', email: order.customerEmail }],
      [
        'the address that it belongs to',
        { authorization_code: 'AUTH_1', email: 'other@example.com' },
        { authorization_code: 'AUTH_1', email: 'other@example.com' },
      ],
      ['a word of the simulator', 'ok', { authorization_code: 'ok' }],
    ])('charges a card with %s', async (_, token, expected) => {
      respond({ body: authorized });
      await paystack.create({ ...order, paymentMethod: { type: 'card', token } }, context());
      expect(paths(requests())).toEqual(['POST /transaction/charge_authorization']);
      expect(sent()).toEqual({
        ...expected,
        email: expect.any(String),
        amount: 1099,
        currency: 'EUR',
        reference: REFERENCE,
        callback_url: order.returnUrl,
        metadata: JSON.stringify(metadata),
      });
    });

    it('rejects a token of another form, and a charge without an email address, without a call', async () => {
      const odd = { ...order, paymentMethod: { type: 'card', token: { pan: '4084' } } };
      for (const each of [odd, { ...order, customerEmail: null }, { ...onPage, customerEmail: null }])
        expect(await errorOf(paystack.create(each, context()))).toMatchObject({ name: 'PspRefused', kind: 'request' });
      expect(requests()).toEqual([]);
    });

    it.each([
      ['Authorization code does not exist or has been deactivated', 'invalid_payment_method', 'invalid_authorization'],
      ['Email does not match Authorization code. Please confirm', 'invalid_payment_method', 'email_mismatch'],
      [
        'Email does not match Authorization code. Authorization may be inactive or belong to a different email. Please confirm.',
        'invalid_payment_method',
        'email_mismatch',
      ],
      ['Authorization code is invalid', 'invalid_payment_method', 'invalid_authorization'],
      ['This authorization is not reusable', 'invalid_payment_method', 'not_reusable'],
      ['Charge attempt cannot be fulfilled until 20 minutes', 'try_again_later', 'try_again_later'],
    ] as const)('declines a card that Paystack refuses with "%s"', async (message, code, word) => {
      respond(refused(400, message));
      expect(await paystack.create(order, context())).toEqual({
        kind: 'declined',
        reference: null,
        decline: declineOf(code, word),
      });
    });

    it('declines a charge that is declined in a 400 response', async () => {
      respond(
        refused(400, 'Charge attempted', {
          data: { ...authorized.data, status: 'failed', gateway_response: 'Declined' },
        }),
      );
      expect(await paystack.create(order, context())).toMatchObject({
        kind: 'declined',
        reference: REFERENCE,
        decline: { code: 'card_declined' },
      });
    });

    it('maps an unknown reason to card_declined, and passes on none of its words', async () => {
      respond(of(authorized, { status: 'failed', gateway_response: 'Something of the future' }));
      expect(await paystack.create(order, context())).toMatchObject({
        kind: 'declined',
        reference: REFERENCE,
        decline: declineOf('card_declined', null, 'retry_same_later'),
      });
    });

    it.each([
      ['Transaction Pending'],
      ['Request in Progress'],
      ['Response Received Too Late'],
      ['Approved by Financial Institution, Partial'],
    ])('asks again about a failed charge of which the bank says "%s"', async (gateway_response) => {
      respond(of(authorized, { status: 'failed', gateway_response }));
      expect(await paystack.create(order, context())).toMatchObject({ kind: 'processing', reference: REFERENCE });
      respond(transaction({ status: 'failed', gateway_response }));
      expect(await paystack.fetch(charge, context())).toMatchObject({ kind: 'processing', reference: REFERENCE });
    });

    it.each<[string, ...Parameters<typeof declineOf>]>([
      ['Security violation', 'fraud_suspected', 'security_violation'],
      ['Duplicate transaction', 'card_declined', 'duplicate_transaction', 'fix_input'],
      ['Pickup card (stolen card)', 'stolen_card', 'stolen_card'],
      ['Denied by fraud system', 'fraud_suspected', 'suspected_fraud'],
      ['Unable to process transaction', 'fraud_suspected', 'suspected_fraud'],
      ['Insufficient Funds', 'insufficient_funds', 'insufficient_funds'],
      ['Declined', 'card_declined', 'declined'],
      ['Words of no list', 'card_declined', null, 'retry_same_later'],
    ])('declines a card for "%s", whether the charge failed or was refused', async (message, ...decline) => {
      for (const reply of [
        of(authorized, { status: 'failed', gateway_response: message }),
        { status: 400, body: { status: 'false', message } },
      ]) {
        respond(reply);
        expect(await paystack.create(order, context())).toMatchObject({
          kind: 'declined',
          decline: declineOf(...decline),
        });
      }
    });

    it.each<[string, object, number]>([
      ['the fees on top, for what was asked', { amount: 40_333, requested_amount: 30_050, fees: 10_283 }, 30_050],
      ['the fees on top, as digits', { amount: '40333', requested_amount: '30050', fees: '10283' }, 30_050],
      ['more than the fees on top', { amount: 40_334, requested_amount: 30_050, fees: 10_283 }, 40_334],
      ['more, without a fee', { amount: 40_333, requested_amount: 30_050, fees: null }, 40_333],
      ['less than was asked', { amount: 20_000, requested_amount: 30_050, fees: 10_283 }, 20_000],
      ['what was asked, less the fees', { amount: 30_050, requested_amount: 30_050, fees: 551 }, 30_050],
    ])('reports a charge for which the customer paid %s', async (_, fields, amount) => {
      respond(of(authorized, { ...fields, currency: 'NGN' }));
      expect(await paystack.create(order, context())).toMatchObject({ kind: 'succeeded', amount, currency: 'NGN' });
      respond(transaction(fields));
      expect(await paystack.fetch(charge, context())).toMatchObject({ kind: 'succeeded', amount });
    });

    it.each<[string, CannedResponse, string]>([
      ['a parameter', refused(400, 'Invalid callback', { code: 'invalid_callback' }), 'request'],
      ['the account’s state', refused(400, 'Your business is disabled', { code: 'disabled_business' }), 'account'],
    ])('throws our own message for a request refused for %s', async (_, reply, kind) => {
      respond(reply);
      const error = await errorOf(paystack.create(order, context()));
      expect(error).toMatchObject({ name: 'PspRefused', kind, provider_code: expect.stringMatching(/^[a-z_]+$/) });
      expect(String(error)).not.toMatch(/Invalid callback|disabled$/);
    });

    it.each<[string, CannedResponse, ...Parameters<typeof declineOf>]>([
      [
        'its amount',
        refused(400, 'Invalid Amount Sent', { code: 'invalid_amount' }),
        'amount_not_supported',
        'invalid_amount',
      ],
      [
        'its currency',
        refused(403, 'Currency not supported by merchant', { code: 'unsupported_currency' }),
        'currency_not_supported',
        'currency_not_supported',
      ],
      [
        'a way to pay that the account has not',
        refused(400, 'No active channel'),
        'method_not_supported',
        'no_active_channel',
      ],
      [
        'a card that is not there',
        refused(404, 'Authorization code not found'),
        'invalid_payment_method',
        'invalid_authorization',
      ],
    ])('declines a charge for %s, without blaming the account', async (_, reply, ...decline) => {
      respond(reply);
      expect(await paystack.create(order, context())).toEqual({
        kind: 'declined',
        reference: null,
        decline: declineOf(...decline),
      });
    });

    it.each<[string, CannedResponse]>([
      ['the processor broke', refused(400, 'Error', { type: 'processor_error', code: 'unknown' })],
      ['Paystack broke', refused(400, 'Error', { type: 'api_error', code: 'unknown' })],
      ['the call is not true', { body: { status: false, message: 'Charge attempted' } }],
      ['it is another charge’s', of(authorized, { reference: 'att-other' })],
      ['it has no status', of(authorized, { status: undefined })],
      ['its amount is no number', of(authorized, { amount: 'ten' })],
      ['its amount has a fraction', of(authorized, { amount: 10.5 })],
      ['its currency has no hundredths', of(authorized, { currency: 'XOF' })],
    ])('throws PspOutcomeUnknown when %s', async (_, reply) => {
      respond(reply);
      expect(await errorOf(paystack.create(order, context()))).toBeInstanceOf(PspOutcomeUnknown);
    });

    it('counts a reversed charge as paid, and keeps one of an unknown status processing', async () => {
      respond(of(authorized, { status: 'reversed', ...units(euro) }));
      expect(await paystack.create(order, context())).toMatchObject({ kind: 'succeeded', amount: 1099 });
      respond(of(authorized, { status: 'considering' }));
      expect(await paystack.create(order, context())).toMatchObject({ kind: 'processing', reference: REFERENCE });
    });
  });

  describe('the Paystack adapter off-session', () => {
    const away = (token: ChargeOrder['paymentMethod']['token'], method = 'card'): ChargeOrder => ({
      ...order,
      offSession: true,
      method,
      paymentMethod: { type: method, ...(token !== undefined && { token }) },
    });

    it.each([
      ['card', 'AUTH_1', { authorization_code: 'AUTH_1', email: order.customerEmail }],
      [
        'card',
        { authorization_code: 'AUTH_1', email: 'first@example.com' },
        { authorization_code: 'AUTH_1', email: 'first@example.com' },
      ],
      [
        'bank',
        { authorization_code: 'AUTH_2', email: 'first@example.com' },
        { authorization_code: 'AUTH_2', email: 'first@example.com' },
      ],
    ] as const)('charges %s by %j in the only form that Paystack has', async (method, token, expected) => {
      respond(of(authorized, units(euro)));
      expect(await paystack.create(away(token, method), context())).toMatchObject({
        kind: 'succeeded',
        reference: REFERENCE,
        amount: 1099,
      });
      expect(paths(requests())).toEqual(['POST /transaction/charge_authorization']);
      expect(sent()).toEqual({
        ...expected,
        amount: 1099,
        currency: 'EUR',
        reference: REFERENCE,
        callback_url: order.returnUrl,
        metadata: JSON.stringify(metadata),
      });
    });

    it('redirects the customer whose bank requires her, and keeps the redirect meanwhile', async () => {
      respond({ body: paused });
      const asked = {
        kind: 'requires_action',
        reference: REFERENCE,
        action: { type: 'redirect', url: paused.data.authorization_url, method: 'GET' },
      };
      expect(await paystack.create(away('AUTH_1'), context())).toEqual(asked);
      respond(transaction({ status: 'ongoing' }), refused(400, 'Transaction has not been attempted'));
      expect(await paystack.fetch(charge, context())).toEqual({ kind: 'waiting', reference: REFERENCE });
      respond({ body: paused });
      expect(await paystack.create({ ...away('AUTH_1'), offSession: false }, context())).toEqual(asked);
    });

    it.each([
      ['3D Secure authentication is required', 'authentication_required', 'soft_decline'],
      ['Authorization revoked by customer', 'authorization_revoked', 'hard_decline'],
      ['Stop payment order', 'authorization_revoked', 'hard_decline'],
      ['Expired Card', 'expired_card', 'hard_decline'],
      ['Insufficient Funds', 'insufficient_funds', 'soft_decline'],
    ])('maps the reason "%s" to the decline %s, a %s', async (gateway_response, code, category) => {
      respond(of(authorized, { status: 'failed', gateway_response }));
      const outcome = await paystack.create(away('AUTH_1'), context());
      expect(outcome).toMatchObject({ kind: 'declined', reference: REFERENCE, decline: { code } });
      if (outcome.kind === 'declined') expect(failureOf(outcome.decline)).toMatchObject({ category });
    });

    it('keeps a direct debit processing until the bank decides', async () => {
      respond(of(authorized, { status: 'processing', channel: 'direct_debit' }));
      expect(await paystack.create(away('AUTH_2', 'bank'), context())).toEqual({
        kind: 'processing',
        reference: REFERENCE,
      });
    });

    it.each<[string, ChargeOrder]>([
      ['a token', away(undefined)],
      ['an authorization', away({ bank_code: '057', account_number: '0000000000' }, 'bank')],
      ['a method that leaves one', away('AUTH_1', 'mobile_money')],
      ['the address that it belongs to', { ...away('AUTH_1'), customerEmail: null }],
    ])('does not charge without %s, and opens no page', async (_, each) => {
      expect(await errorOf(paystack.create(each, context()))).toMatchObject({ name: 'PspRefused', kind: 'request' });
      expect(requests()).toEqual([]);
    });
  });

  it.each<[unknown, string, boolean]>([
    ['AUTH_1', 'card', true],
    ['AUTH_1', 'bank', true],
    ['AUTH_1', 'mobile_money', false],
    ['AUTH_1', 'ussd', false],
    ['ok', 'card', true],
    ['needs_3ds', 'card', true],
    ['pending', 'card', true],
    ['decline_expired_card', 'card', true],
    [{ authorization_code: 'AUTH_1', email: 'kim@example.com' }, 'card', true],
    [{ authorization_code: 'AUTH_1' }, 'card', false],
    [{ bank_code: '057', account_number: '0000000000' }, 'bank', false],
    ['x'.repeat(256), 'card', false],
  ])('says whether the token %j is reusable for %s: %s', (token, method, expected) => {
    expect(paystack.isReusableToken(token as string, method)).toBe(expected);
  });

  describe('the Paystack adapter on a reference that is taken', () => {
    it('returns the outcome of the earlier send', async () => {
      respond({ status: 400, body: duplicate }, transaction(units(euro)));
      expect(await paystack.create(order, context())).toMatchObject({
        kind: 'succeeded',
        reference: REFERENCE,
        amount: 1099,
      });
      expect(paths(requests())).toEqual(['POST /transaction/charge_authorization', VERIFY]);
    });

    it.each<[string, readonly CannedResponse[]]>([
      ['is not found', [notFound]],
      ['is rate limited', [{ status: 429, body: {} }]],
      ['cannot be looked up', ['cut']],
      ['may not be looked up', [refused(401, 'Invalid key')]],
    ])('leaves a charge unknown when the earlier send %s', async (_, replies) => {
      respond({ status: 400, body: duplicate }, ...replies);
      expect(await errorOf(paystack.create(order, context()))).toBeInstanceOf(PspOutcomeUnknown);
    });

    it('leaves a page unknown whose URL was lost', async () => {
      respond(
        { status: 400, body: duplicate },
        transaction({ status: 'abandoned' }),
        refused(400, 'Transaction has not been attempted'),
      );
      expect(await errorOf(paystack.create(onPage, context()))).toBeInstanceOf(PspOutcomeUnknown);
    });
  });

  describe('the Paystack adapter on pages', () => {
    it('limits a page to the channel of the method, and sends our return URL', async () => {
      respond({ body: page });
      expect(await paystack.create({ ...onPage, method: 'bank_transfer' }, context())).toEqual({
        kind: 'requires_action',
        reference: REFERENCE,
        action: { type: 'redirect', url: page.data.authorization_url, method: 'GET' },
      });
      expect(sent()).toMatchObject({
        channels: ['bank_transfer'],
        callback_url: order.returnUrl,
        metadata,
        email: order.customerEmail,
      });
    });

    it.each([
      ['abandoned', true, { kind: 'waiting', reference: REFERENCE }],
      ['ongoing', true, { kind: 'waiting', reference: REFERENCE }],
      ['abandoned', false, { kind: 'waiting', reference: REFERENCE }],
      ['ongoing', false, { kind: 'processing', reference: REFERENCE }],
    ])('maps a page that is %s, with capture allowed: %s', async (status, mayCapture, expected) => {
      respond(transaction({ status }), refused(400, 'Transaction has not been attempted'));
      const seen = await paystack.fetch({ ...charge, mayCapture }, context());
      expect(seen).toEqual(expected);
      expect(paths(requests())).toEqual([VERIFY, 'GET /charge/{reference}']);
    });

    it('looks up a page without input, and changes nothing while the customer is busy', async () => {
      respond(transaction({ status: 'abandoned' }), refused(400, 'Transaction has not been attempted'));
      expect(
        await errorOf(paystack.confirm({ reference: REFERENCE, order: onPage, input: {} }, context())),
      ).toMatchObject({
        name: 'PspRefused',
        kind: 'state',
      });
      respond(transaction(units(euro)));
      expect(await paystack.confirm({ reference: REFERENCE, order: onPage, input: {} }, context())).toMatchObject({
        kind: 'succeeded',
      });
    });
  });

  describe('the Paystack adapter on methods without a page', () => {
    const direct = (method: string, more: object) => ({
      ...order,
      currency: 'NGN',
      method,
      paymentMethod: { type: method, ...more },
    });
    it.each<[string, ChargeOrder, object, object, object]>([
      [
        'mobile money',
        direct('mobile_money', { phone: '0551234987', network: 'mtn' }),
        { mobile_money: { phone: '0551234987', provider: 'mtn' } },
        offline,
        { action: { type: 'await' } },
      ],
      [
        'a voucher code',
        direct('mobile_money', { phone: '0551234987', network: 'vod' }),
        { mobile_money: { phone: '0551234987', provider: 'vod' } },
        wantsOtp,
        { action: { type: 'collect', field: 'otp' } },
      ],
      [
        'bank account',
        direct('bank', { token: { bank_code: '057', account_number: '0000000000' } }),
        { bank: { code: '057', account_number: '0000000000' } },
        { ...wantsOtp, data: { ...wantsOtp.data, status: 'send_birthday' } },
        { action: { type: 'collect', field: 'birthday' } },
      ],
      [
        'USSD',
        direct('ussd', { network: '737' }),
        { ussd: { type: '737' } },
        byUssd,
        { action: { type: 'display', kind: 'pay_offline', ussd_code: '*737*33*4*18791#' } },
      ],
      [
        'QR',
        direct('qr', { network: 'visa' }),
        { qr: { provider: 'visa' } },
        { ...offline, data: { ...offline.data, url: 'https://paystack.com/qr.png' } },
        { action: { type: 'display', kind: 'pay_offline', qr_image: 'https://paystack.com/qr.png' } },
      ],
      [
        'EFT',
        direct('eft', { network: 'ozow' }),
        { eft: { provider: 'ozow' } },
        { ...offline, data: { reference: REFERENCE, status: 'open_url', url: 'https://paystack.com/eft' } },
        { action: { type: 'redirect', url: 'https://paystack.com/eft', method: 'GET' } },
      ],
    ])('charges %s without a page', async (_, each, expected, reply, outcome) => {
      respond({ body: reply });
      expect(await paystack.create(each, context())).toEqual({
        kind: 'requires_action',
        reference: REFERENCE,
        ...outcome,
      });
      expect(paths(requests())).toEqual(['POST /charge']);
      expect(sent()).toEqual({
        email: order.customerEmail,
        amount: 1099,
        currency: 'NGN',
        reference: REFERENCE,
        metadata,
        ...expected,
      });
    });

    it.each([
      ['mobile_money', 'GHS', 'MTN', { mobile_money: { phone: '0551234987', provider: 'mtn' } }],
      ['mobile_money', 'GHS', 'Mtn MoMo', { mobile_money: { phone: '0551234987', provider: 'mtn' } }],
      ['mobile_money', 'GHS', 'Telecel Cash', { mobile_money: { phone: '0551234987', provider: 'vod' } }],
      ['mobile_money', 'GHS', 'VODAFONE', { mobile_money: { phone: '0551234987', provider: 'vod' } }],
      ['mobile_money', 'GHS', 'ATMoney', { mobile_money: { phone: '0551234987', provider: 'atl' } }],
      ['mobile_money', 'KES', 'M-Pesa', { mobile_money: { phone: '0551234987', provider: 'mpesa' } }],
      ['mobile_money', 'KES', 'Airtel Money', { mobile_money: { phone: '0551234987', provider: 'atl' } }],
      ['ussd', 'NGN', '*737#', { ussd: { type: '737' } }],
      ['ussd', 'NGN', 'gtbank', { ussd: { type: '737' } }],
      ['eft', 'ZAR', 'Ozow', { eft: { provider: 'ozow' } }],
      ['qr', 'ZAR', 'Scan to Pay', { qr: { provider: 'scan-to-pay' } }],
      ['qr', 'ZAR', 'another', { qr: { provider: 'another' } }],
    ])('knows the network of %s in %s that a customer calls %s', async (method, currency, network, expected) => {
      respond({ body: offline });
      const asked = direct(method, { phone: '0551234987', network });
      await paystack.create({ ...asked, currency }, context());
      expect(sent()).toMatchObject(expected);
      expect(paystack.networksToChooseFrom?.({ method, currency, country: null, network })).toBeUndefined();
    });

    it.each([
      ['mobile_money', 'GHS', 'mpesa', ['mtn', 'vod', 'atl', 'tgo']],
      ['mobile_money', 'KES', 'mptill', ['mpesa', 'mpesa_offline', 'atl']],
      ['ussd', 'NGN', '901', ['737', '822', '919', '966']],
    ])('has no network of %s in %s named %s, and says which it has', async (method, currency, network, instead) => {
      expect(paystack.networksToChooseFrom?.({ method, currency, country: null, network })).toEqual(instead);
      respond({ body: page });
      await paystack.create({ ...direct(method, { phone: '0551234987', network }), currency }, context());
      expect(paths(requests())).toEqual(['POST /transaction/initialize']);
    });

    it.each([
      ['mobile_money', { phone: '0551234987' }],
      ['mobile_money', { network: 'mtn' }],
      ['ussd', {}],
      ['bank_transfer', { network: 'x' }],
      ['bank', {}],
    ])('opens a page for %s with %j', async (method, more) => {
      respond({ body: page });
      await paystack.create(direct(method, more), context());
      expect(paths(requests())).toEqual(['POST /transaction/initialize']);
    });

    it('displays an account to pay into while it is open', async () => {
      respond(transaction({ status: 'ongoing' }), { body: byTransfer });
      expect(await paystack.fetch(charge, context())).toEqual({
        kind: 'requires_action',
        reference: REFERENCE,
        expires_at: '2025-04-24T16:40:57.954Z',
        action: {
          type: 'display',
          kind: 'pending_bank_transfer',
          account_name: 'PAYSTACK CHECKOUT',
          account_number: '1238259363',
          bank_name: 'Wema Bank',
          account_expires_at: '2025-04-24T16:40:57.954Z',
        },
      });
    });

    it.each([
      ['pin', { pin: '1111' }, '/charge/submit_pin'],
      ['otp', { otp: 123456 }, '/charge/submit_otp'],
      ['phone', { phone: '08012345678' }, '/charge/submit_phone'],
      ['birthday', { birthday: '1961-09-21' }, '/charge/submit_birthday'],
      [
        'address',
        { address: '140 N 2ND ST', city: 'Stroudsburg', state: 'PA', zip_code: '18360' },
        '/charge/submit_address',
      ],
    ])('submits the %s that Paystack requires', async (_, input, path) => {
      respond({ body: authorized });
      expect(await paystack.confirm({ reference: REFERENCE, order, input }, context())).toMatchObject({
        kind: 'succeeded',
      });
      expect(requests()[0]!.path).toBe(path);
      expect(sent()).toEqual({
        ...Object.fromEntries(Object.entries(input).map(([name, value]) => [name, String(value)])),
        reference: REFERENCE,
      });
    });

    it.each<[string, readonly CannedResponse[], object]>([
      ['has gone on since', [transaction(units(euro))], { kind: 'succeeded' }],
      [
        'waits for the same still',
        [{ body: { ...authorized, data: { ...authorized.data, status: 'ongoing' } } }, { body: wantsOtp }],
        { kind: 'requires_action' },
      ],
    ])('looks up the charge when the input is refused: it %s', async (_, looks, outcome) => {
      respond(refused(400, 'Charge attempted'), ...looks);
      expect(
        await paystack.confirm({ reference: REFERENCE, order, input: { otp: '123456' } }, context()),
      ).toMatchObject(outcome);
    });

    it('leaves a charge unknown when the input is refused and the look-up fails', async () => {
      respond(refused(400, 'Charge attempted'), 'cut');
      expect(
        await errorOf(paystack.confirm({ reference: REFERENCE, order, input: { otp: '123456' } }, context())),
      ).toBeInstanceOf(PspOutcomeUnknown);
    });

    it('rejects an incomplete address without a call', async () => {
      expect(
        await errorOf(paystack.confirm({ reference: REFERENCE, order, input: { address: 'x' } }, context())),
      ).toMatchObject({ kind: 'request' });
      expect(requests()).toEqual([]);
    });

    it.each(['send_pin', 'send_otp', 'send_phone', 'send_birthday', 'send_address'])(
      'continues to %s',
      async (status) => {
        respond(of(wantsOtp, { status }));
        const outcome = await paystack.confirm({ reference: REFERENCE, order, input: { pin: '1111' } }, context());
        expect(outcome).toMatchObject({
          kind: 'requires_action',
          action: { type: 'collect', field: status.slice('send_'.length) },
        });
      },
    );
  });

  describe('the Paystack adapter in a search', () => {
    it('searches by our reference', async () => {
      respond(transaction(units(euro)));
      expect(await paystack.find?.(order, context())).toMatchObject({ kind: 'succeeded', amount: 1099 });
      expect(paths(requests())).toEqual([VERIFY]);
    });

    it.each<[string, CannedResponse]>([
      ['404', notFound],
      ['400', refused(400, 'Transaction reference not found')],
    ])('finds nothing when Paystack responds %s', async (_, reply) => {
      respond(reply);
      expect(await paystack.find?.(order, context())).toBeUndefined();
    });

    it('finds no page whose URL was lost, and keeps a stored card processing', async () => {
      const replies = [transaction({ status: 'abandoned' }), refused(400, 'Transaction has not been attempted')];
      respond(...replies);
      expect(await paystack.find?.(onPage, context())).toBeUndefined();
      respond(...replies);
      expect(await paystack.find?.(order, context())).toEqual({ kind: 'processing', reference: REFERENCE });
    });

    it('finds the current step of a charge', async () => {
      respond(transaction({ status: 'pending' }), { body: offline });
      expect(await paystack.find?.(order, context())).toMatchObject({
        kind: 'requires_action',
        action: { type: 'await' },
      });
      respond(transaction({ status: 'pending' }), of(offline, { status: 'pending' }));
      expect(await paystack.find?.(order, context())).toMatchObject({ kind: 'processing', reference: REFERENCE });
    });
  });

  describe('the Paystack adapter on refunds', () => {
    const others = Array.from({ length: 50 }, (_, n) => ({
      ...fetchedRefund.data,
      id: n + 1,
      transaction_reference: 'another',
      merchant_note: 're-other',
    }));

    it('does not repeat a refund that is listed, however long the list is', async () => {
      respond(transaction({}), list(...others), list({ ...fetchedRefund.data, status: 'pending' }));
      expect(await paystack.refund(refundOrder, context())).toEqual({ kind: 'accepted', reference: REFUND });
      expect(requests().map(({ method, path, query }) => `${method} ${path} ${query}`)).toEqual([
        `GET /transaction/verify/${REFERENCE} `,
        'GET /refund perPage=50&page=1&from=2024-08-21',
        'GET /refund perPage=50&page=2&from=2024-08-21',
      ]);
    });

    it('does not take a refund of another charge with the same note for ours', async () => {
      respond(transaction({}), list({ ...fetchedRefund.data, transaction_reference: 'another' }), {
        body: queuedRefund,
      });
      expect(await paystack.refund(refundOrder, context())).toEqual({ kind: 'accepted', reference: REFUND });
      expect(sent(2)).toEqual({
        transaction: REFERENCE,
        amount: 500,
        currency: 'NGN',
        merchant_note: 're-01jc0000000000000000000001',
      });
    });

    it.each<[string, CannedResponse]>([
      ['cannot be read', { body: { status: true, data: {} } }],
      ['holds something else', list({ hello: 'world' })],
      [
        'names no charge of our refund',
        list({ ...fetchedRefund.data, transaction: null, transaction_reference: undefined }),
      ],
    ])('does not send a refund when the list %s', async (_, reply) => {
      respond(transaction({}), reply);
      expect(await errorOf(paystack.refund(refundOrder, context()))).toBeInstanceOf(PspOutcomeUnknown);
      expect(requests().every(({ method }) => method === 'GET')).toBe(true);
    });

    it('knows a refund by the number of its transaction alone, as Paystack lists it', async () => {
      const { transaction_reference: _, ...listed } = fetchedRefund.data;
      respond(transaction({}), list({ ...listed, id: 7, transaction: 1641, merchant_note: 'xxx' }, listed));
      expect(await paystack.refund(refundOrder, context())).toEqual({ kind: 'succeeded', reference: REFUND });
      respond(transaction({}), list({ ...listed, transaction: 1641 }, { ...listed, transaction: '4099260516', id: 8 }));
      expect(await paystack.listRefunds?.(charge, context())).toMatchObject([{ reference: '8', amount: 500 }]);
    });

    it.each<[string, object]>([
      ['of other charges by their numbers', { transaction: 1641, merchant_note: 'xxx' }],
      ['without any transaction, but with another note', { transaction: null, merchant_note: 'xxx' }],
    ])('sends a refund where the list has one %s', async (_, fields) => {
      const { transaction_reference: __, ...listed } = fetchedRefund.data;
      respond(transaction({}), list({ ...listed, ...fields }), { body: queuedRefund });
      expect(await paystack.refund(refundOrder, context())).toEqual({ kind: 'accepted', reference: REFUND });
      expect(paths(requests()).at(-1)).toBe('POST /refund');
    });

    it('lists a refund of the fees that the customer paid on top as one of the payment alone', async () => {
      const whole = { ...fetchedRefund.data, amount: 40_333, merchant_note: 'of the dashboard' };
      respond(transaction({ requested_amount: 30_050 }), list(whole, { ...whole, id: 9, amount: 700 }));
      expect(await paystack.listRefunds?.(charge, context())).toMatchObject([
        { reference: REFUND, amount: 30_050, ourId: null },
        { reference: '9', amount: 700, ourId: null },
      ]);
    });

    it('throws PspRefused for a refund that Paystack refuses', async () => {
      const exceeded = refused(400, 'Refund amount cannot be more than transaction amount', {
        code: 'refund_amount_exceeded',
      });
      respond(transaction({}), list(), exceeded, transaction({}), list());
      expect(await errorOf(paystack.refund(refundOrder, context()))).toMatchObject({
        name: 'PspRefused',
        kind: 'request',
        provider_code: 'refund_amount_exceeded',
      });
    });

    it.each<[string, readonly CannedResponse[], object]>([
      [
        'which is listed after all, is that one',
        [transaction({}), list(fetchedRefund.data)],
        { kind: 'succeeded', reference: REFUND },
      ],
      ['it cannot be searched, and is unknown', ['cut'], { name: 'PspOutcomeUnknown' }],
    ])('handles a refund that is refused because of a concurrent one: %s', async (_, looks, outcome) => {
      respond(transaction({}), list(), refused(400, 'Transaction has been fully reversed'), ...looks);
      expect(await paystack.refund(refundOrder, context()).catch((error: unknown) => error)).toMatchObject(outcome);
    });

    it.each([
      ['needs-attention', 'accepted'],
      ['processing', 'accepted'],
      ['of the future', 'accepted'],
    ])('maps the refund status %s to %s, with the amount also as text', async (status, kind) => {
      respond(of(fetchedRefund, { status, amount: '500' }));
      expect(await paystack.fetchRefund({ reference: REFUND, paymentId, charge: REFERENCE }, context())).toMatchObject({
        kind,
        amount: 500,
        currency: 'NGN',
      });
    });

    it('lists all refunds of a charge, and only those', async () => {
      respond(transaction({}), list(fetchedRefund.data, others[0]!, { ...queuedRefund.data, id: 7 }));
      expect(await paystack.listRefunds?.(charge, context())).toEqual([
        { kind: 'succeeded', reference: REFUND, amount: 500, currency: 'NGN', ourId: 're_01jc0000000000000000000001' },
        { kind: 'accepted', reference: '7', amount: 500, currency: 'NGN', ourId: 're_01jc0000000000000000000001' },
      ]);
    });
  });

  it.runIf(specsThere || inCi)(
    'reports a field that the API document does not name (needs ../shared/psp-specs)',
    () => {
      const check = dialect.check();
      const headers = { 'content-type': 'application/json', authorization: `Bearer ${CANARIES[0]}` };
      const request = (path: string, body: object) => ({
        method: 'POST',
        path,
        query: new URLSearchParams(),
        headers,
        body: JSON.stringify(body),
      });
      const paying = { email: 'kim@example.com', amount: 1 };
      expect(check(request('/charge', paying))).toEqual([]);
      expect(check(request('/charge', { ...paying, colour: 'red' }))).not.toEqual([]);
      expect(check(request('/charge', { amount: 1 }))).not.toEqual([]);
      expect(check(request('/transaction/initialize', { ...paying, channels: ['pigeon'] }))).not.toEqual([]);
    },
  );
};

describe('paystack', () => describePsp(dialect, ownCases));
