import { describe, expect, it } from 'vitest';
import { declineOf, FAILURES } from '#shared/domain/payments/declines.catalog.ts';
import { type ChargeOrder, PspNotSent, PspOutcomeUnknown, PspRefused } from '#shared/ports/psp.port.ts';
import { paypal } from '#shared/psp/paypal/adapter.ts';
import type { CannedResponse, ReceivedRequest } from '#test/contract/canned-server.ts';
import { inCi, specsThere } from '#test/contract/openapi-check.ts';
import { paypalCheck } from '#test/contract/paypal-openapi.ts';
import { type Bench, describePsp, type Money, type PspDialect } from '#test/contract/psp.contract.ts';
import { CAPTURE_ID } from '#test/contract/psp-capture.contract.ts';
import accessToken from '#test/fixtures/paypal/access-token.json' with { type: 'json' };
import capture from '#test/fixtures/paypal/capture.json' with { type: 'json' };
import declinedAnswer from '#test/fixtures/paypal/instrument-declined.json' with { type: 'json' };
import approved from '#test/fixtures/paypal/order-approved.json' with { type: 'json' };
import completed from '#test/fixtures/paypal/order-completed.json' with { type: 'json' };
import waiting from '#test/fixtures/paypal/order-waiting.json' with { type: 'json' };
import refund from '#test/fixtures/paypal/refund.json' with { type: 'json' };
import webhook from '#test/fixtures/paypal/webhook.json' with { type: 'json' };

type Credentials = Parameters<typeof paypal.ping>[0]['credentials'];

const LOGIN = '/v1/oauth2/token';
const CANARIES = ['CANARYCLIENTID', 'CANARYCLIENTSECRET', 'CANARYVAULTID', accessToken.access_token];
const ORDER = waiting.id;
const CAPTURE = capture.id;

const euro: Money = { amount: 1099, currency: 'EUR', sent: '10.99' };
const amountOf = ({ sent, currency }: Money) => ({ currency_code: currency, value: sent });
const withCapture = (fields: object, order: object = {}) => ({
  ...completed,
  ...order,
  purchase_units: [{ ...completed.purchase_units[0], payments: { captures: [{ ...capture, ...fields }] } }],
});
const paid = (money: Money) => withCapture({ amount: amountOf(money) });
const refused = (status: number, issue: string, name = 'UNPROCESSABLE_ENTITY'): CannedResponse => ({
  status,
  body: {
    name,
    message: `Quotes ${CANARIES.join(' ')}`,
    debug_id: '14ae67ac25d2f',
    details: [{ issue, description: `Quotes ${CANARIES.join(' ')}` }],
  },
});

/** For one field of what was sent. */
const ofField = (status: number, issue: string, field: string): CannedResponse => ({
  status,
  body: {
    name: 'INVALID_REQUEST',
    message: `Quotes ${CANARIES.join(' ')}`,
    debug_id: '14ae67ac25d2f',
    details: [{ issue, field, location: 'body' }],
  },
});
const NOT_FOUND = refused(404, 'INVALID_RESOURCE_ID', 'RESOURCE_NOT_FOUND');
const BAD_TOKEN: CannedResponse = {
  status: 401,
  body: { error: 'invalid_token', error_description: `Quotes ${CANARIES.join(' ')}` },
};

/** Enrollment, authentication and liability shift. */
type Result = [enrollment: string | undefined, authentication: string | undefined, shift: string];

const isProcessorCode = (reason: string) => /^[0-9A-Z]{4}$/.test(reason);
const sentBody = ({ body }: ReceivedRequest) => (body.startsWith('{') ? JSON.parse(body) : {});
const [unit] = waiting.purchase_units;

const AUTHORIZATION = {
  id: '0VF52814937998046',
  status: 'CREATED',
  amount: { currency_code: 'EUR', value: '5.00' },
  expiration_time: '2026-01-30T00:00:00Z',
  create_time: '2026-01-01T00:00:00Z',
  update_time: '2026-01-01T00:00:00Z',
  links: [],
};
/** An order of 5 EUR whose money is reserved, or was. */
const held = (fields: object, captures: readonly object[] = []) => ({
  ...completed,
  id: ORDER,
  intent: 'AUTHORIZE',
  purchase_units: [
    { ...completed.purchase_units[0], payments: { authorizations: [{ ...AUTHORIZATION, ...fields }], captures } },
  ],
});
const AUTHORIZATION_STATES = {
  open: {},
  closed: { status: 'CAPTURED' },
  canceled: { status: 'VOIDED', update_time: '2026-01-02T00:00:00Z' },
  expired: { status: 'VOIDED', update_time: '2026-01-30T00:00:00Z' },
} as const;
const captureOf = (value: string, invoice_id: string) => ({
  ...capture,
  amount: { currency_code: 'EUR', value },
  invoice_id,
});
/** 3 EUR are captured by us. What is more was captured by the merchant. */
const capturesOf = (total: number) => [
  ...(total > 0 ? [captureOf('3.00', CAPTURE_ID)] : []),
  ...(total > 300 ? [captureOf(`${(total - 300) / 100}.00`, 'order-1')] : []),
];

const dialect: PspDialect<Credentials> = {
  adapter: paypal,
  credentials: { client_id: CANARIES[0], client_secret: CANARIES[1], webhook_secret: webhook.id },
  token: CANARIES[2],
  canaries: CANARIES,
  reference: CAPTURE,
  openReference: ORDER,
  refundReference: refund.id,
  unsupported: ['account_name', 'page_end'],
  responsesByPath: { [LOGIN]: { body: accessToken } },
  sentMetadata: { charge: unit?.custom_id, refund: refund.custom_id },
  money: [
    euro,
    { amount: 500, currency: 'JPY', sent: '500' },
    { amount: 25_000, currency: 'HUF', sent: '250' },
    { amount: 25_000, currency: 'TWD', sent: '250' },
    { amount: 99_999_999, currency: 'USD', sent: '999999.99' },
  ],
  unsupportedAmounts: [
    { amount: 25_050, currency: 'HUF' },
    { amount: 150, currency: 'TWD' },
    { amount: 5_124, currency: 'KWD' },
    { amount: 100, currency: 'XXX' },
    { amount: 0, currency: 'USD' },
  ],
  declines: [
    ['5120', 'insufficient_funds', 'retry_same_later'],
    ['5100', 'card_declined', 'retry_other_psp'],
    ['0500', 'do_not_honor', 'retry_other_psp'],
    ['5110', 'incorrect_cvc', 'fix_input'],
    ['5650', 'authentication_required', 'fix_input'],
    ['5400', 'expired_card', 'new_method'],
    ['5700', 'transaction_not_allowed', 'new_method'],
    ['5910', 'issuer_unavailable', 'never'],
    ['5920', 'issuer_unavailable', 'retry_other_psp'],
    ['PPNL', 'limit_exceeded', 'retry_same_later'],
    ['PPTR', 'authorization_revoked', 'never'],
    ['9100', 'try_again_later', 'retry_other_psp'],
    ['1330', 'invalid_account', 'never'],
    ['5180', 'invalid_account', 'never'],
    ['9500', 'fraud_suspected', 'never'],
    ['9510', 'fraud_suspected', 'never'],
    ['9520', 'lost_card', 'never'],
    ['9530', 'restricted_card', 'never'],
    ['9540', 'restricted_card', 'never'],
    ['PCNR', 'authentication_required', 'fix_input'],
    ['ZZZZ', 'card_declined', 'retry_same_later'],
    ['PAYMENT_DENIED', 'card_declined', 'new_method'],
    ['AN_ISSUE_OF_NO_LIST', 'card_declined', 'retry_same_later'],
    ['INSTRUMENT_DECLINED', 'card_declined', 'new_method'],
    ['TRANSACTION_REFUSED', 'card_declined', 'new_method'],
    ['PAYER_CANNOT_PAY', 'transaction_not_allowed', 'new_method'],
    ['PAYER_ACTION_REQUIRED', 'authentication_required', 'fix_input'],
    ['MAX_NUMBER_OF_PAYMENT_ATTEMPTS_EXCEEDED', 'limit_exceeded', 'new_method'],
    ['COMPLIANCE_VIOLATION', 'transaction_not_allowed', 'never'],
  ],
  responses: {
    approved: (money) => [{ status: 201, body: paid(money) }],
    declined: (reason) =>
      isProcessorCode(reason)
        ? [{ status: 201, body: withCapture({ status: 'DECLINED', processor_response: { response_code: reason } }) }]
        : [refused(422, reason)],
    redirected: [{ status: 201, body: waiting }],
    hosted: [{ status: 201, body: waiting }],
    pending: [
      { status: 201, body: { ...approved, links: [] } },
      { status: 500, body: {} },
    ],
    refunded: ({ sent, currency }, state) => [
      {
        status: 201,
        body: {
          ...refund,
          amount: { value: sent, currency_code: currency },
          status: { succeeded: 'COMPLETED', pending: 'PENDING', failed: 'FAILED' }[state],
        },
      },
    ],
    fetched: (money) => [NOT_FOUND, { body: { ...capture, amount: amountOf(money) } }],
    canceled: [{ body: waiting }],
    cancelTooLate: [{ body: paid(euro) }],
    account: [{ body: webhook }],
    badCredentials: BAD_TOKEN,
    notFound: NOT_FOUND,
  },
  amountIn: (request) => {
    const { purchase_units, amount } = sentBody(request);
    return (purchase_units?.[0].amount ?? amount)?.value;
  },
  idempotencyFields: ({ method, path, headers, body }) => ({
    method,
    path,
    key: headers['paypal-request-id'],
    prefer: headers.prefer,
    body,
  }),
  metadataIn: (request) => sentBody(request).purchase_units?.[0].custom_id ?? sentBody(request).custom_id,
  capture: {
    reference: ORDER,
    captureReference: CAPTURE,
    modeIn: (request) => sentBody(request).intent,
    modes: { token: 'AUTHORIZE', page: 'AUTHORIZE' },
    authorized: (money) => [{ status: 201, body: held({ amount: amountOf(money) }) }],
    captured: (money, state) => [
      { body: held({}) },
      {
        status: 201,
        body: {
          ...capture,
          amount: amountOf(money),
          status: { succeeded: 'COMPLETED', accepted: 'PENDING', failed: 'DECLINED' }[state],
          processor_response: { response_code: state === 'failed' ? '5120' : '0000' },
        },
      },
    ],
    states: ['succeeded', 'accepted', 'failed'],
    lookedUp: (state, captured) => [{ body: held(AUTHORIZATION_STATES[state], capturesOf(captured)) }],
    isFinalIn: (request) => sentBody(request).final_capture === true,
    released: [{ body: held({}) }, { body: AUTHORIZATION }],
    releaseOutcome: 'canceled',
    releasedTooLate: [{ body: held({ status: 'CAPTURED' }) }],
  },
  fiveEurosSent: '5.00',
  check: () => {
    const published = paypalCheck();
    const keyless = ({ method, path, headers }: ReceivedRequest) =>
      // A void has no key, and a second one is harmless.
      method === 'POST' && path !== LOGIN && !path.endsWith('/void') && !headers['paypal-request-id'];
    return (request) => [...published(request), ...(keyless(request) ? [`${request.path} has no key`] : [])];
  },
};

const paths = (requests: readonly ReceivedRequest[]) =>
  requests.map(({ method, path }) => `${method} ${path.replace(/[A-Z0-9]{17}/, 'id')}`);
const KEY = `${ORDER}-capture-approved-20260101000004`;

const ownCases = ({ respond, requests, context, order, errorOf }: Bench<Credentials>): void => {
  const { paymentId, attemptId, metadata } = order;
  const onPage: ChargeOrder = { ...order, paymentMethod: { type: 'card' } };
  const charge = { reference: ORDER, paymentId, attemptId, mayCapture: true };
  const confirm = () => paypal.confirm({ reference: ORDER, order: onPage, input: {} }, context());
  const fetchIt = (mayCapture = true) => paypal.fetch({ ...charge, mayCapture }, context());

  describe('the PayPal adapter on captures', () => {
    const [FIRST, SECOND] = ['CAPTURE1', 'CAPTURE2'] as const;
    const refundOf = (amount: number) => ({
      paymentId,
      refundId: 're_01jc0000000000000000000001',
      reference: ORDER,
      amount,
      currency: 'EUR',
      metadata,
      captures: [
        { reference: FIRST, amount: 200 },
        { reference: SECOND, amount: 300 },
      ],
    });
    const refunded = (value: string, invoice_id: string) => ({
      ...refund,
      amount: { currency_code: 'EUR', value },
      invoice_id,
      links: [{ rel: 'up', href: `https://api-m.sandbox.paypal.com/v2/payments/captures/${SECOND}`, method: 'GET' }],
    });
    const withRefunds = (...refunds: readonly object[]) => {
      const order = held({ status: 'CAPTURED' }, capturesOf(500));
      const [only] = order.purchase_units;
      return { ...order, purchase_units: [{ ...only, payments: { ...only?.payments, refunds } }] };
    };

    it('refunds the first capture that has enough left', async () => {
      respond({ body: withRefunds(refunded('0.50', 'order-7')) }, { status: 201, body: refund });
      expect(await paypal.refund(refundOf(250), context())).toMatchObject({ kind: 'succeeded' });
      expect(requests()[1]?.path).toBe(`/v2/payments/captures/${SECOND}/refund`);
    });

    it('refuses a refund that no single capture has enough left for', async () => {
      respond({ body: withRefunds(refunded('0.51', 'order-7')) });
      expect(await paypal.refund(refundOf(250), context())).toMatchObject({
        kind: 'failed',
        decline: { code: 'amount_not_supported' },
      });
      expect(requests().map(({ method }) => method)).toEqual(['GET']);
    });

    it('finds a refund that it has sent before by its invoice id', async () => {
      respond({ body: withRefunds(refunded('2.50', refundOf(250).refundId)) });
      expect(await paypal.refund(refundOf(250), context())).toMatchObject({ kind: 'succeeded', reference: refund.id });
      expect(requests()).toHaveLength(1);
    });

    it('refunds the only capture without a look-up', async () => {
      respond({ status: 201, body: refund });
      const [only] = refundOf(100).captures.slice(1);
      await paypal.refund({ ...refundOf(100), captures: only ? [only] : [] }, context());
      expect(requests().map(({ path }) => path)).toEqual([`/v2/payments/captures/${SECOND}/refund`]);
    });

    it('gives up the hold of an order that is not authorized yet by not authorizing it', async () => {
      respond({ body: { ...waiting, intent: 'AUTHORIZE' } });
      expect(await paypal.cancel({ ...charge, manual: true }, context())).toEqual({
        kind: 'canceled',
        reference: ORDER,
      });
      expect(requests().map(({ method }) => method)).toEqual(['GET']);
    });
  });

  describe('the PayPal adapter on orders', () => {
    it('sends the attempt as the invoice id and as the key', async () => {
      respond({ status: 201, body: paid(euro) });
      await paypal.create(order, context());
      const [sent] = requests();
      expect(sent?.headers['paypal-request-id']).toBe(attemptId);
      expect(sentBody(sent!)).toMatchObject({
        intent: 'CAPTURE',
        purchase_units: [{ invoice_id: attemptId, description: 'Order 1' }],
      });
    });

    it.each<[string, string, ChargeOrder['paymentMethod']['token'], object]>([
      ['a saved card', 'card', 'abc-1', { card: { vault_id: 'abc-1' } }],
      ['a saved account', 'wallet', 'abc-1', { paypal: { vault_id: 'abc-1' } }],
      [
        'a saved account, whatever the method',
        'card',
        { vault_id: 'abc-1', source: 'paypal' },
        { paypal: { vault_id: 'abc-1' } },
      ],
      ['a word of the simulator', 'card', 'needs_3ds', { card: { vault_id: 'needs_3ds' } }],
    ])('accepts %s as a token', async (_, method, token, payment_source) => {
      respond({ status: 201, body: paid(euro) });
      await paypal.create({ ...order, method, paymentMethod: { type: method, token } }, context());
      expect(sentBody(requests()[0]!)).toMatchObject({ payment_source });
    });

    const back = { return_url: order.returnUrl, cancel_url: order.returnUrl };
    const away: ChargeOrder = { ...order, offSession: true };
    const account = { method: 'wallet', paymentMethod: { type: 'wallet', token: 'abc-1' } } as const;

    it.each<[string, ChargeOrder, object]>([
      [
        'a card whose payer is away says that the merchant charges it, as agreed',
        away,
        {
          card: {
            vault_id: CANARIES[2],
            stored_credential: { payment_initiator: 'MERCHANT', payment_type: 'RECURRING', usage: 'SUBSEQUENT' },
            experience_context: back,
          },
        },
      ],
      [
        'a card whose payer is there lets the bank ask',
        order,
        {
          card: {
            vault_id: CANARIES[2],
            stored_credential: { payment_initiator: 'CUSTOMER', payment_type: 'ONE_TIME', usage: 'SUBSEQUENT' },
            attributes: { verification: { method: 'SCA_WHEN_REQUIRED' } },
            experience_context: back,
          },
        },
      ],
      [
        'an account whose payer is away says that the merchant charges it',
        { ...away, ...account },
        {
          paypal: {
            vault_id: 'abc-1',
            stored_credential: { payment_initiator: 'MERCHANT', usage: 'SUBSEQUENT' },
            experience_context: back,
          },
        },
      ],
      [
        'an account whose payer is there says nothing of it',
        { ...order, ...account },
        { paypal: { vault_id: 'abc-1', experience_context: back } },
      ],
    ])('with %s', async (_, asked, payment_source) => {
      respond({ status: 201, body: paid(euro) });
      await paypal.create(asked, context());
      const [sent] = requests();
      expect(sent?.headers).toMatchObject({ 'paypal-request-id': attemptId, prefer: 'return=representation' });
      expect(sentBody(sent!)).toEqual({
        intent: 'CAPTURE',
        purchase_units: [
          {
            amount: { currency_code: 'EUR', value: '10.99' },
            custom_id: [metadata.org_id, metadata.connection_id, metadata.payment_id].join('|'),
            invoice_id: attemptId,
            description: 'Order 1',
          },
        ],
        payment_source,
      });
    });

    it('makes no off-session order without a saved method', async () => {
      expect(await errorOf(paypal.create({ ...away, paymentMethod: { type: 'card' } }, context()))).toMatchObject({
        name: 'PspRefused',
        kind: 'request',
      });
      expect(requests()).toEqual([]);
    });

    it('redirects the absent payer who must come back', async () => {
      respond({ status: 201, body: waiting });
      expect(await paypal.create(away, context())).toMatchObject({
        kind: 'requires_action',
        reference: ORDER,
        action: { type: 'redirect' },
      });
    });

    const declinedWith = (processor_response: object): CannedResponse => ({
      status: 201,
      body: withCapture({ status: 'DECLINED', processor_response }),
    });
    it.each<[string, CannedResponse, Parameters<typeof declineOf>]>([
      ['the bank wants the payer', declinedWith({ response_code: '5650' }), ['authentication_required', '5650']],
      [
        'PayPal wants the payer',
        refused(422, 'PAYER_ACTION_REQUIRED'),
        ['authentication_required', 'PAYER_ACTION_REQUIRED'],
      ],
      [
        'the payer has ended the series',
        declinedWith({ response_code: '5100', payment_advice_code: '21' }),
        ['authorization_revoked', '5100'],
      ],
      ['the payer has had it stopped', declinedWith({ response_code: '0R00' }), ['authorization_revoked', '0R00']],
      [
        'the agreement has ended',
        refused(422, 'AGREEMENT_ALREADY_CANCELLED'),
        ['authorization_revoked', 'AGREEMENT_ALREADY_CANCELLED'],
      ],
      [
        'the vault has no such token',
        refused(422, 'TOKEN_ID_NOT_FOUND'),
        ['invalid_payment_method', 'TOKEN_ID_NOT_FOUND'],
      ],
      ['the token has expired', refused(422, 'TOKEN_EXPIRED'), ['invalid_payment_method', 'TOKEN_EXPIRED']],
      ['the card has expired', declinedWith({ response_code: '5400' }), ['expired_card', '5400']],
      [
        'the card behind the token has expired',
        refused(422, 'REFERENCED_CARD_EXPIRED'),
        ['expired_card', 'REFERENCED_CARD_EXPIRED'],
      ],
      ['what is behind the account has expired', declinedWith({ response_code: 'PPEF' }), ['expired_card', 'PPEF']],
      ['the account is closed', declinedWith({ response_code: 'PP06' }), ['invalid_account', 'PP06']],
      [
        'the card is reported lost, besides',
        declinedWith({ response_code: '9520', payment_advice_code: '21' }),
        ['lost_card', '9520', 'never'],
      ],
    ])('declines an off-session order when %s, for good unless for authentication', async (_, reply, decline) => {
      respond(reply);
      expect(FAILURES[decline[0]].category).toBe(
        decline[0] === 'authentication_required' ? 'soft_decline' : 'hard_decline',
      );
      expect(await paypal.create(away, context())).toMatchObject({ kind: 'declined', decline: declineOf(...decline) });
    });

    it.each<[string, ChargeOrder['paymentMethod']['token'], boolean]>([
      ['a saved method', 'abc-1', true],
      ['a saved method of the vault of before', '8kk8451t', true],
      ['a saved card', { vault_id: 'abc-1', source: 'card' }, true],
      ['a saved account', { vault_id: 'abc-1', source: 'paypal' }, true],
      ['a word of the simulator', 'ok', true],
      ['another', 'decline_expired_card', true],
      ['a word of the simulator, for an account', { vault_id: 'needs_3ds', source: 'paypal' }, true],
      ['an order that was approved', ORDER, false],
      ['an order that was approved, for an account', { vault_id: ORDER, source: 'paypal' }, false],
      ['an approval of before', `EC-${ORDER}`, false],
      ['a text of another form', 'a b', false],
      ['nothing', '', false],
      ['an object of other fields', { id: 'abc-1' }, false],
      ['a source that there is not', { vault_id: 'abc-1', source: 'venmo' }, false],
    ])('says whether an order with %s is reusable: %j is %s', (_, token, expected) => {
      for (const method of ['card', 'wallet']) expect(paypal.isReusableToken(token!, method)).toBe(expected);
    });

    it.each(['a b', '', { pan: '4242' }])('rejects the token %j without a call', async (token) => {
      const asked = paypal.create({ ...order, paymentMethod: { type: 'card', token: token as string } }, context());
      expect(await errorOf(asked)).toMatchObject({ name: 'PspRefused', kind: 'request' });
      expect(requests()).toEqual([]);
    });

    it('sends our return URL for success and for cancel', async () => {
      respond({ status: 201, body: waiting });
      expect(await paypal.create(onPage, context())).toEqual({
        kind: 'requires_action',
        reference: ORDER,
        action: { type: 'redirect', url: `https://www.sandbox.paypal.com/checkoutnow?token=${ORDER}`, method: 'GET' },
      });
      const { experience_context } = sentBody(requests()[0]!).payment_source.paypal;
      expect(experience_context).toMatchObject({
        return_url: order.returnUrl,
        cancel_url: order.returnUrl,
        user_action: 'PAY_NOW',
      });
    });

    it.each<[string, object, object]>([
      ['is with the customer', { ...waiting, status: 'CREATED' }, { kind: 'requires_action', reference: ORDER }],
      ['names no page', { ...waiting, links: [] }, { kind: 'processing', reference: ORDER }],
      ['is saved', { ...waiting, status: 'SAVED' }, { kind: 'processing', reference: ORDER }],
      ['is voided', { ...waiting, status: 'VOIDED' }, { kind: 'canceled', reference: ORDER }],
      ['is in a state of the future', { ...waiting, status: 'PAUSED' }, { kind: 'processing', reference: ORDER }],
      [
        'is completed and shows no capture',
        { ...waiting, status: 'COMPLETED' },
        { kind: 'processing', reference: ORDER },
      ],
      [
        'is completed, its capture pending',
        withCapture({ status: 'PENDING' }),
        { kind: 'processing', reference: CAPTURE },
      ],
      [
        'is completed, its capture declined',
        withCapture({ status: 'DECLINED' }),
        { kind: 'declined', reference: CAPTURE },
      ],
      ['is completed, its capture failed', withCapture({ status: 'FAILED' }), { kind: 'declined', reference: CAPTURE }],
      [
        'is completed, its capture in a state of the future',
        withCapture({ status: 'HELD' }),
        { kind: 'processing', reference: CAPTURE },
      ],
      [
        'was given back in part',
        withCapture({ status: 'PARTIALLY_REFUNDED' }),
        { kind: 'succeeded', reference: CAPTURE, amount: 1099 },
      ],
      ['was given back', withCapture({ status: 'REFUNDED' }), { kind: 'succeeded', reference: CAPTURE, amount: 1099 }],
    ])('that %s', async (_, body, expected) => {
      respond({ body });
      expect(await fetchIt()).toMatchObject(expected);
      expect(paths(requests())).toEqual(['GET /v2/checkout/orders/id']);
    });

    it.each(['10.999', '1e3', '-1.00', '', '10,99'])('leaves an order with the amount %j unknown', async (value) => {
      respond({ body: withCapture({ amount: { currency_code: 'EUR', value } }) });
      expect(await errorOf(fetchIt())).toBeInstanceOf(PspOutcomeUnknown);
    });

    it.each([
      ['01', 'fix_input'],
      ['02', 'retry_same_later', 'MASTERCARD'],
      ['02', 'never', 'VISA'],
      ['03', 'never'],
      ['42', 'never'],
      ['99', 'retry_same_later'],
    ])('maps the advice %s to the decline class %s', async (payment_advice_code, retry, brand = 'MASTERCARD') => {
      const processor_response = { response_code: '5100', payment_advice_code };
      const source = { payment_source: { card: { brand } } };
      respond({ status: 201, body: withCapture({ status: 'DECLINED', processor_response }, source) });
      expect(await paypal.create(order, context())).toMatchObject({
        kind: 'declined',
        decline: { code: 'card_declined', retry },
      });
    });

    it.each<[string, CannedResponse]>([
      ['has been charged before under its invoice', refused(422, 'DUPLICATE_INVOICE_ID')],
      ['went out with another body', refused(422, 'DUPLICATE_REQUEST_ID')],
      ['is being completed by PayPal', refused(422, 'ORDER_COMPLETION_IN_PROGRESS')],
      ['waits for PayPal to approve it', refused(422, 'ORDER_IS_PENDING_APPROVAL')],
      ['is a duplicate by a name of no list', refused(422, 'DUPLICATE_SOMETHING')],
      ['still runs', refused(409, 'PREVIOUS_REQUEST_IN_PROGRESS', 'RESOURCE_CONFLICT')],
    ])('throws PspOutcomeUnknown when an order %s', async (_, reply) => {
      respond(reply);
      expect(await errorOf(paypal.create(order, context()))).toBeInstanceOf(PspOutcomeUnknown);
    });

    it.each<[string, CannedResponse, ...Parameters<typeof declineOf>]>([
      [
        'a token of the wrong form',
        ofField(400, 'INVALID_PARAMETER_SYNTAX', '/payment_source/card/vault_id'),
        'invalid_payment_method',
        'INVALID_PARAMETER_SYNTAX',
      ],
      [
        'a token that is not there',
        refused(404, 'INVALID_RESOURCE_ID', 'RESOURCE_NOT_FOUND'),
        'invalid_payment_method',
        'INVALID_RESOURCE_ID',
      ],
      [
        'an amount above its maximum',
        refused(400, 'MAX_VALUE_EXCEEDED', 'INVALID_REQUEST'),
        'amount_not_supported',
        'MAX_VALUE_EXCEEDED',
      ],
      [
        "the receiver's limit",
        refused(422, 'TRANSACTION_RECEIVING_LIMIT_EXCEEDED'),
        'amount_not_supported',
        'TRANSACTION_RECEIVING_LIMIT_EXCEEDED',
      ],
      [
        'its currency',
        refused(422, 'CURRENCY_NOT_SUPPORTED_FOR_COUNTRY'),
        'currency_not_supported',
        'CURRENCY_NOT_SUPPORTED_FOR_COUNTRY',
      ],
      [
        'a card at an account for none',
        refused(422, 'NOT_ENABLED_FOR_CARD_PROCESSING'),
        'method_not_supported',
        'NOT_ENABLED_FOR_CARD_PROCESSING',
      ],
    ])('declines an order for %s, without blaming the account', async (_, reply, ...decline) => {
      respond(reply);
      expect(await paypal.create(order, context())).toEqual({
        kind: 'declined',
        reference: null,
        decline: declineOf(...decline),
      });
    });

    it('throws PspRefused for another field of ours, and for a missing object without a token', async () => {
      respond(ofField(400, 'INVALID_PARAMETER_SYNTAX', '/purchase_units/0/invoice_id'));
      expect(await errorOf(paypal.create(order, context()))).toMatchObject({ name: 'PspRefused', kind: 'request' });
      respond(refused(404, 'INVALID_RESOURCE_ID', 'RESOURCE_NOT_FOUND'));
      expect(await errorOf(paypal.create({ ...order, paymentMethod: { type: 'card' } }, context()))).toMatchObject({
        name: 'PspRefused',
        kind: 'not_found',
      });
    });

    it.each<[string, CannedResponse, object]>([
      [
        'a right it lacks',
        refused(403, 'PERMISSION_DENIED', 'NOT_AUTHORIZED'),
        { kind: 'credentials', provider_code: 'PERMISSION_DENIED' },
      ],
      [
        'a parameter',
        refused(400, 'INVALID_PARAMETER_SYNTAX', 'INVALID_REQUEST'),
        { kind: 'request', provider_code: 'INVALID_PARAMETER_SYNTAX' },
      ],
      [
        "the merchant's account",
        refused(422, 'PAYEE_ACCOUNT_RESTRICTED'),
        { kind: 'account', provider_code: 'PAYEE_ACCOUNT_RESTRICTED' },
      ],
      [
        'words that are no code',
        refused(400, 'pm CANARY secret', 'INVALID_REQUEST'),
        { kind: 'request', provider_code: 'INVALID_REQUEST' },
      ],
    ])('throws our own message for a request refused for %s', async (_, reply, expected) => {
      respond(reply);
      const error = await errorOf(paypal.create(order, context()));
      expect(error).toMatchObject({ name: 'PspRefused', ...expected });
      expect(String(error)).not.toMatch(/Quotes|CANARY/);
    });
  });

  describe('the PayPal adapter on approved orders', () => {
    it.each<[string, () => Promise<unknown>]>([
      ['the customer who is back', confirm],
      ['a look while its money is wanted', () => fetchIt()],
      ['its creation', () => paypal.create(order, context())],
    ])('captures an order by %s, under one key', async (_, act) => {
      respond({ body: approved }, { status: 201, body: paid(euro) });
      expect(await act()).toMatchObject({ kind: 'succeeded', reference: CAPTURE, amount: 1099 });
      expect(requests().at(-1)).toMatchObject({
        method: 'POST',
        path: `/v2/checkout/orders/${ORDER}/capture`,
        headers: { 'paypal-request-id': KEY },
      });
    });

    it('does not capture an order once that is not allowed', async () => {
      respond({ body: approved });
      expect(await fetchIt(false)).toEqual({ kind: 'canceled', reference: ORDER });
      expect(paths(requests())).toEqual(['GET /v2/checkout/orders/id']);
    });

    it('captures an order under another key after the customer chose another method', async () => {
      respond({ body: { ...approved, update_time: '2026-01-01T00:09:00Z' } }, { status: 201, body: paid(euro) });
      await fetchIt();
      expect(requests()[1]?.headers['paypal-request-id']).not.toBe(KEY);
    });

    it.each<[string, CannedResponse]>([
      ['fails', { status: 500, body: {} }],
      ['brings nothing', 'cut'],
      ['is turned away', { status: 429, body: {} }],
      ['is not understood', { body: { hello: 'world' } }],
      ['still runs elsewhere', refused(409, 'PREVIOUS_REQUEST_IN_PROGRESS')],
      ['meets its own invoice', refused(422, 'DUPLICATE_INVOICE_ID')],
    ])('reports the capture as unknown when it %s', async (_, reply) => {
      const taking = { kind: 'processing', reference: ORDER, captureUnknown: true };
      for (const act of [fetchIt, confirm]) {
        respond({ body: approved }, reply);
        expect(await act()).toEqual(taking);
      }
    });

    it('returns the outcome of an order that another call has captured', async () => {
      respond({ body: approved }, refused(422, 'ORDER_ALREADY_CAPTURED'), { body: paid(euro) });
      expect(await confirm()).toMatchObject({ kind: 'succeeded', reference: CAPTURE });
    });

    it('sends the customer back to the same page when the method is declined', async () => {
      respond({ body: approved }, { status: 422, body: declinedAnswer });
      expect(await confirm()).toMatchObject({
        kind: 'requires_action',
        reference: ORDER,
        action: { url: expect.stringContaining(`token=${ORDER}`) },
      });
    });

    it.each(['PAYER_CANNOT_PAY', 'TRANSACTION_REFUSED', 'INSTRUMENT_DECLINED'])(
      'declines an order that PayPal refuses with %s when there is no page',
      async (issue) => {
        respond({ body: approved }, refused(422, issue));
        expect(await confirm()).toMatchObject({
          kind: 'declined',
          reference: ORDER,
          decline: { provider_code: issue },
        });
      },
    );

    it("that PayPal can't capture for the merchant's sake is refused", async () => {
      respond({ body: approved }, refused(422, 'PAYEE_ACCOUNT_RESTRICTED'));
      expect(await errorOf(confirm())).toMatchObject({ name: 'PspRefused', kind: 'account' });
    });

    const authenticated = (order: object, [enrollment_status, authentication_status, liability_shift]: Result) => ({
      ...order,
      payment_source: {
        card: {
          authentication_result: { liability_shift, three_d_secure: { enrollment_status, authentication_status } },
        },
      },
    });

    it.each<Result>([
      ['Y', 'N', 'NO'],
      ['Y', 'R', 'NO'],
      ['Y', 'U', 'UNKNOWN'],
      ['Y', 'U', 'NO'],
      ['Y', 'C', 'UNKNOWN'],
      ['Y', undefined, 'NO'],
      ['U', undefined, 'UNKNOWN'],
      [undefined, undefined, 'UNKNOWN'],
      [undefined, undefined, 'NO'],
      ['N', 'Y', 'NO'],
    ])('does not capture a card with the authentication result %s %s %s', async (...result) => {
      for (const act of [confirm, () => fetchIt()]) {
        respond({ body: authenticated(approved, result) });
        expect(await act()).toMatchObject({
          kind: 'declined',
          reference: ORDER,
          decline: { code: 'authentication_failed' },
        });
      }
      expect(requests().map(({ method }) => method)).toEqual(['GET', 'GET']);
    });

    it.each<Result>([
      ['Y', 'Y', 'POSSIBLE'],
      ['Y', 'A', 'POSSIBLE'],
      ['N', undefined, 'NO'],
      ['U', undefined, 'NO'],
      ['B', undefined, 'NO'],
    ])('captures a card with the authentication result %s %s %s', async (...result) => {
      for (const act of [confirm, () => fetchIt()]) {
        respond({ body: authenticated(approved, result) }, { status: 201, body: paid(euro) });
        expect(await act()).toMatchObject({ kind: 'succeeded', reference: CAPTURE });
      }
    });

    it('keeps waiting for a payer whose authentication is still running, and captures nothing', async () => {
      for (const act of [confirm, () => fetchIt()]) {
        respond({ body: authenticated(waiting, ['Y', 'C', 'UNKNOWN']) });
        expect(await act()).toMatchObject({ kind: 'requires_action', reference: ORDER });
      }
      expect(requests().map(({ method }) => method)).toEqual(['GET', 'GET']);
    });

    it.each(['0800', 'PPIF'])('asks again about a capture with the code %s, which may be approved', async (code) => {
      const undecided = withCapture({ status: 'DECLINED', processor_response: { response_code: code } });
      respond({ body: approved }, { status: 201, body: undecided });
      expect(await confirm()).toMatchObject({ kind: 'processing', reference: CAPTURE });
      respond(NOT_FOUND, { body: undecided.purchase_units[0]?.payments.captures[0] });
      expect(await paypal.fetch({ ...charge, reference: CAPTURE }, context())).toEqual({
        kind: 'processing',
        reference: CAPTURE,
      });
    });
  });

  describe('the PayPal adapter in a confirm', () => {
    it.each<[object, object | undefined]>([
      [{ token: ORDER, PayerID: 'QYR5Z8XDVJNXQ' }, {}],
      [{ token: ORDER }, {}],
      [{ token: '' }, undefined],
      [{}, undefined],
    ])('continues with the return parameters %j: %j', (parameters, expected) => {
      expect(paypal.readReturn?.(parameters as Record<string, string>)).toEqual(expected);
    });

    it('keeps waiting for a customer who has not approved', async () => {
      respond({ body: waiting }, refused(422, 'ORDER_NOT_APPROVED'));
      expect(await confirm()).toMatchObject({ kind: 'requires_action', reference: ORDER });
      expect(requests()[1]?.headers['paypal-request-id']).not.toBe(KEY);
    });

    it('changes nothing after the order was captured', async () => {
      respond({ body: paid(euro) });
      expect(await confirm()).toMatchObject({ kind: 'succeeded', reference: CAPTURE });
      expect(paths(requests())).toEqual(['GET /v2/checkout/orders/id']);
    });
  });

  describe('the PayPal adapter on cancels', () => {
    it.each(['CREATED', 'PAYER_ACTION_REQUIRED', 'APPROVED', 'SAVED', 'VOIDED'])(
      'cancels an order that is %s without a call that changes it',
      async (status) => {
        respond({ body: { ...approved, status } });
        expect(await paypal.cancel({ ...charge, mayCapture: false }, context())).toEqual({
          kind: 'canceled',
          reference: ORDER,
        });
        expect(paths(requests())).toEqual(['GET /v2/checkout/orders/id']);
      },
    );

    it.each<[string, object, object]>([
      ['is pending', withCapture({ status: 'PENDING' }), { kind: 'processing', reference: CAPTURE }],
      ['was declined', withCapture({ status: 'DECLINED' }), { kind: 'declined', reference: CAPTURE }],
      ['is in an unknown state', { ...waiting, status: 'PAUSED' }, { kind: 'processing', reference: ORDER }],
    ])('returns the outcome of an order whose capture %s', async (_, body, expected) => {
      respond({ body });
      expect(await paypal.cancel({ ...charge, mayCapture: false }, context())).toMatchObject(expected);
    });
  });

  describe('the PayPal adapter on refunds', () => {
    const refundOrder = {
      paymentId,
      refundId: 're_2',
      reference: CAPTURE,
      amount: 500,
      currency: 'EUR',
      metadata,
    };
    it('refunds the capture under the refund’s own id, and always sends the amount', async () => {
      respond({ status: 201, body: refund });
      await paypal.refund({ ...refundOrder }, context());
      expect(requests()[0]).toMatchObject({
        path: `/v2/payments/captures/${CAPTURE}/refund`,
        headers: { 'paypal-request-id': 're_2' },
      });
      expect(sentBody(requests()[0]!)).toMatchObject({
        invoice_id: 're_2',
        amount: { currency_code: 'EUR', value: '5.00' },
      });
    });

    it.each([
      ['CAPTURE_FULLY_REFUNDED', 'already_refunded'],
      ['REFUND_AMOUNT_EXCEEDED', 'already_refunded'],
      ['REFUND_AMOUNT_TOO_LOW', 'amount_not_supported'],
      ['REFUND_FAILED_INSUFFICIENT_FUNDS', 'insufficient_balance'],
      ['REFUND_TIME_LIMIT_EXCEEDED', 'expired'],
      ['PENDING_CAPTURE', 'try_again_later'],
    ])('fails a refund that PayPal refuses with %s', async (issue, why) => {
      respond(refused(422, issue));
      expect(await paypal.refund(refundOrder, context())).toEqual({
        kind: 'failed',
        reference: null,
        decline: { code: why, provider_code: issue },
      });
    });

    it('leaves a refund unknown whose invoice PayPal knows', async () => {
      respond(refused(422, 'DUPLICATE_INVOICE_ID'));
      expect(await errorOf(paypal.refund(refundOrder, context()))).toBeInstanceOf(PspOutcomeUnknown);
    });

    it('fails a canceled refund, and keeps one of an unknown status pending', async () => {
      respond(
        { status: 201, body: { ...refund, status: 'CANCELLED' } },
        { status: 201, body: { ...refund, status: 'QUEUED' } },
      );
      expect(await paypal.refund(refundOrder, context())).toMatchObject({
        kind: 'failed',
        reference: refund.id,
        decline: { code: 'refund_canceled' },
      });
      expect(await paypal.refund(refundOrder, context())).toMatchObject({ kind: 'accepted', reference: refund.id });
    });
  });

  describe('the PayPal adapter in a ping', () => {
    it('accepts an account that cannot read its webhooks', async () => {
      respond(refused(403, 'PERMISSION_DENIED', 'NOT_AUTHORIZED'));
      expect(await paypal.ping(context())).toEqual({ accountName: null });
    });

    it('rejects an account whose webhook PayPal does not know', async () => {
      respond(NOT_FOUND);
      expect(await errorOf(paypal.ping(context()))).toMatchObject({ name: 'PspRefused', kind: 'credentials' });
    });
  });

  describe('the PayPal adapter on access tokens', () => {
    type Login =
      | { readonly status?: number; readonly body: unknown; readonly headers?: Readonly<Record<string, string>> }
      | Error;
    let account = 0;
    /** A new account each time: tokens are cached for the whole process. */
    const psp = (logins: readonly Login[], statuses: readonly number[] = [200]) => {
      account += 1;
      const seen: string[] = [];
      let [login, call] = [0, 0];
      let at = Date.parse('2026-01-01T00:00:00Z');
      const take = (path: string): Login => {
        seen.push(path);
        if (path === LOGIN) return logins[Math.min(login++, logins.length - 1)]!;
        const status = statuses[Math.min(call++, statuses.length - 1)]!;
        return { status, body: status === 401 ? { error: 'invalid_token' } : webhook };
      };
      return {
        seen,
        advance: (ms: number) => {
          at += ms;
        },
        context: {
          credentials: {
            client_id: `client-${account}-x`,
            client_secret: 'a-secret-of-it',
            webhook_secret: webhook.id,
          },
          now: () => new Date(at),
          rootCertificates: () => [],
          send: async ({ path }: { readonly path: string }) => {
            const next = take(path);
            if (next instanceof Error) throw next;
            return {
              status: next.status ?? 200,
              headers: next.headers ?? {},
              text: typeof next.body === 'string' ? next.body : JSON.stringify(next.body),
            };
          },
        },
      };
    };
    const logins = ({ seen }: { readonly seen: readonly string[] }) => seen.filter((path) => path === LOGIN).length;

    it('fetches a token once for all calls until it is about to expire', async () => {
      const it = psp([{ body: accessToken }]);
      await Promise.all([paypal.ping(it.context), paypal.ping(it.context), paypal.ping(it.context)]);
      await paypal.ping(it.context);
      expect(logins(it)).toBe(1);
      it.advance((accessToken.expires_in - 59) * 1_000);
      await paypal.ping(it.context);
      expect(logins(it)).toBe(2);
    });

    it('fetches a refused token once more, and repeats the call', async () => {
      const it = psp([{ body: accessToken }], [401, 200]);
      expect(await paypal.ping(it.context)).toEqual({ accountName: null });
      expect(logins(it)).toBe(2);
    });

    it('treats a token that is refused twice as wrong credentials', async () => {
      const it = psp([{ body: accessToken }], [401]);
      expect(await errorOf(paypal.ping(it.context))).toMatchObject({ name: 'PspRefused', kind: 'credentials' });
      expect(logins(it)).toBe(2);
    });

    it.each<[string, Login, unknown, object]>([
      [
        'wrong',
        { status: 401, body: { error: 'invalid_client' } },
        PspRefused,
        { kind: 'credentials', provider_code: 'invalid_client' },
      ],
      [
        'wrong, in another status',
        { status: 400, body: { error: 'invalid_client' } },
        PspRefused,
        { kind: 'credentials' },
      ],
      [
        'turned away',
        { status: 429, headers: { 'retry-after': '9' }, body: {} },
        PspNotSent,
        { reason: 'rate_limited', retryAfter: 9 },
      ],
      ['not received', new PspOutcomeUnknown('No response.'), PspNotSent, { reason: 'unreachable' }],
      ['not sent', new PspNotSent('unreachable', 'Not reached.'), PspNotSent, { reason: 'unreachable' }],
      ['failing', { status: 503, body: {} }, PspNotSent, { reason: 'unreachable' }],
      ['garbled', { body: '<html>' }, PspNotSent, { reason: 'unreachable' }],
      ['strange', { body: { hello: 'world' } }, PspNotSent, { reason: 'unreachable' }],
      ['forbidden', { status: 403, body: { error: 'access_denied' } }, PspNotSent, { reason: 'unreachable' }],
    ])('throws PspNotSent when the login is %s', async (_, login, type, expected) => {
      const it = psp([login]);
      for (const act of [() => paypal.create(order, it.context), () => fetchWith(it.context)]) {
        const error = await errorOf(act());
        expect(error).toBeInstanceOf(type);
        expect(error).toMatchObject(expected);
      }
      expect(logins(it)).toBe(it.seen.length);
    });
    const fetchWith = (c: ReturnType<typeof psp>['context']) => paypal.fetch(charge, c);

    it('repeats a failed login with the next call', async () => {
      const it = psp([{ status: 503, body: {} }, { body: accessToken }]);
      await errorOf(paypal.ping(it.context));
      expect(await paypal.ping(it.context)).toEqual({ accountName: null });
    });
  });

  it('accepts up to five webhooks while one replaces another', () => {
    const parse = (webhook_secret: unknown) =>
      paypal.parseCredentials({ client_id: 'client-id', client_secret: 'client-secret', webhook_secret }).ok;
    expect([
      parse('1JE42'),
      parse(['1JE42', '2JE42']),
      parse([]),
      parse(Array(6).fill('1JE42')),
      parse('a/b'),
      parse(undefined),
    ]).toEqual([true, true, false, false, false, false]);
  });

  it.runIf(specsThere || inCi)('reports a field that the API documents do not name (needs ../shared/psp-specs)', () => {
    const headers = { 'content-type': 'application/json', authorization: 'Bearer 1', 'paypal-request-id': '1' };
    const request = (path: string, body: object): ReceivedRequest => ({
      method: 'POST',
      path,
      query: new URLSearchParams(),
      headers,
      body: JSON.stringify(body),
    });
    const amount = { currency_code: 'EUR', value: '1.00' };
    const check = dialect.check();
    expect(check(request('/v2/checkout/orders', { intent: 'CAPTURE', purchase_units: [{ amount }] }))).toEqual([]);
    expect(
      check(request('/v2/checkout/orders', { intent: 'CAPTURE', purchase_units: [{ amount, custom: 'x' }] })),
    ).not.toEqual([]);
    expect(check(request('/v2/checkout/orders', { purchase_units: [{ amount }] }))).not.toEqual([]);
    expect(check(request('/v2/payments/captures/1/refund', { amount: { ...amount, value: 100 } }))).not.toEqual([]);
  });
};

describe('paypal', () => describePsp(dialect, ownCases));
