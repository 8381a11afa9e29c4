import { describe, expect, it } from 'vitest';
import { declineOf, failureOf } from '#shared/domain/payments/declines.catalog.ts';
import {
  type ChargeOrder,
  PspNotSent,
  PspOutcomeUnknown,
  type PspRequest,
  type RefundOrder,
} from '#shared/ports/psp.port.ts';
import { checkout } from '#shared/psp/checkout/checkout.adapter.ts';
import type { Canned, SeenRequest } from '#test/contract/canned-server.ts';
import { checkoutCheck } from '#test/contract/checkout-openapi.ts';
import { inCi, specsThere } from '#test/contract/openapi-check.ts';
import { type Bench, describePsp, type Money, type PspDialect } from '#test/contract/psp.contract.ts';
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
const refused = (status: number, ...error_codes: readonly string[]): Canned => ({
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
const bodyOf = ({ body }: SeenRequest): { readonly [name: string]: unknown } => (body === '' ? {} : JSON.parse(body));

const dialect: PspDialect<Credentials> = {
  adapter: checkout,
  credentials: {
    secret_key: CANARIES[0],
    processing_channel_id: 'pc_hpswyyx23geezflc2ocz3exn4y',
    host_prefix: 'demo1234',
    webhook_secret: CANARIES[1],
  },
  token: CANARIES[2],
  saved: ['src_nwd3m4in3hkuddfpjsaevunhdy', { id: 'src_nwd3m4in3hkuddfpjsaevunhdy', previous_payment_id: captured.id }],
  canaries: CANARIES,
  reference: captured.id,
  refundReference: refundAccepted.action_id,
  lacks: ['account_name', 'page_end'],
  refundStates: ['pending'],
  canceling: 'accepted',
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
  inexpressible: [
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
    ['20999', 'card_declined', 'retry_other_psp'],
    ['30999', 'card_declined', 'never'],
  ],
  answers: {
    approved: (money) => [{ status: 201, body: taken(money) }],
    declined: (response_code) => [{ status: 201, body: { ...declined, response_code, response_summary: LOOSE } }],
    redirected: [{ status: 202, body: pending }],
    hosted: [{ status: 201, body: createdPage }],
    pending: [{ status: 202, body: { ...pending, _links: { self: pending._links.self } } }],
    refunded: () => [{ body: EARLIER }, { status: 202, body: refundAccepted }],
    refundSeen: ({ sent }, state) => [{ body: [refundAction(state, Number(sent)), ...EARLIER] }, { body: captured }],
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
  sameness: ({ method, path, headers, body }) => ({ method, path, key: headers['cko-idempotency-key'], body }),
  metadataIn: (request) => bodyOf(request).metadata,
  check: checkoutCheck,
};

const AUTHORIZED = { ...captured, status: 'Authorized', _links: authorized._links };
const MINUTES = 60_000;
const paths = (requests: readonly SeenRequest[]) =>
  requests.map(({ method, path }) => `${method} ${path.replace(/(pay|hpp)_[\w-]+/, '$1')}`);

const ownCases = ({ answer, requests, context, order, thrown }: Bench<Credentials>): void => {
  const { paymentId, attemptId, metadata } = order;
  const charge = { reference: captured.id, paymentId, attemptId, wanted: true };
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
    whole: false,
    metadata,
  };

  describe('a payment', () => {
    it('is captured by Checkout.com itself, asks for 3-D Secure, and goes under our reference and key', async () => {
      answer({ status: 201, body: authorized });
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
    ])('takes %s without the customer, and asks for no authentication then', async (_, token, sent) => {
      answer({ status: 201, body: authorized });
      await checkout.create({ ...order, paymentMethod: { type: 'card', token }, offSession: true }, context());
      expect(bodyOf(requests()[0]!)).toMatchObject({ ...sent, merchant_initiated: true, payment_type: 'Recurring' });
      expect(bodyOf(requests()[0]!)).not.toHaveProperty('3ds');
    });

    it.each([
      ['ideal', { type: 'ideal', description: 'Order 1' }],
      ['bancontact', { type: 'bancontact', payment_country: 'DE' }],
      ['eps', { type: 'eps', purpose: 'Order 1' }],
      ['knet', { type: 'knet', language: 'en' }],
    ])('by %s goes straight to the bank', async (method, source) => {
      answer({ status: 202, body: pending });
      const outcome = await checkout.create({ ...order, method, paymentMethod: { type: method } }, context());
      expect(outcome).toMatchObject({
        kind: 'requires_action',
        reference: pending.id,
        action: { url: pending._links.redirect.href },
      });
      expect(bodyOf(requests()[0]!)).toMatchObject({ source });
    });

    it('refuses a token of another form without a call', async () => {
      expect(
        await thrown(checkout.create({ ...order, paymentMethod: { type: 'card', token: { pan: '4242' } } }, context())),
      ).toMatchObject({
        kind: 'request',
      });
      expect(requests()).toEqual([]);
    });

    it('leaves a mail address that is too long out', async () => {
      const email = `${'k'.repeat(250)}@example.com`;
      answer({ status: 201, body: authorized });
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
      answer({ body: { ...captured, ...fields } });
      expect(await checkout.fetch(charge, context())).toMatchObject({ reference: captured.id, ...expected });
    });

    it.each([
      [{ status: 'Partially Captured', balances: undefined }],
      [{ amount: undefined, balances: undefined }],
      [{ currency: undefined }],
      [{ currency: 'CLP', balances: { total_captured: 50 } }],
      [{ amount: 10.5, balances: undefined }],
    ])('that took an unreadable amount is not known: %j', async (fields) => {
      answer({ body: { ...captured, ...fields } });
      expect(await thrown(checkout.fetch(charge, context()))).toBeInstanceOf(PspOutcomeUnknown);
    });

    it('tells why it was declined where only the look at its actions says so', async () => {
      answer(
        { body: { ...captured, status: 'Declined' } },
        { body: [{ ...EARLIER[1]!, approved: false, response_code: '20051' }] },
      );
      expect(await checkout.fetch(charge, context())).toMatchObject({
        kind: 'declined',
        decline: { code: 'insufficient_funds' },
      });
      expect(paths(requests())).toEqual(['GET /payments/pay', 'GET /payments/pay/actions']);
      answer({ body: { ...captured, status: 'Declined' } }, 'cut');
      expect(await checkout.fetch(charge, context())).toMatchObject({
        kind: 'declined',
        decline: { code: 'card_declined', provider_code: null },
      });
    });

    it("follows the network's advice where it narrows a decline", async () => {
      answer({ status: 201, body: { ...declined, processing: { partner_merchant_advice_code: '03' } } });
      expect(await checkout.create(order, context())).toMatchObject({
        kind: 'declined',
        decline: { code: 'insufficient_funds', retry: 'never' },
      });
    });

    it('whose method cannot be used is declined, and no fault of the account', async () => {
      answer(refused(422, 'token_used'));
      expect(await checkout.create(order, context())).toEqual({
        kind: 'declined',
        reference: null,
        decline: declineOf('invalid_payment_method', 'token_used'),
      });
    });

    it('whose token is used up when it is sent again may have gone through before', async () => {
      answer(refused(422, 'token_used'));
      expect(await thrown(checkout.create(order, later(2)))).toBeInstanceOf(PspOutcomeUnknown);
    });

    it.each<[string, Canned]>([
      ['with a conflict', { status: 409, body: '' }],
      ['as a duplicate', refused(429, 'duplicate_request')],
    ])('has no verdict while another call is under way, told %s', async (_, reply) => {
      answer(reply);
      expect(await thrown(checkout.create(order, context()))).toBeInstanceOf(PspOutcomeUnknown);
    });

    it.each([
      ['amount_invalid', 'amount_not_supported'],
      ['currency_invalid', 'currency_not_supported'],
      ['source_type_invalid', 'method_not_supported'],
      ['source_token_invalid', 'invalid_payment_method'],
      ['source_id_unknown', 'invalid_payment_method'],
    ] as const)('is declined for %s, also where a page is asked for', async (word, code) => {
      for (const paymentMethod of [order.paymentMethod, { type: 'card' }]) {
        answer(refused(422, word));
        expect(await checkout.create({ ...order, paymentMethod }, context())).toEqual({
          kind: 'declined',
          reference: null,
          decline: declineOf(code, word),
        });
      }
    });

    it.each<[string, Canned, object]>([
      ['a right it lacks', { status: 403, body: '' }, { kind: 'credentials' }],
      ['a field', refused(422, 'reference_invalid'), { kind: 'request', provider_code: 'reference_invalid' }],
      [
        'its channel',
        refused(422, 'processing_channel_id_invalid'),
        { kind: 'account', provider_code: 'processing_channel_id_invalid' },
      ],
      ['something told in loose words', refused(422, LOOSE), { kind: 'request', provider_code: 'request_invalid' }],
    ])('is refused for %s, in words of ours', async (_, reply, expected) => {
      answer(reply);
      const error = await thrown(checkout.create(order, context()));
      expect(error).toMatchObject(expected);
      expect(String(error)).not.toContain('Quotes');
    });
  });

  describe('a charge while the customer is away', () => {
    const token = { id: 'src_nwd3m4in3hkuddfpjsaevunhdy', previous_payment_id: captured.id };
    const away: ChargeOrder = { ...order, paymentMethod: { type: 'card', token }, offSession: true };

    it('is the merchant’s own, and goes back to the payment that she made', async () => {
      answer({ status: 201, body: authorized });
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

    it('whose issuer wants her is declined, and asked for again with her there is a redirect', async () => {
      answer(...dialect.answers.declined('20154'));
      const outcome = await checkout.create(away, context());
      expect(outcome).toMatchObject({ kind: 'declined', decline: declineOf('authentication_required', '20154') });
      if (outcome.kind === 'declined') expect(failureOf(outcome.decline).category).toBe('soft_decline');
      answer(...dialect.answers.redirected);
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

    it('takes a word of the simulator for an instrument, which the document does not know', async () => {
      const bodies: string[] = [];
      const send = async ({ body = '' }: PspRequest) => {
        bodies.push(body);
        return { status: 201, headers: {}, text: JSON.stringify(authorized) };
      };
      for (const word of ['ok', { id: 'ok' }])
        await checkout.create({ ...away, paymentMethod: { type: 'card', token: word } }, { ...context(), send });
      expect(bodies.map((body) => JSON.parse(body).source)).toEqual(Array(2).fill({ type: 'id', id: 'ok' }));
    });

    it.each<[string, readonly Canned[], string]>([
      ['a revoked agreement', dialect.answers.declined('200R1'), 'authorization_revoked'],
      ['all agreements revoked', dialect.answers.declined('200R3'), 'authorization_revoked'],
      ['an expired card', dialect.answers.declined('20054'), 'expired_card'],
      ['an instrument that is gone', [refused(422, 'instrument_not_found')], 'invalid_payment_method'],
      ['a payment that it cannot go back to', [refused(422, 'previous_payment_id_invalid')], 'invalid_payment_method'],
    ])('fails for good on %s', async (_, replies, code) => {
      answer(...replies);
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
  ])('whether %j can be charged again as %s: %s', (token, method, kept) => {
    expect(checkout.keepsToken(token, method)).toBe(kept);
  });

  describe('an authorization', () => {
    it.each<[string, object, number, boolean]>([
      ['at first', AUTHORIZED, 9, true],
      ['that nobody wants any more', AUTHORIZED, 11, false],
      ['that Checkout.com offers no capture of', { ...AUTHORIZED, _links: pending._links }, 11, true],
      ['whose age is not known', { ...AUTHORIZED, requested_on: undefined }, 11, true],
    ])('is left alone %s', async (_, body, minutes, wanted) => {
      answer({ body });
      expect(await checkout.fetch({ ...charge, wanted }, later(minutes))).toEqual({
        kind: 'processing',
        reference: captured.id,
      });
      expect(paths(requests())).toEqual(['GET /payments/pay']);
    });

    it.each<[string, Canned]>([
      ['is taken', { status: 202, body: voidAccepted }],
      ['is refused', { status: 403, body: '' }],
      ['brings nothing', 'cut'],
    ])('that was not captured by itself is captured by us, and stays processing when that %s', async (_, reply) => {
      answer({ body: AUTHORIZED }, reply);
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

    it('is voided with our reference, and what cannot be voided is asked for', async () => {
      answer({ status: 202, body: voidAccepted });
      await checkout.cancel(charge, context());
      expect(bodyOf(requests()[0]!)).toEqual({ reference: attemptId, metadata: { payment_id: paymentId } });
      answer(refused(422, 'payment_not_voidable'));
      expect(await thrown(checkout.cancel(charge, context()))).toMatchObject({ name: 'PspRefused', kind: 'state' });
    });
  });

  describe('a hosted page', () => {
    const pageCharge = { ...charge, reference: page.id };
    it('carries our keys and reference, and offers the method alone', async () => {
      answer({ status: 201, body: createdPage });
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

    it.each(['wallet', 'sepa_debit', 'p24', 'alipay'])('is where %s is paid', async (method) => {
      answer({ status: 201, body: createdPage });
      expect(await checkout.create({ ...onPage, method, paymentMethod: { type: method } }, context())).toMatchObject({
        kind: 'requires_action',
      });
    });

    it('assumes the country that the connection names, and is refused without one', async () => {
      answer({ status: 201, body: createdPage });
      const { credentials, ...rest } = context();
      const nowhere = { ...onPage, country: null };
      await checkout.create(nowhere, { ...rest, credentials: { ...credentials, default_country: 'FR' } });
      expect(bodyOf(requests()[0]!)).toMatchObject({ billing: { address: { country: 'FR' } } });
      expect(await thrown(checkout.create(nowhere, context()))).toMatchObject({ name: 'PspRefused', kind: 'request' });
    });

    const tried = { ...captured, status: 'Declined', response_code: '20005' };
    it.each<[string, readonly object[], object]>([
      ['waits for the customer', [page], { kind: 'requires_action', reference: page.id }],
      [
        'goes on waiting after a declined try',
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
      answer(...bodies.map((body) => ({ body })));
      expect(await checkout.fetch(pageCharge, context())).toMatchObject(expected);
    });

    it('can be ended by no call', async () => {
      expect(await thrown(checkout.cancel(pageCharge, context()))).toMatchObject({ name: 'PspRefused', kind: 'state' });
      expect(requests()).toEqual([]);
    });

    it('is refunded through its payment', async () => {
      answer({ body: { ...page, payment_id: captured.id } }, { body: EARLIER }, { status: 202, body: refundAccepted });
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

  describe('a look for a charge', () => {
    const found = (...data: readonly object[]): Canned => ({ body: { ...list, total_count: data.length, data } });
    it('asks by our reference, and takes money before time', async () => {
      answer(found({ ...tried, id: 'pay_a' }, { ...captured, id: 'pay_b', status: 'Pending' }, captured));
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
      answer(found(...data));
      const outcome = await checkout.find?.(of, context());
      if (expected) expect(outcome).toMatchObject(expected);
      else expect(outcome).toBeUndefined();
    });
  });

  describe('a refund', () => {
    it.each([
      ['succeeded', 'succeeded'],
      ['pending', 'accepted'],
      ['failed', 'failed'],
    ] as const)('that is listed already, as %s, is not sent again', async (state, kind) => {
      answer({ body: [refundAction(state), ...EARLIER] });
      const outcome = await checkout.refund(refundOrder, context());
      expect(outcome).toMatchObject({ kind, reference: REFUND!.id });
      expect(JSON.stringify(outcome)).not.toContain('Quotes');
      expect(paths(requests())).toEqual(['GET /payments/pay/actions']);
    });

    it('goes under its own key, with our keys again', async () => {
      answer({ body: EARLIER }, { status: 202, body: refundAccepted });
      await checkout.refund(refundOrder, context());
      expect(requests()[1]!.headers['cko-idempotency-key']).toBe(refundOrder.refundId);
      expect(bodyOf(requests()[1]!)).toEqual({ amount: 500, reference: refundOrder.refundId, metadata });
    });

    it('is not sent while nobody can say whether it was', async () => {
      answer({ status: 500, body: '' });
      expect(await thrown(checkout.refund(refundOrder, context()))).toBeInstanceOf(PspOutcomeUnknown);
      answer(refused(429, 'api_calls_quota_exceeded'));
      expect(await thrown(checkout.refund(refundOrder, context()))).toBeInstanceOf(PspNotSent);
      expect(requests().filter(({ method }) => method === 'POST')).toEqual([]);
    });

    it.each([
      [{ status: 403, body: '' } as const, 'state'],
      [refused(422, 'refund_amount_exceeds_balance'), 'request'],
    ])('that Checkout.com does not allow is refused: %j', async (reply, kind) => {
      answer({ body: EARLIER }, reply);
      expect(await thrown(checkout.refund(refundOrder, context()))).toMatchObject({ name: 'PspRefused', kind });
    });

    it('that is not listed, or of no known charge, is not known', async () => {
      answer({ body: EARLIER });
      const refund = { reference: 'act_other', paymentId, charge: captured.id };
      expect(await thrown(checkout.fetchRefund(refund, context()))).toBeInstanceOf(PspOutcomeUnknown);
      expect(await thrown(checkout.fetchRefund({ ...refund, charge: null }, context()))).toBeInstanceOf(
        PspOutcomeUnknown,
      );
      expect(requests()).toHaveLength(1);
    });
  });

  it.runIf(specsThere || inCi)(
    'the check of requests notices what the document does not name (needs ../shared/psp-specs)',
    () => {
      const check = checkoutCheck();
      const post = (path: string, body: object): SeenRequest => ({
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
