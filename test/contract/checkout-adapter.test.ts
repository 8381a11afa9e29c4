import { describe, expect, it } from 'vitest';
import { declineOf, failureOf } from '#shared/domain/payments/declines.catalog.ts';
import {
  type ChargeOrder,
  PspNotSent,
  PspOutcomeUnknown,
  type PspRequest,
  type RefundOrder,
} from '#shared/ports/psp.port.ts';
import { checkout } from '#shared/psp/checkout/adapter.ts';
import type { CannedResponse, ReceivedRequest } from '#test/contract/canned-server.ts';
import { checkoutCheck } from '#test/contract/checkout-openapi.ts';
import { inCi, specsThere } from '#test/contract/openapi-check.ts';
import { type Bench, describePsp, type Money, type PspDialect } from '#test/contract/psp.contract.ts';
import { CAPTURE_ID, captureOrderOf } from '#test/contract/psp-capture.contract.ts';
import page from '#test/fixtures/checkout/hosted-page.json' with { type: 'json' };
import createdPage from '#test/fixtures/checkout/hosted-page-created.json' with { type: 'json' };
import actions from '#test/fixtures/checkout/payment-actions.json' with { type: 'json' };
import authorized from '#test/fixtures/checkout/payment-authorized.json' with { type: 'json' };
import captured from '#test/fixtures/checkout/payment-captured.json' with { type: 'json' };
import declined from '#test/fixtures/checkout/payment-declined.json' with { type: 'json' };
import pending from '#test/fixtures/checkout/payment-pending.json' with { type: 'json' };
import list from '#test/fixtures/checkout/payments-by-reference.json' with { type: 'json' };
import refundAccepted from '#test/fixtures/checkout/refund-accepted.json' with { type: 'json' };
import requestInvalid from '#test/fixtures/checkout/request-invalid.json' with { type: 'json' };
import voidAccepted from '#test/fixtures/checkout/void-accepted.json' with { type: 'json' };

type Credentials = Parameters<typeof checkout.ping>[0]['credentials'];

const CANARIES = [
  'sk_sbox_CANARYSECRETKEYaaaaaaaaaaaa',
  'CANARY-SIGNATURE-KEY',
  'tok_CANARYTOKENaaaaaaaaaaaaaaa',
] as const;
const LOOSE = `Quotes ${CANARIES.join(' ')}`;

const euro: Money = { amount: 1099, currency: 'EUR', sent: '1099' };
const taken = ({ sent, currency }: Money) => {
  const units = Number(sent);
  return {
    ...captured,
    amount: units,
    currency,
    balances: { ...captured.balances, total_authorized: units, total_captured: units, available_to_refund: units },
  };
};
const refused = (status: number, ...error_codes: readonly string[]): CannedResponse => ({
  status,
  body: { ...requestInvalid, error_codes, message: LOOSE },
});
const [REFUND, ...EARLIER] = actions;
const refundAction = (state: 'succeeded' | 'pending' | 'failed', amount = 500) => {
  const { approved: _, response_code: __, response_summary: ___, ...open } = { ...REFUND!, amount };
  if (state === 'pending') return open;
  return state === 'succeeded'
    ? { ...REFUND!, amount }
    : { ...open, approved: false, response_code: '20005', response_summary: LOOSE };
};
const bodyOf = ({ body }: ReceivedRequest): { readonly [name: string]: unknown } =>
  body === '' ? {} : JSON.parse(body);

const captureAccepted = { ...voidAccepted, action_id: 'act_y3oqhf46pyzuxjbcn2giaqnb45', reference: CAPTURE_ID };
/** A payment of 5 EUR that is captured later. */
const held = (fields: object, balances: object = {}) => ({
  ...captured,
  amount: 500,
  currency: 'EUR',
  ...fields,
  balances: {
    total_authorized: 500,
    total_voided: 0,
    available_to_void: 500,
    total_captured: 0,
    available_to_capture: 500,
    total_refunded: 0,
    available_to_refund: 0,
    ...balances,
  },
});
const STATUSES = { open: 'Authorized', closed: 'Partially Captured', canceled: 'Voided', expired: 'Expired' } as const;
const captureAction = (amount: number, reference: string) => ({
  id: captureAccepted.action_id,
  type: 'Capture',
  processed_on: captured.requested_on,
  amount,
  approved: true,
  response_code: '10000',
  reference,
});
/** 3 EUR are captured by us. What is more was captured by the merchant. */
const actionsOf = (total: number) => [
  ...(total > 300 ? [captureAction(total - 300, 'order 1')] : []),
  ...(total > 0 ? [captureAction(300, CAPTURE_ID)] : []),
];

const dialect: PspDialect<Credentials> = {
  adapter: checkout,
  credentials: {
    secret_key: CANARIES[0],
    processing_channel_id: 'pc_hpswyyx23geezflc2ocz3exn4y',
    host_prefix: 'demo1234',
    webhook_secret: CANARIES[1],
  },
  token: CANARIES[2],
  reusableTokens: [
    'src_nwd3m4in3hkuddfpjsaevunhdy',
    { id: 'src_nwd3m4in3hkuddfpjsaevunhdy', previous_payment_id: captured.id },
  ],
  canaries: CANARIES,
  reference: captured.id,
  refundReference: refundAccepted.action_id,
  unsupported: ['account_name', 'page_end'],
  refundStates: ['pending'],
  cancelOutcome: 'accepted',
  tooLate: 'state',
  money: [
    euro,
    { amount: 500, currency: 'JPY', sent: '500' },
    { amount: 500, currency: 'ISK', sent: '500' },
    { amount: 500, currency: 'CLP', sent: '50000' },
    { amount: 5120, currency: 'KWD', sent: '5120' },
    { amount: 250, currency: 'HUF', sent: '250' },
    { amount: 999_999_999, currency: 'USD', sent: '999999999' },
  ],
  unsupportedAmounts: [
    { amount: 5124, currency: 'KWD' },
    { amount: 1_000_000_000, currency: 'USD' },
    { amount: 10_000_000, currency: 'CLP' },
    { amount: 100, currency: 'CLF' },
    { amount: 100, currency: 'XXX' },
    { amount: 0, currency: 'USD' },
  ],
  declines: [
    ['20051', 'insufficient_funds', 'retry_same_later'],
    ['20005', 'do_not_honor', 'retry_other_psp'],
    ['20087', 'incorrect_cvc', 'fix_input'],
    ['20154', 'authentication_required', 'fix_input'],
    ['20054', 'expired_card', 'new_method'],
    ['20068', 'issuer_unavailable', 'retry_other_psp'],
    ['20059', 'fraud_suspected', 'never'],
    ['30041', 'lost_card', 'never'],
    ['30043', 'stolen_card', 'never'],
    ['40101', 'fraud_suspected', 'never'],
    ['200R1', 'authorization_revoked', 'never'],
    ['20046', 'card_declined', 'retry_other_psp'],
    ['20999', 'card_declined', 'retry_same_later'],
    ['30999', 'card_declined', 'never'],
  ],
  responses: {
    approved: (money) => [{ status: 201, body: taken(money) }],
    declined: (response_code) => [{ status: 201, body: { ...declined, response_code, response_summary: LOOSE } }],
    redirected: [{ status: 202, body: pending }],
    hosted: [{ status: 201, body: createdPage }],
    pending: [{ status: 202, body: { ...pending, _links: { self: pending._links.self } } }],
    refunded: () => [{ body: EARLIER }, { status: 202, body: refundAccepted }],
    fetchedRefund: ({ sent }, state) => [{ body: [refundAction(state, Number(sent)), ...EARLIER] }, { body: captured }],
    canceled: [{ status: 202, body: voidAccepted }],
    cancelTooLate: [{ status: 403, body: '' }],
    account: [{ body: { limit: 1, skip: 0, total_count: 0, data: [] } }],
    badCredentials: { status: 401, body: '' },
    notFound: { status: 404, body: '' },
  },
  amountIn: (request) => {
    const { amount } = bodyOf(request);
    return amount === undefined ? undefined : String(amount);
  },
  idempotencyFields: ({ method, path, headers, body }) => ({ method, path, key: headers['cko-idempotency-key'], body }),
  metadataIn: (request) => bodyOf(request).metadata,
  capture: {
    reference: captured.id,
    captureReference: captureAccepted.action_id,
    modeIn: (request) => bodyOf(request).capture,
    modes: { token: false, page: false },
    authorized: ({ sent, currency }) => [
      {
        status: 201,
        body: held({ status: 'Authorized', amount: Number(sent), currency }, { total_authorized: Number(sent) }),
      },
    ],
    captured: (_, state) =>
      state === 'failed'
        ? [
            {
              status: 422,
              body: { error_type: 'request_invalid', error_codes: ['capture_value_greater_than_authorized'] },
            },
            { body: held({ status: 'Authorized' }) },
            { body: [] },
          ]
        : [{ status: 202, body: captureAccepted }],
    states: ['accepted', 'failed'],
    lookedUp: (state, total_captured) => [
      { body: held({ status: STATUSES[state] }, { total_captured, available_to_capture: state === 'open' ? 500 : 0 }) },
      { body: actionsOf(total_captured) },
    ],
    isFinalIn: (request) => bodyOf(request).capture_type === 'Final',
    released: [{ status: 202, body: voidAccepted }],
    releaseOutcome: 'accepted',
    releasedTooLate: [{ status: 403, body: '' }],
  },
  check: checkoutCheck,
};

const AUTHORIZED = { ...captured, status: 'Authorized', _links: authorized._links };
const MINUTES = 60_000;
const paths = (requests: readonly ReceivedRequest[]) =>
  requests.map(({ method, path }) => `${method} ${path.replace(/(pay|hpp)_[\w-]+/, '$1')}`);

const ownCases = ({ respond, requests, context, order, errorOf }: Bench<Credentials>): void => {
  const { paymentId, attemptId, metadata } = order;
  const charge = { reference: captured.id, paymentId, attemptId, mayCapture: true };
  const onPage: ChargeOrder = { ...order, paymentMethod: { type: 'card' } };
  const later = (minutes: number) => ({
    ...context(),
    now: () => new Date(Date.parse(captured.requested_on) + minutes * MINUTES),
  });
  const refundOrder: RefundOrder = {
    paymentId,
    refundId: 're_01jc0000000000000000000001',
    reference: captured.id,
    amount: 500,
    currency: 'EUR',
    metadata,
  };

  describe('a later capture', () => {
    const capture = { ...captureOrderOf(order, captured.id), isRepeat: true };
    const nextDay = () => ({ ...context(), now: () => new Date(Date.parse(order.startedAt) + 13 * 3_600_000) });

    it('is found by our reference among the actions before it is repeated', async () => {
      respond({ body: actionsOf(300) });
      expect(await checkout.capture?.(capture, context())).toEqual({
        kind: 'succeeded',
        reference: captureAccepted.action_id,
      });
      expect(paths(requests())).toEqual(['GET /payments/pay/actions']);
    });

    it('is repeated under its key when it is not listed', async () => {
      respond({ body: [] }, { status: 202, body: captureAccepted });
      expect(await checkout.capture?.(capture, context())).toMatchObject({ kind: 'accepted' });
      expect(requests()[1]!.headers['cko-idempotency-key']).toBe(CAPTURE_ID);
    });

    it('is not repeated after its key has expired, if the balance knows of one that is not listed', async () => {
      respond({ body: [] }, { body: held({ status: 'Authorized' }, { total_captured: 300 }) });
      expect(await errorOf(checkout.capture?.(capture, nextDay()) ?? Promise.resolve())).toBeInstanceOf(
        PspOutcomeUnknown,
      );
      respond({ body: [] }, { body: held({ status: 'Authorized' }) }, { status: 202, body: captureAccepted });
      expect(await checkout.capture?.(capture, nextDay())).toMatchObject({ kind: 'accepted' });
    });

    it('tells a void by the PSP itself after seven days from one of the merchant', async () => {
      const voidedAt = (days: number) => ({
        ...captureAction(500, 'void'),
        type: 'Void',
        processed_on: new Date(Date.parse(captured.requested_on) + days * 24 * 60 * MINUTES).toISOString(),
      });
      for (const [days, state] of [
        [1, 'canceled'],
        [8, 'expired'],
      ] as const) {
        respond({ body: held({ status: 'Voided' }) }, { body: [voidedAt(days)] });
        expect(await checkout.fetchAuthorization?.(charge, context())).toMatchObject({ state, captured: 0 });
      }
    });
  });

  describe('a payment', () => {
    it('sends automatic capture, 3-D Secure, our reference and our key', async () => {
      respond({ status: 201, body: authorized });
      expect(await checkout.create(order, context())).toEqual({ kind: 'processing', reference: authorized.id });
      const [sent] = requests();
      expect(bodyOf(sent!)).toEqual({
        source: { type: 'token', token: CANARIES[2] },
        '3ds': { enabled: true, attempt_n3d: true },
        amount: 1099,
        currency: 'EUR',
        reference: attemptId,
        capture: true,
        processing_channel_id: 'pc_hpswyyx23geezflc2ocz3exn4y',
        description: order.description,
        customer: { email: order.customerEmail },
        metadata,
        success_url: order.returnUrl,
        failure_url: order.returnUrl,
      });
      expect(sent!.headers).toMatchObject({ 'cko-idempotency-key': attemptId, authorization: `Bearer ${CANARIES[0]}` });
    });

    it.each<[string, ChargeOrder['paymentMethod']['token'], object]>([
      [
        'a saved instrument',
        'src_nwd3m4in3hkuddfpjsaevunhdy',
        { source: { type: 'id', id: 'src_nwd3m4in3hkuddfpjsaevunhdy' } },
      ],
      [
        'one with the payment that it was saved by',
        { id: 'src_nwd3m4in3hkuddfpjsaevunhdy', previous_payment_id: captured.id },
        { source: { type: 'id', id: 'src_nwd3m4in3hkuddfpjsaevunhdy' }, previous_payment_id: captured.id },
      ],
      ['a token in an object', { token: CANARIES[2] }, { source: { type: 'token', token: CANARIES[2] } }],
    ])('accepts %s off-session, without authentication', async (_, token, sent) => {
      respond({ status: 201, body: authorized });
      await checkout.create({ ...order, paymentMethod: { type: 'card', token }, offSession: true }, context());
      expect(bodyOf(requests()[0]!)).toMatchObject({ ...sent, merchant_initiated: true, payment_type: 'Recurring' });
      expect(bodyOf(requests()[0]!)).not.toHaveProperty('3ds');
    });

    it.each([
      ['ideal', { type: 'ideal', description: 'Order 1' }],
      ['bancontact', { type: 'bancontact', payment_country: 'DE' }],
      ['eps', { type: 'eps', purpose: 'Order 1' }],
      ['knet', { type: 'knet', language: 'en' }],
    ])('redirects a charge by %s straight to the bank', async (method, source) => {
      respond({ status: 202, body: pending });
      const outcome = await checkout.create({ ...order, method, paymentMethod: { type: method } }, context());
      expect(outcome).toMatchObject({
        kind: 'requires_action',
        reference: pending.id,
        action: { url: pending._links.redirect.href },
      });
      expect(bodyOf(requests()[0]!)).toMatchObject({ source });
    });

    it('rejects a token of another form without a call', async () => {
      expect(
        await errorOf(
          checkout.create({ ...order, paymentMethod: { type: 'card', token: { pan: '4242' } } }, context()),
        ),
      ).toMatchObject({
        kind: 'request',
      });
      expect(requests()).toEqual([]);
    });

    it('leaves out an email address that is too long', async () => {
      const email = `${'k'.repeat(250)}@example.com`;
      respond({ status: 201, body: authorized });
      await checkout.create(
        { ...order, customerEmail: email, metadata: { ...metadata, customer_email: email } },
        context(),
      );
      expect(JSON.stringify(bodyOf(requests()[0]!))).not.toContain(email);
    });

    it.each<[string, object, object]>([
      [
        'Captured in part',
        { status: 'Partially Captured', balances: { total_captured: 700 } },
        { kind: 'succeeded', amount: 700 },
      ],
      ['Paid', { status: 'Paid', balances: undefined }, { kind: 'succeeded', amount: 1099 }],
      ['Refunded', { status: 'Refunded' }, { kind: 'succeeded', amount: 1099 }],
      ['Partially Refunded', { status: 'Partially Refunded' }, { kind: 'succeeded', amount: 1099 }],
      ['Voided', { status: 'Voided' }, { kind: 'canceled' }],
      ['Canceled', { status: 'Canceled' }, { kind: 'canceled' }],
      ['Expired', { status: 'Expired' }, { kind: 'declined', decline: { code: 'expired' } }],
      ['Retry Scheduled', { status: 'Retry Scheduled' }, { kind: 'processing' }],
      ['Card Verified', { status: 'Card Verified' }, { kind: 'processing' }],
      ['of the future', { status: 'Teleported' }, { kind: 'processing' }],
      [
        'Pending at the bank',
        { status: 'Pending', _links: pending._links },
        { kind: 'requires_action', action: { url: pending._links.redirect.href } },
      ],
    ])('that is %s', async (_, fields, expected) => {
      respond({ body: { ...captured, ...fields } });
      expect(await checkout.fetch(charge, context())).toMatchObject({ reference: captured.id, ...expected });
    });

    it.each([
      [{ status: 'Partially Captured', balances: undefined }],
      [{ amount: undefined, balances: undefined }],
      [{ currency: undefined }],
      [{ currency: 'CLP', balances: { total_captured: 50 } }],
      [{ amount: 10.5, balances: undefined }],
    ])('leaves a charge with an unreadable amount unknown: %j', async (fields) => {
      respond({ body: { ...captured, ...fields } });
      expect(await errorOf(checkout.fetch(charge, context()))).toBeInstanceOf(PspOutcomeUnknown);
    });

    it('reads the decline reason from the actions of the payment', async () => {
      respond(
        { body: { ...captured, status: 'Declined' } },
        { body: [{ ...EARLIER[1]!, approved: false, response_code: '20051' }] },
      );
      expect(await checkout.fetch(charge, context())).toMatchObject({
        kind: 'declined',
        decline: { code: 'insufficient_funds' },
      });
      expect(paths(requests())).toEqual(['GET /payments/pay', 'GET /payments/pay/actions']);
      respond({ body: { ...captured, status: 'Declined' } }, 'cut');
      expect(await checkout.fetch(charge, context())).toMatchObject({
        kind: 'declined',
        decline: { code: 'card_declined', provider_code: null },
      });
    });

    it("follows the network's advice where it narrows a decline", async () => {
      respond({ status: 201, body: { ...declined, processing: { partner_merchant_advice_code: '03' } } });
      expect(await checkout.create(order, context())).toMatchObject({
        kind: 'declined',
        decline: { code: 'insufficient_funds', retry: 'never' },
      });
    });

    it('declines a charge whose method cannot be used, without blaming the account', async () => {
      respond(refused(422, 'token_used'));
      expect(await checkout.create(order, context())).toEqual({
        kind: 'declined',
        reference: null,
        decline: declineOf('invalid_payment_method', 'token_used'),
      });
    });

    it('leaves a repeated charge unknown when its token is already used', async () => {
      respond(refused(422, 'token_used'));
      expect(await errorOf(checkout.create(order, later(2)))).toBeInstanceOf(PspOutcomeUnknown);
    });

    it.each<[string, CannedResponse]>([
      ['with a conflict', { status: 409, body: '' }],
      ['as a duplicate', refused(429, 'duplicate_request')],
    ])('throws PspOutcomeUnknown while another call is running, reported %s', async (_, reply) => {
      respond(reply);
      expect(await errorOf(checkout.create(order, context()))).toBeInstanceOf(PspOutcomeUnknown);
    });

    it.each([
      ['amount_invalid', 'amount_not_supported'],
      ['currency_invalid', 'currency_not_supported'],
      ['source_type_invalid', 'method_not_supported'],
      ['source_token_invalid', 'invalid_payment_method'],
      ['source_id_unknown', 'invalid_payment_method'],
    ] as const)('declines a charge for %s, also on a page', async (word, code) => {
      for (const paymentMethod of [order.paymentMethod, { type: 'card' }]) {
        respond(refused(422, word));
        expect(await checkout.create({ ...order, paymentMethod }, context())).toEqual({
          kind: 'declined',
          reference: null,
          decline: declineOf(code, word),
        });
      }
    });

    it.each<[string, CannedResponse, object]>([
      ['a right it lacks', { status: 403, body: '' }, { kind: 'credentials' }],
      ['a field', refused(422, 'reference_invalid'), { kind: 'request', provider_code: 'reference_invalid' }],
      [
        'its channel',
        refused(422, 'processing_channel_id_invalid'),
        { kind: 'account', provider_code: 'processing_channel_id_invalid' },
      ],
      ['a refusal in an undocumented form', refused(422, LOOSE), { kind: 'request', provider_code: 'request_invalid' }],
    ])('throws our own message for a request refused for %s', async (_, reply, expected) => {
      respond(reply);
      const error = await errorOf(checkout.create(order, context()));
      expect(error).toMatchObject(expected);
      expect(String(error)).not.toContain('Quotes');
    });
  });

  describe('the Checkout.com adapter off-session', () => {
    const token = { id: 'src_nwd3m4in3hkuddfpjsaevunhdy', previous_payment_id: captured.id };
    const away: ChargeOrder = { ...order, paymentMethod: { type: 'card', token }, offSession: true };

    it('sends a merchant-initiated charge with the previous payment', async () => {
      respond({ status: 201, body: authorized });
      expect(await checkout.create(away, context())).toEqual({ kind: 'processing', reference: authorized.id });
      expect(bodyOf(requests()[0]!)).toEqual({
        source: { type: 'id', id: 'src_nwd3m4in3hkuddfpjsaevunhdy' },
        previous_payment_id: captured.id,
        merchant_initiated: true,
        payment_type: 'Recurring',
        amount: 1099,
        currency: 'EUR',
        reference: attemptId,
        capture: true,
        processing_channel_id: 'pc_hpswyyx23geezflc2ocz3exn4y',
        description: order.description,
        customer: { email: order.customerEmail },
        metadata,
        success_url: order.returnUrl,
        failure_url: order.returnUrl,
      });
      expect(requests()[0]!.headers['cko-idempotency-key']).toBe(attemptId);
    });

    it('declines a charge whose issuer requires the customer, and redirects it on-session', async () => {
      respond(...dialect.responses.declined('20154'));
      const outcome = await checkout.create(away, context());
      expect(outcome).toMatchObject({ kind: 'declined', decline: declineOf('authentication_required', '20154') });
      if (outcome.kind === 'declined') expect(failureOf(outcome.decline).category).toBe('soft_decline');
      respond(...dialect.responses.redirected);
      expect(await checkout.create({ ...away, offSession: false, attemptId: 'att_2' }, context())).toMatchObject({
        kind: 'requires_action',
        action: { type: 'redirect', url: pending._links.redirect.href },
      });
      const sent = bodyOf(requests()[1]!);
      expect(sent).toMatchObject({
        source: { id: token.id },
        '3ds': { enabled: true },
        success_url: order.returnUrl,
        failure_url: order.returnUrl,
      });
      for (const field of ['merchant_initiated', 'payment_type', 'previous_payment_id'])
        expect(sent).not.toHaveProperty(field);
    });

    it('accepts a word of the simulator as an instrument, which the API document does not', async () => {
      const bodies: string[] = [];
      const send = async ({ body = '' }: PspRequest) => {
        bodies.push(body);
        return { status: 201, headers: {}, text: JSON.stringify(authorized) };
      };
      for (const word of ['ok', { id: 'ok' }])
        await checkout.create({ ...away, paymentMethod: { type: 'card', token: word } }, { ...context(), send });
      expect(bodies.map((body) => JSON.parse(body).source)).toEqual(Array(2).fill({ type: 'id', id: 'ok' }));
    });

    it.each<[string, readonly CannedResponse[], string]>([
      ['a revoked agreement', dialect.responses.declined('200R1'), 'authorization_revoked'],
      ['all agreements revoked', dialect.responses.declined('200R3'), 'authorization_revoked'],
      ['an expired card', dialect.responses.declined('20054'), 'expired_card'],
      ['an instrument that is gone', [refused(422, 'instrument_not_found')], 'invalid_payment_method'],
      ['a payment that it cannot go back to', [refused(422, 'previous_payment_id_invalid')], 'invalid_payment_method'],
    ])('fails for good on %s off-session', async (_, replies, code) => {
      respond(...replies);
      const outcome = await checkout.create(away, context());
      expect(outcome).toMatchObject({ kind: 'declined', decline: { code } });
      if (outcome.kind === 'declined') expect(failureOf(outcome.decline).category).toBe('hard_decline');
    });
  });

  it.each<[NonNullable<ChargeOrder['paymentMethod']['token']>, string, boolean]>([
    [{ id: 'src_1', previous_payment_id: 'pay_1' }, 'card', true],
    [{ id: 'src_1' }, 'card', true],
    ['src_1', 'card', true],
    ['src_1', 'wallet', true],
    ['src_1', 'sepa_debit', true],
    ['src_1', 'ideal', false],
    ['src_1', 'knet', false],
    [{ id: 'ok' }, 'card', true],
    ['ok', 'card', true],
    ['needs_3ds', 'card', true],
    ['pending', 'card', true],
    ['decline_expired_card', 'card', true],
    ['tok_1', 'card', false],
    ['tok_1', 'wallet', false],
    [{ token: 'tok_1' }, 'card', false],
    [{ id: 'tok_1' }, 'card', false],
    ['', 'card', false],
    [{}, 'card', false],
    [{ id: 'src_1', number: '4242' }, 'card', false],
  ])('says whether the token %j is reusable as %s: %s', (token, method, expected) => {
    expect(checkout.isReusableToken(token, method)).toBe(expected);
  });

  describe('the Checkout.com adapter on authorizations', () => {
    it.each<[string, object, number, boolean]>([
      ['at first', AUTHORIZED, 9, true],
      ['that nobody wants any more', AUTHORIZED, 11, false],
      ['that Checkout.com offers no capture of', { ...AUTHORIZED, _links: pending._links }, 11, true],
      ['whose age is not known', { ...AUTHORIZED, requested_on: undefined }, 11, true],
    ])('does not capture an authorization %s', async (_, body, minutes, mayCapture) => {
      respond({ body });
      expect(await checkout.fetch({ ...charge, mayCapture }, later(minutes))).toEqual({
        kind: 'processing',
        reference: captured.id,
      });
      expect(paths(requests())).toEqual(['GET /payments/pay']);
    });

    it.each<[string, CannedResponse]>([
      ['is taken', { status: 202, body: voidAccepted }],
      ['is refused', { status: 403, body: '' }],
      ['brings nothing', 'cut'],
    ])('captures an overdue authorization, and keeps it processing when that %s', async (_, reply) => {
      respond({ body: AUTHORIZED }, reply);
      expect(await checkout.fetch(charge, later(11))).toEqual({ kind: 'processing', reference: captured.id });
      const { customer_email: __, ...keys } = metadata;
      expect(requests()[1]).toMatchObject({
        path: `/payments/${captured.id}/captures`,
        headers: { 'cko-idempotency-key': `${captured.id}-capture` },
      });
      expect(bodyOf(requests()[1]!)).toEqual({
        amount: 1099,
        capture_type: 'Final',
        reference: attemptId,
        metadata: keys,
      });
    });

    it('voids an authorization with our reference, and looks up what cannot be voided', async () => {
      respond({ status: 202, body: voidAccepted });
      await checkout.cancel(charge, context());
      expect(bodyOf(requests()[0]!)).toEqual({ reference: attemptId, metadata: { payment_id: paymentId } });
      respond(refused(422, 'payment_not_voidable'));
      expect(await errorOf(checkout.cancel(charge, context()))).toMatchObject({ name: 'PspRefused', kind: 'state' });
    });
  });

  describe('the Checkout.com adapter on hosted pages', () => {
    const pageCharge = { ...charge, reference: page.id };
    it('sends our metadata and reference, and limits the page to the method', async () => {
      respond({ status: 201, body: createdPage });
      expect(await checkout.create(onPage, context())).toEqual({
        kind: 'requires_action',
        reference: page.id,
        action: { type: 'redirect', method: 'GET', url: createdPage._links.redirect.href },
      });
      expect(paths(requests())).toEqual(['POST /hosted-payments']);
      expect(bodyOf(requests()[0]!)).toMatchObject({
        reference: attemptId,
        metadata,
        allow_payment_methods: ['card'],
        cancel_url: order.returnUrl,
      });
    });

    it.each(['wallet', 'sepa_debit', 'p24', 'alipay'])('charges %s on a hosted page', async (method) => {
      respond({ status: 201, body: createdPage });
      expect(await checkout.create({ ...onPage, method, paymentMethod: { type: method } }, context())).toMatchObject({
        kind: 'requires_action',
      });
    });

    it('uses the default country of the connection, and rejects a charge without one', async () => {
      respond({ status: 201, body: createdPage });
      const { credentials, ...rest } = context();
      const nowhere = { ...onPage, country: null };
      await checkout.create(nowhere, { ...rest, credentials: { ...credentials, default_country: 'FR' } });
      expect(bodyOf(requests()[0]!)).toMatchObject({ billing: { address: { country: 'FR' } } });
      expect(await errorOf(checkout.create(nowhere, context()))).toMatchObject({ name: 'PspRefused', kind: 'request' });
    });

    const tried = { ...captured, status: 'Declined', response_code: '20005' };
    it.each<[string, readonly object[], object]>([
      ['waits for the customer', [page], { kind: 'requires_action', reference: page.id }],
      [
        'keeps waiting after a declined try',
        [{ ...page, payment_id: captured.id }, tried],
        { kind: 'requires_action', reference: page.id },
      ],
      [
        'is what was paid on it',
        [{ ...page, status: 'Payment Received', payment_id: captured.id }, captured],
        { kind: 'succeeded', reference: captured.id },
      ],
      [
        'is declined when that fails later',
        [{ ...page, status: 'Payment Received', payment_id: captured.id }, tried],
        { kind: 'declined', reference: captured.id },
      ],
      [
        'is processing where nothing names the payment',
        [{ ...page, status: 'Payment Received' }],
        { kind: 'processing', reference: page.id },
      ],
      [
        'has expired without money',
        [{ ...page, status: 'Expired' }],
        { kind: 'declined', reference: page.id, decline: { code: 'expired' } },
      ],
      [
        'took money before it expired',
        [{ ...page, status: 'Expired', payment_id: captured.id }, captured],
        { kind: 'succeeded', reference: captured.id },
      ],
      [
        'has expired after a declined try',
        [{ ...page, status: 'Expired', payment_id: captured.id }, tried],
        { kind: 'declined', decline: { code: 'expired' } },
      ],
    ])('%s', async (_, bodies, expected) => {
      respond(...bodies.map((body) => ({ body })));
      expect(await checkout.fetch(pageCharge, context())).toMatchObject(expected);
    });

    it('cannot cancel a hosted page', async () => {
      expect(await errorOf(checkout.cancel(pageCharge, context()))).toMatchObject({
        name: 'PspRefused',
        kind: 'state',
      });
      expect(requests()).toEqual([]);
    });

    it('refunds a page through its payment', async () => {
      respond({ body: { ...page, payment_id: captured.id } }, { body: EARLIER }, { status: 202, body: refundAccepted });
      expect(await checkout.refund({ ...refundOrder, reference: page.id }, context())).toMatchObject({
        kind: 'accepted',
      });
      expect(paths(requests())).toEqual([
        'GET /hosted-payments/hpp',
        'GET /payments/pay/actions',
        'POST /payments/pay/refunds',
      ]);
    });
  });

  describe('the Checkout.com adapter in a search', () => {
    const found = (...data: readonly object[]): CannedResponse => ({
      body: { ...list, total_count: data.length, data },
    });
    it('searches by our reference, and prefers a captured payment to a newer one', async () => {
      respond(found({ ...tried, id: 'pay_a' }, { ...captured, id: 'pay_b', status: 'Pending' }, captured));
      expect(await checkout.find?.(order, context())).toMatchObject({ kind: 'succeeded', reference: captured.id });
      expect(requests()[0]!.query.get('reference')).toBe(attemptId);
    });

    const tried = { ...captured, status: 'Declined', response_code: '20005' };
    it.each<[string, ChargeOrder, readonly object[], object | undefined]>([
      ['finds nothing', order, [], undefined],
      ['leaves payments of another reference aside', order, [{ ...captured, reference: 'other' }], undefined],
      ['leaves what it cannot read aside', order, [{ id: 7 }, captured], { kind: 'succeeded' }],
      ['finds what is under way before what has ended', order, [tried, AUTHORIZED], { kind: 'processing' }],
      ['finds a decline', order, [tried], { kind: 'declined', decline: { code: 'do_not_honor' } }],
      ['takes a declined try on a page for no end', onPage, [tried], undefined],
      ['finds what was paid on a page', onPage, [tried, captured], { kind: 'succeeded' }],
    ])('%s', async (_, of, data, expected) => {
      respond(found(...data));
      const outcome = await checkout.find?.(of, context());
      if (expected) expect(outcome).toMatchObject(expected);
      else expect(outcome).toBeUndefined();
    });

    it('never takes a payment of ours that it cannot read for an absent one', async () => {
      respond(found({ ...captured, currency: null, balances: 'none' }));
      await expect(checkout.find?.(order, context())).rejects.toBeInstanceOf(PspOutcomeUnknown);
    });

    it('reads a payment whose empty metadata are a list', async () => {
      respond(found({ ...captured, metadata: [] }));
      expect(await checkout.find?.(order, context())).toMatchObject({ kind: 'succeeded' });
    });
  });

  describe('the Checkout.com adapter on refunds', () => {
    it.each([
      ['succeeded', 'succeeded'],
      ['pending', 'accepted'],
      ['failed', 'failed'],
    ] as const)('does not repeat a refund that is listed as %s', async (state, kind) => {
      respond({ body: [refundAction(state), ...EARLIER] });
      const outcome = await checkout.refund(refundOrder, context());
      expect(outcome).toMatchObject({ kind, reference: REFUND!.id });
      expect(JSON.stringify(outcome)).not.toContain('Quotes');
      expect(paths(requests())).toEqual(['GET /payments/pay/actions']);
    });

    it('sends a refund under its own key, with our metadata', async () => {
      respond({ body: EARLIER }, { status: 202, body: refundAccepted });
      await checkout.refund(refundOrder, context());
      expect(requests()[1]!.headers['cko-idempotency-key']).toBe(refundOrder.refundId);
      expect(bodyOf(requests()[1]!)).toEqual({ amount: 500, reference: refundOrder.refundId, metadata });
    });

    it('does not send a refund while it is unknown whether it was sent', async () => {
      respond({ status: 500, body: '' });
      expect(await errorOf(checkout.refund(refundOrder, context()))).toBeInstanceOf(PspOutcomeUnknown);
      respond(refused(429, 'api_calls_quota_exceeded'));
      expect(await errorOf(checkout.refund(refundOrder, context()))).toBeInstanceOf(PspNotSent);
      expect(requests().filter(({ method }) => method === 'POST')).toEqual([]);
    });

    it.each([
      [{ status: 403, body: '' } as const, 'state'],
      [refused(422, 'refund_amount_exceeds_balance'), 'request'],
    ])('throws PspRefused for a refund that Checkout.com does not allow: %j', async (reply, kind) => {
      respond({ body: EARLIER }, reply);
      expect(await errorOf(checkout.refund(refundOrder, context()))).toMatchObject({ name: 'PspRefused', kind });
    });

    it('leaves a refund unknown that is not listed, or whose charge is unknown', async () => {
      respond({ body: EARLIER });
      const refund = { reference: 'act_other', paymentId, charge: captured.id };
      expect(await errorOf(checkout.fetchRefund(refund, context()))).toBeInstanceOf(PspOutcomeUnknown);
      expect(await errorOf(checkout.fetchRefund({ ...refund, charge: null }, context()))).toBeInstanceOf(
        PspOutcomeUnknown,
      );
      expect(requests()).toHaveLength(1);
    });
  });

  it.runIf(specsThere || inCi)(
    'reports a field that the API document does not name (needs ../shared/psp-specs)',
    () => {
      const check = checkoutCheck();
      const post = (path: string, body: object): ReceivedRequest => ({
        method: 'POST',
        path,
        query: new URLSearchParams(),
        headers: { 'content-type': 'application/json', 'cko-idempotency-key': '1' },
        body: JSON.stringify(body),
      });
      const source = { type: 'token', token: 'tok_ubfj2q76miwundwlk72vxt2i7q' };
      expect(check(post('/payments', { source, amount: 1, currency: 'EUR' }))).toEqual([]);
      for (const body of [
        { source, amount: 1, currency: 'EUR', surprise: 1 },
        { source: { ...source, surprise: 1 }, amount: 1, currency: 'EUR' },
        { source: { type: 'token' }, amount: 1, currency: 'EUR' },
        { source, amount: 1.5, currency: 'EUR' },
        { source, amount: 1 },
      ])
        expect(check(post('/payments', body))).not.toEqual([]);
      expect(check(post('/hosted-payments', { amount: 1, currency: 'EUR' }))).not.toEqual([]);
      expect(
        check({ ...post('/payments', {}), method: 'GET', query: new URLSearchParams({ surprise: '1' }) }),
      ).not.toEqual([]);
    },
  );
};

describe('checkout', () => describePsp(dialect, ownCases));
