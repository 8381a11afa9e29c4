import { describe, expect, it } from 'vitest';
import { declineOf, FAILURES } from '#shared/domain/payments/declines.catalog.ts';
import { type ChargeOrder, PspOutcomeUnknown, type RefundOrder } from '#shared/ports/psp.port.ts';
import { mollie } from '#shared/psp/mollie/adapter.ts';
import type { CannedResponse, ReceivedRequest } from '#test/contract/canned-server.ts';
import { describeMollieCaptures } from '#test/contract/mollie-captures.support.ts';
import { mollieDocument } from '#test/contract/mollie-requests.support.ts';
import { inCi, specsThere } from '#test/contract/openapi-check.ts';
import { type Bench, describePsp, type Money, type PspDialect } from '#test/contract/psp.contract.ts';
import capture from '#test/fixtures/mollie/capture-pending.json' with { type: 'json' };
import duplicateRefund from '#test/fixtures/mollie/duplicate-refund.json' with { type: 'json' };
import fieldMissing from '#test/fixtures/mollie/field-missing.json' with { type: 'json' };
import notCancelable from '#test/fixtures/mollie/not-cancelable.json' with { type: 'json' };
import notFound from '#test/fixtures/mollie/not-found.json' with { type: 'json' };
import canceledPayment from '#test/fixtures/mollie/payment-canceled.json' with { type: 'json' };
import payment from '#test/fixtures/mollie/payment-open.json' with { type: 'json' };
import partlyCaptured from '#test/fixtures/mollie/payment-partly-captured.json' with { type: 'json' };
import profile from '#test/fixtures/mollie/profile.json' with { type: 'json' };
import refund from '#test/fixtures/mollie/refund-pending.json' with { type: 'json' };
import refunds from '#test/fixtures/mollie/refunds.json' with { type: 'json' };

const CANARIES = ['test_CANARYAPIKEY', 'CANARYWEBHOOKSECRET', 'tkn_CANARYTOKEN'];

const KEYS = {
  org_id: 'org_01jc0000000000000000000001',
  connection_id: 'conn_01jc0000000000000000000001',
  payment_id: 'pay_01jc0000000000000000000001',
  customer_email: 'kim@example.com',
};

const { expiresAt: _, isCancelable: __, ...settled } = { ...payment, metadata: KEYS };
const aPayment = (fields: object): CannedResponse => ({ status: 201, body: { ...settled, ...fields } });
const paid = ({ sent, currency }: Money): CannedResponse =>
  aPayment({ status: 'paid', amount: { value: sent, currency } });
const failed = (reasons: object): CannedResponse => aPayment({ status: 'failed', ...reasons });
const refused = (status: number, body: object = notFound): CannedResponse => ({
  status,
  body: { ...body, status, detail: `Quotes ${CANARIES.join(' ')}` },
});
const withDetail = (canned: CannedResponse, detail: string): CannedResponse =>
  typeof canned === 'string' ? canned : { ...canned, body: { ...Object(canned.body), detail } };
const open: CannedResponse = { status: 201, body: payment };
const aRefund = (status: string, value = '5.00', more: object = {}): CannedResponse => ({
  status: 201,
  body: { ...refund, status, amount: { value, currency: 'EUR' }, ...more },
});
const { next: ___, ...lastPage } = refunds._links;
const listed = (...items: readonly object[]): CannedResponse => ({
  body: { count: items.length, _embedded: { refunds: items }, _links: { ...lastPage, next: null } },
});
const bodyOf = ({ body }: ReceivedRequest) => (body === '' ? {} : JSON.parse(body)) as { [name: string]: unknown };

const euro: Money = { amount: 1099, currency: 'EUR', sent: '10.99' };

const dialect: PspDialect<Credentials> = {
  adapter: mollie,
  credentials: { api_key: CANARIES[0], webhook_secret: CANARIES[1] },
  token: CANARIES[2],
  canaries: CANARIES,
  reference: payment.id,
  refundReference: refund.id,
  fiveEurosSent: '5.00',
  sentMetadata: { refund: { ...KEYS, refund_id: 're_01jc0000000000000000000001' } },
  money: [
    euro,
    { amount: 500, currency: 'JPY', sent: '500' },
    { amount: 500, currency: 'ISK', sent: '500' },
    { amount: 25_001, currency: 'HUF', sent: '250.01' },
    { amount: 5, currency: 'GBP', sent: '0.05' },
    { amount: 99_999_999_999, currency: 'USD', sent: '999999999.99' },
  ],
  unsupportedAmounts: [
    { amount: 0, currency: 'EUR' },
    { amount: 5120, currency: 'KWD' },
    { amount: 100, currency: 'NGN' },
    { amount: 100, currency: 'XXX' },
  ],
  declines: [
    ['insufficient_funds', 'insufficient_funds', 'retry_same_later'],
    ['card_declined', 'card_declined', 'retry_other_psp'],
    ['refused_by_issuer', 'card_declined', 'retry_other_psp'],
    ['unknown_reason', 'card_declined', 'retry_other_psp'],
    ['authentication_abandoned', 'authentication_failed', 'fix_input'],
    ['authentication_required', 'authentication_required', 'fix_input'],
    ['authentication_unavailable_acs', 'issuer_unavailable', 'retry_same_later'],
    ['card_expired', 'expired_card', 'new_method'],
    ['inactive_card', 'invalid_payment_method', 'new_method'],
    ['invalid_cvv', 'incorrect_cvc', 'fix_input'],
    ['invalid_card_holder_name', 'card_declined', 'fix_input'],
    ['invalid_card_number', 'invalid_number', 'fix_input'],
    ['invalid_card_type', 'card_not_supported', 'new_method'],
    ['possible_fraud', 'fraud_suspected', 'never'],
    ['a_reason_of_the_future', 'card_declined', 'retry_same_later'],
  ],
  responses: {
    approved: (money) => [paid(money)],
    declined: (reason) => [failed({ details: { failureReason: reason } })],
    redirected: [open],
    hosted: [open],
    pending: [aPayment({ status: 'pending' })],
    refunded: ({ sent }, state) => [listed(), aRefund(state === 'succeeded' ? 'refunded' : state, sent)],
    fetchedRefund: ({ sent }, state) => [aRefund(state === 'succeeded' ? 'refunded' : state, sent)],
    canceled: [aPayment({ status: 'open', isCancelable: true }), { body: { ...canceledPayment, id: payment.id } }],
    cancelTooLate: [paid(euro)],
    account: [{ body: { ...profile, name: 'Demo Shop Ltd' } }],
    badCredentials: refused(401),
    notFound: refused(404),
  },
  amountIn: (request) => (bodyOf(request).amount as { value: string } | undefined)?.value,
  idempotencyFields: ({ method, path, headers, body }) => ({ method, path, key: headers['idempotency-key'], body }),
  metadataIn: (request) => bodyOf(request).metadata,
  accountName: 'Demo Shop Ltd',
  check: () => {
    const { check } = mollieDocument();
    return (request) => [
      ...check(request),
      ...(request.method === 'POST' &&
      !/release-authorization$/.test(request.path) &&
      !request.headers['idempotency-key']
        ? [`${request.path} has no key`]
        : []),
    ];
  },
};

type Credentials = Parameters<typeof mollie.ping>[0]['credentials'];
const calls = (requests: readonly ReceivedRequest[]) =>
  requests.map(({ method, path }) => `${method} ${path.replace(payment.id, 'tr')}`);

const ownCases = ({ respond, requests, context, order, errorOf }: Bench<Credentials>): void => {
  const { paymentId, attemptId } = order;
  const charge = { reference: payment.id, paymentId, attemptId, mayCapture: true };
  const refundOrder: RefundOrder = {
    paymentId,
    refundId: 're_01jc0000000000000000000009',
    reference: payment.id,
    amount: 500,
    currency: 'EUR',
    metadata: KEYS,
  };
  const sent = async (change: Partial<ChargeOrder>) => {
    respond(open);
    await mollie.create({ ...order, ...change }, context());
    return bodyOf(requests()[0]!);
  };

  describe('the Mollie adapter on payments', () => {
    it('sends the return URL, the callback URL, and our attempt as the key', async () => {
      expect(await sent({})).toEqual({
        amount: { currency: 'EUR', value: '10.99' },
        description: 'Order 1',
        redirectUrl: order.returnUrl,
        webhookUrl: order.callbackUrl,
        metadata: KEYS,
        method: 'creditcard',
        cardToken: CANARIES[2],
      });
      expect(requests()[0]!.headers).toMatchObject({
        'idempotency-key': attemptId,
        authorization: `Bearer ${CANARIES[0]}`,
      });
    });

    it.each<[string, Partial<ChargeOrder>, object]>([
      ['a card on the page', { paymentMethod: { type: 'card' } }, { method: 'creditcard' }],
      [
        'a wallet on the page',
        { method: 'wallet', paymentMethod: { type: 'wallet' } },
        { method: ['applepay', 'paypal'] },
      ],
      ['iDEAL', { method: 'ideal', paymentMethod: { type: 'ideal' } }, { method: 'ideal' }],
      [
        'Apple Pay',
        { method: 'wallet', paymentMethod: { type: 'wallet', token: '{"paymentData":{}}' } },
        { method: 'applepay', applePayPaymentToken: '{"paymentData":{}}' },
      ],
      [
        'a debit under a mandate',
        {
          method: 'sepa_debit',
          offSession: true,
          paymentMethod: { type: 'sepa_debit', token: { customer: 'cst_1', mandate: 'mdt_1' } },
        },
        { method: 'directdebit', sequenceType: 'recurring', customerId: 'cst_1', mandateId: 'mdt_1' },
      ],
      [
        'a debit whose customer is there',
        { method: 'sepa_debit', paymentMethod: { type: 'sepa_debit', token: { customer: 'cst_1' } } },
        { method: 'directdebit', sequenceType: 'recurring', customerId: 'cst_1' },
      ],
      ['no description', { description: null }, { description: 'Payment' }],
      ['a description that is too long', { description: 'x'.repeat(300) }, { description: 'x'.repeat(255) }],
    ])('sends a charge of %s', async (_, change, expected) => {
      expect(await sent(change)).toMatchObject(expected);
    });

    const AGREED = { customer: 'cst_1', mandate: 'mdt_1' };
    const away = (method: string, token: Readonly<Record<string, string>> = AGREED) => ({
      method,
      offSession: true,
      paymentMethod: { type: method, token },
    });

    it('charges off-session under a mandate, and with nothing else', async () => {
      expect(await sent(away('card'))).toEqual({
        amount: { currency: 'EUR', value: '10.99' },
        description: 'Order 1',
        redirectUrl: order.returnUrl,
        webhookUrl: order.callbackUrl,
        metadata: KEYS,
        method: 'creditcard',
        sequenceType: 'recurring',
        customerId: 'cst_1',
        mandateId: 'mdt_1',
      });
      expect(requests()[0]!.headers).toMatchObject({ 'idempotency-key': attemptId });
    });

    it.each<[string, string | undefined]>([
      ['card', 'creditcard'],
      ['paypal', 'paypal'],
      ['sepa_debit', 'directdebit'],
      ['ideal', 'directdebit'],
      ['bancontact', 'directdebit'],
      ['eps', 'directdebit'],
      ['kbc', 'directdebit'],
      ['belfius', 'directdebit'],
      ['wallet', undefined],
    ])('charges %s under a mandate of the type %s', async (method, type) => {
      const body = await sent(away(method, { customer: 'cst_1' }));
      expect([body.method, body.sequenceType, body.customerId, body.mandateId]).toEqual([
        type,
        'recurring',
        'cst_1',
        undefined,
      ]);
      expect(mollie.isReusableToken({ customer: 'cst_1' }, method)).toBe(true);
    });

    it.each<[string, object]>([
      ['card', { method: 'creditcard' }],
      ['wallet', { method: ['applepay', 'paypal'] }],
      ['ideal', { method: 'ideal' }],
    ])('opens the page of a known customer for %s on-session', async (method, expected) => {
      respond(open);
      const outcome = await mollie.create(
        { ...order, method, paymentMethod: { type: method, token: AGREED } },
        context(),
      );
      expect(outcome).toMatchObject({
        kind: 'requires_action',
        action: { type: 'redirect', url: payment._links.checkout.href },
      });
      const body = bodyOf(requests()[0]!);
      expect(body).toMatchObject({ ...expected, customerId: 'cst_1', redirectUrl: order.returnUrl });
      expect([body.sequenceType, body.mandateId]).toEqual([undefined, undefined]);
    });

    const NO_MANDATE = 'No suitable mandates found for customer';
    it.each<[string, CannedResponse, Parameters<typeof declineOf>]>([
      [
        'the issuer wants her',
        failed({ details: { failureReason: 'authentication_required' } }),
        ['authentication_required', 'authentication_required'],
      ],
      [
        'the issuer wants her, in the words of the scheme',
        failed({ statusReason: { code: 'additional_customer_authentication_required' } }),
        ['authentication_required', 'additional_customer_authentication_required'],
      ],
      [
        'she has withdrawn it from her bank',
        failed({
          details: { failureReason: 'card_declined' },
          statusReason: { code: 'revocation_of_all_authorizations' },
        }),
        ['authorization_revoked', 'revocation_of_all_authorizations'],
      ],
      [
        'her card has expired',
        failed({ details: { failureReason: 'card_expired' } }),
        ['expired_card', 'card_expired'],
      ],
      [
        'no mandate is left',
        withDetail(refused(422, { ...fieldMissing, field: null }), NO_MANDATE),
        ['invalid_payment_method'],
      ],
      [
        'the card behind it is gone',
        withDetail(refused(422, { ...fieldMissing, field: null }), 'The card was not found'),
        ['invalid_payment_method'],
      ],
      [
        'the mandate is another one’s',
        refused(422, { ...fieldMissing, field: 'mandateId' }),
        ['invalid_payment_method'],
      ],
      ['the customer was removed', refused(410), ['authorization_revoked']],
    ])('declines an off-session charge when %s, for good unless for authentication', async (_, reply, decline) => {
      respond(reply);
      expect(FAILURES[decline[0]].category).toBe(
        decline[0] === 'authentication_required' ? 'soft_decline' : 'hard_decline',
      );
      expect(await mollie.create({ ...order, ...away('card') }, context())).toMatchObject({
        kind: 'declined',
        decline: declineOf(...decline),
      });
    });

    it('declines a repeated charge under a mandate, which is not used up', async () => {
      respond(refused(422, { ...fieldMissing, field: 'mandateId' }));
      const again = { ...order, ...away('card'), startedAt: '2025-12-31T23:58:00.000Z' };
      expect(await mollie.create(again, context())).toMatchObject({ kind: 'declined', reference: null });
    });

    it('declines a message about mandates only for a charge under one', async () => {
      respond(withDetail(refused(422, fieldMissing), NO_MANDATE));
      expect(await errorOf(mollie.create(order, context()))).toMatchObject({ name: 'PspRefused', kind: 'request' });
    });

    it.each<[string, ChargeOrder['paymentMethod']['token'], string, boolean]>([
      ['a mandate', AGREED, 'card', true],
      ['a customer, whose mandate Mollie picks', { customer: 'cst_1' }, 'card', true],
      ['a word of the simulator as the customer', { customer: 'ok' }, 'card', true],
      ['a word of the simulator as the mandate', { customer: 'cst_1', mandate: 'needs_3ds' }, 'sepa_debit', true],
      ['a mandate, for a method that leaves none', AGREED, 'blik', false],
      ['a card token', 'tkn_1', 'card', false],
      ['a card token in a word of the simulator', 'ok', 'card', false],
      ['an Apple Pay token', '{"paymentData":{}}', 'wallet', false],
      ['nothing', '', 'card', false],
      ['an object of other fields', { mandate: 'mdt_1' }, 'card', false],
      ['an object of more fields', { ...AGREED, card: 'x' }, 'card', false],
    ])('says whether a charge of %s is reusable: %j, %s', (_, token, method, expected) => {
      expect(mollie.isReusableToken(token!, method)).toBe(expected);
    });

    it.each<[string, Partial<ChargeOrder>]>([
      ['a card token, and nobody there', { offSession: true }],
      ['no token, and nobody there', { offSession: true, paymentMethod: { type: 'card' } }],
      ['a mandate for a method that leaves none', away('blik')],
      ['an object of other fields', { paymentMethod: { type: 'card', token: { card: 'x' } } }],
      ['a string for a method without tokens', { method: 'ideal', paymentMethod: { type: 'ideal', token: 'x' } }],
      ['a method that Mollie has not', { method: 'upi' }],
    ])('rejects a charge with %s without a call', async (_, change) => {
      respond(open);
      expect(await errorOf(mollie.create({ ...order, ...change }, context()))).toMatchObject({
        name: 'PspRefused',
        kind: 'request',
      });
      expect(requests()).toEqual([]);
    });

    it('leaves a repeated charge unknown when its token is used: the first send may have used it', async () => {
      const sentBefore = { ...order, startedAt: '2025-12-31T23:58:00.000Z' };
      respond(refused(422, { ...fieldMissing, field: 'cardToken' }));
      expect(await errorOf(mollie.create(sentBefore, context()))).toBeInstanceOf(PspOutcomeUnknown);
    });

    it.each(['cardToken', 'mandateId', 'customerId', 'applePayPaymentToken'])(
      'declines a charge refused for its %s',
      async (field) => {
        respond(refused(422, { ...fieldMissing, field }));
        expect(await mollie.create(order, context())).toEqual({
          kind: 'declined',
          reference: null,
          decline: declineOf('invalid_payment_method'),
        });
      },
    );

    it.each([
      ['amount', 'The amount is lower than the minimum', 'amount_not_supported'],
      ['amount.value', 'The amount contains an invalid value', 'amount_not_supported'],
      ['amount', 'The currency is not supported', 'currency_not_supported'],
      ['amount.currency', 'The amount contains an invalid currency', 'currency_not_supported'],
      ['method', 'The payment method is not activated on your account', 'method_not_supported'],
    ] as const)(
      'maps a charge refused for its %s with "%s" to the decline %s, on a page too',
      async (field, detail, code) => {
        for (const paymentMethod of [order.paymentMethod, { type: 'card' }]) {
          respond({ status: 422, body: { ...fieldMissing, field, detail } });
          expect(await mollie.create({ ...order, paymentMethod }, context())).toEqual({
            kind: 'declined',
            reference: null,
            decline: declineOf(code),
          });
        }
      },
    );

    it.each([404, 410])(
      'declines a charge of a missing customer (%i), and throws PspRefused without a customer',
      async (status) => {
        const theirs = { ...order, paymentMethod: { type: 'card', token: { customer: 'cst_gone' } } };
        respond(refused(status));
        expect(await mollie.create(theirs, context())).toEqual({
          kind: 'declined',
          reference: null,
          decline: declineOf('invalid_payment_method'),
        });
        respond(refused(status));
        expect(await errorOf(mollie.create(order, context()))).toMatchObject({ name: 'PspRefused' });
      },
    );

    it.each<[string, CannedResponse, object]>([
      ['a right it lacks', refused(403), { kind: 'credentials' }],
      [
        'a field',
        refused(422, fieldMissing),
        { kind: 'request', message: 'Mollie refused the request (HTTP 422, description).' },
      ],
      [
        'a field whose name is a sentence',
        refused(422, { ...fieldMissing, field: CANARIES.join(' ') }),
        { kind: 'request', message: 'Mollie refused the request (HTTP 422).' },
      ],
    ])('throws our own message for a request refused for %s', async (_, reply, expected) => {
      respond(reply);
      const error = await errorOf(mollie.create(order, context()));
      expect(error).toMatchObject(expected);
      expect(String(error)).not.toContain('CANARY');
    });

    it.each<[string, CannedResponse]>([
      ['another call with the key runs', refused(409, duplicateRefund)],
      ['the supplier of the method is away', refused(503)],
    ])('throws PspOutcomeUnknown when %s', async (_, reply) => {
      respond(reply);
      expect(await errorOf(mollie.create(order, context()))).toBeInstanceOf(PspOutcomeUnknown);
    });

    it.each<[string, object, object]>([
      [
        'is open until its page ends',
        {},
        {
          kind: 'requires_action',
          expires_at: '2024-03-20T09:28:37.000Z',
          action: { url: payment._links.checkout.href },
        },
      ],
      ['is processing where it is open and has no page', { _links: { checkout: null } }, { kind: 'processing' }],
      [
        'is processing where its page is no web page',
        { _links: { checkout: { href: 'javascript:alert(1)' } } },
        { kind: 'processing' },
      ],
      ['has expired', { status: 'expired' }, { kind: 'declined', decline: { code: 'expired' } }],
      ['was canceled by the customer', { status: 'canceled' }, { kind: 'canceled' }],
      ['is in a state of the future', { status: 'paused' }, { kind: 'processing' }],
      [
        'failed without a reason',
        { status: 'failed' },
        { kind: 'declined', decline: declineOf('card_declined', null, 'retry_same_later') },
      ],
      [
        'failed with details that are no object',
        { status: 'failed', details: 'x', statusReason: 7 },
        { kind: 'declined', decline: declineOf('card_declined', null, 'retry_same_later') },
      ],
      [
        'took a part only',
        { ...partlyCaptured, id: payment.id, metadata: KEYS },
        { kind: 'succeeded', amount: 800, currency: 'EUR' },
      ],
      [
        'was paid, and says 0 of captures',
        { status: 'paid', amountCaptured: { value: '0.00', currency: 'EUR' } },
        { kind: 'succeeded', amount: 1000 },
      ],
    ])('%s', async (_, fields, expected) => {
      respond({ body: { ...payment, metadata: KEYS, ...fields } });
      expect(await mollie.fetch(charge, context())).toMatchObject({ reference: payment.id, ...expected });
    });

    it.each([
      [{ details: { failureReason: 'card_declined' }, statusReason: { code: 'lost_card', message: '' } }, 'lost_card'],
      [
        { details: { failureReason: 'possible_fraud' }, statusReason: { code: 'do_not_honor', message: '' } },
        'fraud_suspected',
      ],
      [{ statusReason: { code: 'a_code_of_the_future' }, details: { failureReason: 'invalid_cvv' } }, 'incorrect_cvc'],
      [{ details: { bankReasonCode: 'AM04', bankReason: 'Insufficient funds' } }, 'insufficient_funds'],
      [{ details: { bankReasonCode: 'MD01', failureReason: 'unknown_reason' } }, 'authorization_revoked'],
    ])('maps the failure %j to %s', async (reasons, code) => {
      respond(failed(reasons));
      expect(await mollie.fetch(charge, context())).toMatchObject({ kind: 'declined', decline: { code } });
    });

    it('declines a charge for good that Mollie refuses as fraud at once', async () => {
      respond(
        withDetail(refused(422, { ...fieldMissing, field: null }), 'The payment was declined due to suspected fraud'),
      );
      expect(await mollie.create(order, context())).toEqual({
        kind: 'declined',
        reference: null,
        decline: declineOf('fraud_suspected'),
      });
    });

    it('leaves a payment unknown when its amount has no minor unit', async () => {
      respond(aPayment({ status: 'paid', amount: { value: '10.999', currency: 'EUR' } }));
      expect(await errorOf(mollie.fetch(charge, context()))).toBeInstanceOf(PspOutcomeUnknown);
    });

    it('only looks up a payment after its next action', async () => {
      respond(paid(euro));
      expect(await mollie.confirm({ reference: payment.id, order, input: { any: 'thing' } }, context())).toMatchObject({
        kind: 'succeeded',
        amount: 1099,
      });
      expect(calls(requests())).toEqual(['GET /v2/payments/tr']);
    });
  });

  describe('the Mollie adapter on charges that save their method', () => {
    const save = { customer: 'cus_1' };
    const later = () => ({ ...context(), now: () => new Date(Date.parse(order.startedAt) + 125_000) });
    const methods: CannedResponse = { body: { _embedded: { methods: [{ id: 'creditcard' }] } } };
    const customer: CannedResponse = { status: 201, body: { resource: 'customer', id: 'cst_Made1' } };
    const sends = () =>
      requests().map(({ path, headers, body }) => [path, headers['idempotency-key'], Object(JSON.parse(body || '{}'))]);

    it('makes the customer under a key of theirs, and asks first whether the account can charge the method', async () => {
      respond(methods, customer, paid(euro));
      await mollie.create({ ...order, save }, context());
      expect(sends()).toMatchObject([
        ['/v2/methods', undefined, {}],
        ['/v2/customers', `customer-${KEYS.connection_id}-cus_1`, { metadata: { customer: 'cus_1' } }],
        ['/v2/payments', attemptId, { sequenceType: 'first', customerId: 'cst_Made1' }],
      ]);
    });

    it.each<[string, readonly CannedResponse[]]>([
      ['says that the account cannot', [{ body: { _embedded: { methods: [] } } }]],
      ['does not answer', ['cut']],
      ['fails', [refused(500)]],
      ['is too busy', [refused(429)]],
      ['makes no customer', [methods, 'cut']],
      ['refuses the customer', [methods, refused(403)]],
      ['answers in another form', [methods, { status: 201, body: { resource: 'customer', id: 'c/../1' } }]],
    ])('charges under the same key without a mandate if Mollie %s', async (_, before) => {
      respond(...before, paid(euro));
      expect(await mollie.create({ ...order, save }, later())).toMatchObject({ kind: 'succeeded' });
      const [, key, body] = sends().at(-1) ?? [];
      expect(key).toBe(attemptId);
      expect(body).not.toHaveProperty('sequenceType');
    });

    it('sends nothing for a charge that Mollie cannot express', async () => {
      respond(methods, customer, paid(euro));
      const unknown = { ...order, save, paymentMethod: { type: 'card', token: { nobody: 'x' } } };
      expect(await errorOf(mollie.create(unknown, context()))).toMatchObject({ failure: 'invalid_payment_method' });
      expect(requests()).toEqual([]);
    });
  });

  describe('the Mollie adapter on a payment that a callback names', () => {
    it.each<[string, object]>([
      [
        'metadata of another payment',
        {
          metadata: { ...KEYS, payment_id: 'pay_other' },
          webhookUrl: 'https://pay.example/webhooks/mollie?payment_id=pay_other',
        },
      ],
      ['no metadata', { metadata: null, webhookUrl: null }],
      ['metadata that are no object, and another address', { metadata: 'x', webhookUrl: 'x' }],
      [
        'our key in another place',
        { metadata: { note: KEYS.payment_id }, webhookUrl: `https://shop.example/${KEYS.payment_id}` },
      ],
    ])('ignores a payment with %s: it counts no money, captures nothing and lists no refund', async (_, fields) => {
      for (const look of [
        mollie.fetch,
        (...args: Parameters<typeof mollie.fetch>) => Promise.resolve(mollie.listRefunds?.(...args)),
      ]) {
        respond(aPayment({ status: 'authorized', ...fields }));
        expect(await errorOf(look(charge, context()))).toMatchObject({ name: 'PspRefused', kind: 'not_found' });
      }
      expect(calls(requests())).toEqual(['GET /v2/payments/tr', 'GET /v2/payments/tr']);
    });

    it('recognizes a payment by its callback URL alone, if the merchant changed its metadata', async () => {
      respond(aPayment({ status: 'paid', metadata: { order: 7 }, webhookUrl: order.callbackUrl }));
      expect(await mollie.fetch(charge, context())).toMatchObject({ kind: 'succeeded' });
    });
  });

  describe('the Mollie adapter on authorized payments', () => {
    const authorized = aPayment({ status: 'authorized' });

    it('captures a payment while that is allowed, always by the same call', async () => {
      respond(authorized, { status: 201, body: capture }, paid(euro));
      expect(await mollie.fetch(charge, context())).toMatchObject({ kind: 'succeeded', amount: 1099 });
      expect(calls(requests())).toEqual([
        'GET /v2/payments/tr',
        'POST /v2/payments/tr/captures',
        'GET /v2/payments/tr',
      ]);
      expect(requests()[1]).toMatchObject({ body: '{}', headers: { 'idempotency-key': `${payment.id}-capture` } });
    });

    it('does not capture a payment once ours has ended', async () => {
      respond(authorized);
      expect(await mollie.fetch({ ...charge, mayCapture: false }, context())).toEqual({
        kind: 'processing',
        reference: payment.id,
      });
      expect(calls(requests())).toEqual(['GET /v2/payments/tr']);
    });

    it.each<[string, readonly CannedResponse[]]>([
      ['is refused', [refused(422, fieldMissing)]],
      ['gets no response', ['cut']],
      ['comes too fast', [refused(429)]],
      ['is taken, and how it went is not seen', [{ status: 201, body: capture }, 'cut']],
      ['is taken, and will be carried out later', [{ status: 201, body: capture }, authorized]],
    ])('keeps a payment processing when the capture %s', async (_, replies) => {
      respond(authorized, ...replies);
      expect(await mollie.create(order, context())).toEqual({ kind: 'processing', reference: payment.id });
    });

    it('releases an authorization on cancel, and reports it as accepted', async () => {
      respond(authorized, { status: 202, body: '' });
      expect(await mollie.cancel(charge, context())).toEqual({ kind: 'accepted', reference: payment.id });
      expect(calls(requests())).toEqual(['GET /v2/payments/tr', 'POST /v2/payments/tr/release-authorization']);
    });
  });

  describe('the Mollie adapter on cancels', () => {
    it.each<[string, readonly CannedResponse[], number]>([
      ['its method does not allow it', [open], 1],
      ['the debit runs', [aPayment({ status: 'pending', isCancelable: false })], 1],
      ['Mollie says so', [aPayment({ isCancelable: true }), refused(422, notCancelable)], 2],
      ['the authorization is gone', [aPayment({ status: 'authorized' }), refused(422, notCancelable)], 2],
    ])('throws PspRefused for a cancel that is too late when %s', async (_, replies, count) => {
      respond(...replies);
      expect(await errorOf(mollie.cancel(charge, context()))).toMatchObject({ name: 'PspRefused', kind: 'state' });
      expect(requests().length).toBe(count);
    });

    it('returns the outcome of a payment that has ended', async () => {
      respond(aPayment({ status: 'expired' }));
      expect(await mollie.cancel(charge, context())).toMatchObject({ kind: 'declined', decline: { code: 'expired' } });
    });
  });

  describe('the Mollie adapter on refunds', () => {
    const ours = { ...refund, status: 'processing', metadata: { ...KEYS, refund_id: refundOrder.refundId } };

    it.each([
      ['as an object', ours],
      ['as a text', { ...ours, metadata: JSON.stringify(ours.metadata) }],
    ])('does not repeat a refund that is listed with its metadata %s', async (_, known) => {
      respond(listed({ ...refund, metadata: null }, known));
      expect(await mollie.refund(refundOrder, context())).toEqual({ kind: 'accepted', reference: refund.id });
      expect(calls(requests())).toEqual(['GET /v2/payments/tr/refunds']);
    });

    it('searches a refund on every page', async () => {
      const next = {
        href: `https://api.mollie.com/v2/payments/${payment.id}/refunds?from=re_APBiGPH2vV&limit=250`,
        type: 'application/hal+json',
      };
      respond({ body: { ...refunds, _links: { ...refunds._links, next } } }, listed(ours));
      expect(await mollie.refund(refundOrder, context())).toMatchObject({ kind: 'accepted' });
      expect(requests().map(({ query }) => query.toString())).toEqual(['limit=250', 'limit=250&from=re_APBiGPH2vV']);
    });

    it.each([
      ['an address without a place'],
      ['https://api.mollie.com/v2/payments/tr_1/refunds'],
      ['https://api.mollie.com/v2/payments/tr_1/refunds?from=re_x'],
    ])('does not send a refund while the list has no end: %s', async (href) => {
      respond({ body: { ...refunds, _links: { ...refunds._links, next: { href } } } });
      expect(await errorOf(mollie.refund(refundOrder, context()))).toBeInstanceOf(PspOutcomeUnknown);
      expect(requests().every(({ method }) => method === 'GET')).toBe(true);
    });

    it('leaves a refund unknown that Mollie takes for a duplicate', async () => {
      respond(listed(), refused(409, duplicateRefund));
      expect(await errorOf(mollie.refund(refundOrder, context()))).toBeInstanceOf(PspOutcomeUnknown);
    });

    it('throws PspRefused for a refund that Mollie does not allow', async () => {
      respond(listed(), refused(422, fieldMissing));
      expect(await errorOf(mollie.refund(refundOrder, context()))).toMatchObject({ kind: 'request' });
    });

    it.each([
      ['queued', 'accepted'],
      ['pending', 'accepted'],
      ['processing', 'accepted'],
      ['a_state_of_the_future', 'accepted'],
      ['refunded', 'succeeded'],
      ['failed', 'failed'],
      ['canceled', 'failed'],
    ])('maps the refund status %s to %s', async (status, kind) => {
      respond(aRefund(status));
      expect(
        await mollie.fetchRefund({ reference: refund.id, paymentId, charge: payment.id }, context()),
      ).toMatchObject({ kind, amount: 500 });
    });

    it('looks up a refund only below its payment', async () => {
      expect(
        await errorOf(mollie.fetchRefund({ reference: refund.id, paymentId, charge: null }, context())),
      ).toBeInstanceOf(PspOutcomeUnknown);
      expect(requests()).toEqual([]);
    });

    it('lists all refunds of a charge', async () => {
      respond(
        aPayment({ status: 'paid' }),
        listed(refund, { ...refund, id: 're_2', status: 'failed', amount: { value: '1.00', currency: 'EUR' } }),
      );
      expect(await mollie.listRefunds?.(charge, context())).toEqual([
        { kind: 'accepted', reference: refund.id, amount: 595, currency: 'EUR', ourId: null },
        {
          kind: 'failed',
          reference: 're_2',
          amount: 100,
          currency: 'EUR',
          ourId: null,
          decline: { code: 'refund_declined', provider_code: null },
        },
      ]);
    });
  });

  it.each([
    ['no key', {}],
    ['an organization token', { api_key: 'access_1' }],
    ['an OAuth field', { api_key: 'test_1', profile_id: 'pfl_1' }],
    ['six secrets', { api_key: 'test_1', webhook_secret: ['1', '2', '3', '4', '5', '6'] }],
    ['an empty secret', { api_key: 'live_1', webhook_secret: '' }],
  ])('rejects credentials with %s', (_, credentials) => {
    expect(mollie.parseCredentials(credentials).ok).toBe(false);
  });

  it('accepts credentials without a webhook secret', () => {
    expect(mollie.parseCredentials({ api_key: 'live_1' })).toMatchObject({ ok: true });
  });

  it.runIf(specsThere || inCi)(
    'reports a field, a method and a query parameter that Mollie does not have (needs ../shared/psp-specs)',
    () => {
      const request = {
        method: 'POST',
        path: '/v2/payments',
        query: new URLSearchParams(),
        headers: { 'content-type': 'application/json' },
      };
      const good = {
        amount: { currency: 'EUR', value: '1.00' },
        description: 'd',
        redirectUrl: 'https://a.example',
        method: 'ideal',
      };
      const check = (body: object, query = '') =>
        mollieDocument().check({ ...request, query: new URLSearchParams(query), body: JSON.stringify(body) });
      expect(check(good)).toEqual([]);
      for (const bad of [
        { ...good, order: 1 },
        { ...good, method: 'upi' },
        { ...good, amount: 1 },
        { ...good, id: 'tr_1' },
        { method: 'ideal' },
      ])
        expect(check(bad)).not.toEqual([]);
      expect(check(good, 'page=1')).not.toEqual([]);
    },
  );
};

describe('mollie', () =>
  describePsp(dialect, (bench) => {
    ownCases(bench);
    describeMollieCaptures(bench);
  }));
