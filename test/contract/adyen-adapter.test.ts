import { describe, expect, it } from 'vitest';
import { declineOf, failureOf } from '#shared/domain/payments/declines.catalog.ts';
import { type ChargeOrder, PspOutcomeUnknown, type PspRequest, type RefundOrder } from '#shared/ports/psp.port.ts';
import { adyen } from '#shared/psp/adyen/adapter.ts';
import type { CannedResponse, ReceivedRequest } from '#test/contract/canned-server.ts';
import { openApiCheck } from '#test/contract/openapi-check.ts';
import { type Bench, describePsp, type Money, type PspDialect } from '#test/contract/psp.contract.ts';
import { captureOrderOf } from '#test/contract/psp-capture.contract.ts';
import canceled from '#test/fixtures/adyen/cancel-received.json' with { type: 'json' };
import authorisedDetails from '#test/fixtures/adyen/details-authorised.json' with { type: 'json' };
import forbidden from '#test/fixtures/adyen/error-forbidden.json' with { type: 'json' };
import unauthorized from '#test/fixtures/adyen/error-unauthorized.json' with { type: 'json' };
import validation from '#test/fixtures/adyen/error-validation.json' with { type: 'json' };
import ownCanceled from '#test/fixtures/adyen/own-cancel-received.json' with { type: 'json' };
import authorised from '#test/fixtures/adyen/payment-authorised.json' with { type: 'json' };
import bankRedirect from '#test/fixtures/adyen/payment-bank-redirect.json' with { type: 'json' };
import link from '#test/fixtures/adyen/payment-link.json' with { type: 'json' };
import cardRedirect from '#test/fixtures/adyen/payment-redirect.json' with { type: 'json' };
import refunded from '#test/fixtures/adyen/refund-received.json' with { type: 'json' };

type Credentials = Parameters<typeof adyen.ping>[0]['credentials'];

const HMAC_CANARY = `${'CA4A5EC2E7'.repeat(6)}CA4A`;
const CANARIES = ['AQECANARYAPIKEY', HMAC_CANARY, 'CANARYSTOREDMETHOD'] as const;
const ACCOUNT_ERRORS = 'ShopECOM';

const refusal = (status: number, fields: object): CannedResponse => ({
  status,
  body: { ...validation, status, message: `Quotes ${CANARIES.join(' ')}`, ...fields },
});
const paid = ({ sent, currency }: Money) => ({ ...authorised, amount: { currency, value: Number(sent) } });
const paymentResponse = (fields: object): CannedResponse => ({
  body: { pspReference: authorised.pspReference, merchantReference: 'att_1', ...fields },
});

const euro: Money = { amount: 1099, currency: 'EUR', sent: '1099' };
const me = {
  id: 'S2-1',
  username: 'ws_1@Company.DemoShop',
  companyName: 'Demo Shop Ltd',
  clientKey: 'test_1',
  allowedIpAddresses: [],
  roles: [],
  active: true,
};

type Body = {
  readonly amount?: { readonly value: number };
  readonly metadata?: object;
  readonly additionalData?: { readonly manualCapture?: string };
  readonly [name: string]: unknown;
};
const bodyOf = ({ body }: ReceivedRequest): Body => (body === '' ? {} : JSON.parse(body));

const captureReceived = { ...canceled, pspReference: 'QFQTPCQ8HXSKGK82', amount: { currency: 'EUR', value: 300 } };

const dialect: PspDialect<Credentials> = {
  adapter: adyen,
  credentials: { api_key: CANARIES[0], merchant_account: ACCOUNT_ERRORS, webhook_secret: HMAC_CANARY },
  token: CANARIES[2],
  reusableTokens: ['ok', { storedPaymentMethodId: CANARIES[2], shopperReference: 'shopper_1' }],
  canaries: CANARIES,
  reference: authorised.pspReference,
  refundReference: refunded.pspReference,
  unsupported: ['look_up', 'refund_look_up'],
  refundStates: ['pending'],
  cancelOutcome: 'accepted',
  tooLate: 'state',
  confirmInput: { redirectResult: 'X6XtfGC3!Y' },
  sentMetadata: { refund: 'nothing' },
  money: [
    euro,
    { amount: 500, currency: 'JPY', sent: '500' },
    { amount: 500, currency: 'ISK', sent: '50000' },
    { amount: 500, currency: 'CLP', sent: '50000' },
    { amount: 1200, currency: 'CVE', sent: '12' },
    { amount: 150_000, currency: 'IDR', sent: '1500' },
    { amount: 5124, currency: 'KWD', sent: '5124' },
    { amount: 99_999_999_999, currency: 'USD', sent: '99999999999' },
  ],
  unsupportedAmounts: [
    { amount: 1250, currency: 'CVE' },
    { amount: 1, currency: 'IDR' },
    { amount: 100, currency: 'BIF' },
    { amount: 100, currency: 'CLF' },
    { amount: 100, currency: 'XXX' },
    { amount: 0, currency: 'USD' },
  ],
  declines: [
    ['2', 'card_declined', 'retry_other_psp'],
    ['4', 'processing_error', 'retry_other_psp'],
    ['5', 'restricted_card', 'never'],
    ['6', 'expired_card', 'new_method'],
    ['7', 'amount_not_supported', 'only_other_psp'],
    ['8', 'invalid_number', 'fix_input'],
    ['12', 'insufficient_funds', 'retry_same_later'],
    ['16', 'customer_canceled', 'new_method'],
    ['18', 'incorrect_pin', 'never'],
    ['20', 'fraud_suspected', 'never'],
    ['24', 'incorrect_cvc', 'fix_input'],
    ['27', 'do_not_honor', 'retry_other_psp'],
    ['38', 'authentication_required', 'fix_input'],
    ['46', 'card_declined', 'never'],
    ['9999', 'card_declined', 'retry_same_later'],
    ['33', 'authentication_required', 'fix_input'],
    ['34', 'invalid_account', 'new_method'],
    ['36', 'authentication_required', 'fix_input'],
    ['37', 'customer_canceled', 'fix_input'],
    ['40', 'try_again_later', 'retry_same_later'],
    ['42', 'authentication_failed', 'fix_input'],
    ['44', 'card_not_supported', 'new_method'],
    ['45', 'card_not_supported', 'new_method'],
    ['50', 'authorization_revoked', 'never'],
  ],
  responses: {
    approved: (money) => [{ body: paid(money) }],
    declined: (refusalReasonCode) => [
      paymentResponse({ resultCode: 'Refused', refusalReason: `Quotes ${CANARIES.join(' ')}`, refusalReasonCode }),
    ],
    redirected: [{ body: cardRedirect }],
    hosted: [{ status: 201, body: link }],
    pending: [paymentResponse({ resultCode: 'Pending' })],
    refunded: ({ sent, currency }) => [
      { status: 201, body: { ...refunded, amount: { currency, value: Number(sent) } } },
    ],
    canceled: [{ status: 201, body: canceled }],
    cancelTooLate: [refusal(422, { errorCode: '14_012' })],
    account: [{ body: me }],
    badCredentials: { status: 401, body: { ...unauthorized, message: `Quotes ${CANARIES.join(' ')}` } },
    notFound: refusal(422, { errorCode: '167' }),
  },
  capture: {
    reference: authorised.pspReference,
    captureReference: captureReceived.pspReference,
    modeIn: (request) => {
      const { captureDelayHours, additionalData, manualCapture } = bodyOf(request);
      return [captureDelayHours, additionalData ? additionalData.manualCapture : manualCapture];
    },
    modes: { token: [undefined, 'true'], page: [undefined, true] },
    authorized: (money) => [{ body: paid(money) }],
    captured: (_, state) =>
      state === 'failed' ? [refusal(422, { errorCode: '137' })] : [{ status: 201, body: captureReceived }],
    states: ['accepted', 'failed'],
    released: [{ status: 201, body: canceled }],
    releaseOutcome: 'accepted',
    releasedTooLate: [refusal(422, { errorCode: '14_012' })],
  },
  amountIn: (request) => bodyOf(request).amount?.value.toString(),
  idempotencyFields: ({ method, path, headers, body }) => ({ method, path, key: headers['idempotency-key'], body }),
  metadataIn: (request) => bodyOf(request).metadata ?? 'nothing',
  accountName: 'Demo Shop Ltd',
  check: () => {
    const checkout = openApiCheck('adyen.checkout-v72.openapi.json');
    const management = openApiCheck('adyen.management-v3.openapi.json');
    return (request) => {
      const { path, method, headers } = request;
      const documented = { ...request, path: path.replace(/^\/v\d+/, '') };
      const unkeyed = method === 'POST' && !/\/cancels$/.test(path) && !headers['idempotency-key'];
      return [
        ...(path.startsWith('/v72/') ? checkout : management)(documented),
        ...(/^\/v(72|3)\//.test(path) ? [] : [`${path} names no version`]),
        ...(unkeyed ? [`${path} has no key`] : []),
        ...(String(headers['idempotency-key'] ?? '').length > 64 ? [`${path} has too long a key`] : []),
      ];
    };
  },
};

/** What Adyen's browser library adds to each `paymentMethod` of its state (6.35). */
const BY_COMPONENT = { checkoutAttemptId: 'd3290440-e3e5-4bb0', sdkData: 'eyJzY2hlbWFWZXJzaW9uIjoxfQ==' };
const SAVED_BY_COMPONENT = {
  type: 'scheme',
  storedPaymentMethodId: 'M5N7TQ4TG5PFWR50',
  encryptedSecurityCode: 'eyJhbGciOiJSU0EtT0FFUCJ9.code',
  brand: 'visa',
};
const COMPONENT_CARD = {
  type: 'scheme',
  encryptedCardNumber: 'eyJhbGciOiJSU0EtT0FFUCJ9.number',
  encryptedExpiryMonth: 'eyJhbGciOiJSU0EtT0FFUCJ9.month',
  encryptedExpiryYear: 'eyJhbGciOiJSU0EtT0FFUCJ9.year',
  encryptedSecurityCode: 'eyJhbGciOiJSU0EtT0FFUCJ9.code',
};
const COMPONENT_TOKENS: readonly (readonly [string, string, Readonly<Record<string, string>>])[] = [
  ['a card', 'card', { ...COMPONENT_CARD, holderName: 'Kim Doe', brand: 'mc' }],
  ['a card of two networks', 'card', { ...COMPONENT_CARD, brand: 'cartebancaire', fundingSource: 'debit' }],
  ['a Bancontact card', 'bancontact', { ...COMPONENT_CARD, type: 'bcmc', brand: 'bcmc' }],
  ['Apple Pay', 'wallet', { type: 'applepay', applePayToken: 'VNRWtuNlNEWkRCSm1xWndjMDFFbktkQU' }],
  ['Google Pay', 'wallet', { type: 'googlepay', googlePayToken: '{"signature":"1"}', googlePayCardNetwork: 'VISA' }],
  ['a bank account', 'sepa_debit', { type: 'sepadirectdebit', iban: 'NL13TEST0123456789', ownerName: 'A. Klaassen' }],
  ['a BLIK code', 'blik', { type: 'blik', blikCode: '777123' }],
  ['iDEAL', 'ideal', { type: 'ideal' }],
  ['Alipay', 'alipay', { type: 'alipay' }],
];

const LINK = link.id;
const sent = (requests: readonly ReceivedRequest[]) => requests.map(({ method, path }) => `${method} ${path}`);

const ownCases = ({ respond, requests, context, order, errorOf }: Bench<Credentials>): void => {
  const { paymentId, attemptId, metadata } = order;
  const charge = { paymentId, attemptId, mayCapture: true };
  const refundOrder: RefundOrder = {
    paymentId,
    refundId: 're_2',
    reference: authorised.pspReference,
    amount: 100,
    currency: 'EUR',
    metadata,
  };
  const confirm = (input: Record<string, unknown>, reference = attemptId) =>
    adyen.confirm({ reference, order, input }, context());

  describe('the Adyen adapter on captures', () => {
    const capture = captureOrderOf(order, authorised.pspReference);

    it('names the payment and the capture in the reference, which is all that notifications return', async () => {
      respond({ status: 201, body: captureReceived });
      await adyen.capture?.(capture, context());
      expect(bodyOf(requests()[0]!)).toMatchObject({ reference: `${paymentId}.${capture.captureId}` });
    });

    it('sends no capture again when its key may have expired', async () => {
      const late = { ...context(), now: () => new Date(Date.parse(order.startedAt) + 4 * 24 * 3_600_000) };
      expect(await errorOf(adyen.capture?.({ ...capture, isRepeat: true }, late) ?? Promise.resolve())).toBeInstanceOf(
        PspOutcomeUnknown,
      );
      expect(requests()).toEqual([]);
    });
  });

  describe('the Adyen adapter on payments', () => {
    it('sends immediate capture, our return URL and our reference', async () => {
      respond({ body: paid(euro) });
      await adyen.create(order, context());
      expect(sent(requests())).toEqual(['POST /v72/payments']);
      const expected = {
        merchantAccount: ACCOUNT_ERRORS,
        reference: attemptId,
        captureDelayHours: 0,
        returnUrl: order.returnUrl,
        countryCode: 'DE',
        shopperIP: '192.0.2.1',
      };
      expect(bodyOf(requests()[0]!)).toMatchObject(expected);
      expect(requests()[0]!.headers).toMatchObject({ 'x-api-key': CANARIES[0], 'idempotency-key': attemptId });
    });

    const encrypted = {
      encryptedCardNumber: 'test_4111111145551142',
      encryptedExpiryMonth: 'test_03',
      encryptedExpiryYear: 'test_2030',
    };
    it.each<[string, string, ChargeOrder['paymentMethod']['token'], object]>([
      [
        'a saved method',
        'card',
        'M5N7TQ4TG5PFWR50',
        {
          paymentMethod: { type: 'scheme', storedPaymentMethodId: 'M5N7TQ4TG5PFWR50' },
          shopperInteraction: 'ContAuth',
        },
      ],
      [
        'a saved method with its shopper',
        'card',
        { storedPaymentMethodId: 'M5N7TQ4TG5PFWR50', shopperReference: 'shopper_1' },
        { shopperReference: 'shopper_1', recurringProcessingModel: 'CardOnFile' },
      ],
      [
        'an encrypted card',
        'card',
        encrypted,
        { paymentMethod: { type: 'scheme', ...encrypted }, shopperInteraction: 'Ecommerce' },
      ],
      [
        'Apple Pay',
        'wallet',
        { applePayToken: 'VNRWtuNlNEWkRCSm1xWndjMDFFbktkQU' },
        { paymentMethod: { type: 'applepay' } },
      ],
      ['Google Pay', 'wallet', { googlePayToken: '{"signature":"1"}' }, { paymentMethod: { type: 'googlepay' } }],
      [
        'a bank account',
        'sepa_debit',
        { iban: 'NL13TEST0123456789', ownerName: 'A. Klaassen' },
        { paymentMethod: { type: 'sepadirectdebit', ownerName: 'A. Klaassen' } },
      ],
      ['a BLIK code', 'blik', { blikCode: '777123' }, { paymentMethod: { type: 'blik', blikCode: '777123' } }],
      ...COMPONENT_TOKENS.map(
        ([what, method, token]): [string, string, ChargeOrder['paymentMethod']['token'], object] => [
          `${what} as the Component hands it out`,
          method,
          { ...token, ...BY_COMPONENT },
          { paymentMethod: { ...token, ...BY_COMPONENT } },
        ],
      ),
      [
        'a saved card as the Component hands it out, with its shopper',
        'card',
        { ...SAVED_BY_COMPONENT, ...BY_COMPONENT, shopperReference: 'shopper_1' },
        { paymentMethod: { ...SAVED_BY_COMPONENT, ...BY_COMPONENT }, shopperReference: 'shopper_1' },
      ],
    ])('accepts %s as a token', async (_, method, token, expected) => {
      respond({ body: paid(euro) });
      await adyen.create({ ...order, method, paymentMethod: { type: method, token } }, context());
      expect(bodyOf(requests()[0]!)).toMatchObject(expected);
    });

    it('accepts a saved mandate, for which only the API document requires the account again', async () => {
      let body = '';
      const send = async (request: PspRequest) => {
        body = request.body ?? '';
        return {
          status: 200,
          headers: {},
          text: JSON.stringify({ resultCode: 'Received', pspReference: authorised.pspReference }),
        };
      };
      const paymentMethod = { type: 'sepa_debit', token: 'M5N7TQ4TG5PFWR51' };
      expect(
        await adyen.create({ ...order, method: 'sepa_debit', paymentMethod }, { ...context(), send }),
      ).toMatchObject({ kind: 'processing' });
      expect(JSON.parse(body)).toMatchObject({
        paymentMethod: { type: 'sepadirectdebit', storedPaymentMethodId: 'M5N7TQ4TG5PFWR51' },
      });
    });

    it('drops what Adyen’s API does not name, such as the place of an express button', async () => {
      respond({ body: paid(euro) });
      const token = { type: 'paywithgoogle', googlePayToken: '{}', subtype: 'express' };
      await adyen.create({ ...order, method: 'wallet', paymentMethod: { type: 'wallet', token } }, context());
      expect(bodyOf(requests()[0]!).paymentMethod).toEqual({ type: 'googlepay', googlePayToken: '{}' });
    });

    it('rejects a token of another form without a call', async () => {
      const odd = { ...order, paymentMethod: { type: 'card', token: { number: '4111' } } };
      expect(await errorOf(adyen.create(odd, context()))).toMatchObject({ name: 'PspRefused', kind: 'request' });
      expect(requests()).toEqual([]);
    });

    it('redirects a bank payment at once, and keeps our own reference until the bank decides', async () => {
      respond({ body: bankRedirect });
      const outcome = await adyen.create({ ...order, method: 'ideal', paymentMethod: { type: 'ideal' } }, context());
      expect(outcome).toEqual({
        kind: 'requires_action',
        reference: attemptId,
        action: { type: 'redirect', url: bankRedirect.action.url, method: 'GET' },
      });
      expect(bodyOf(requests()[0]!)).toMatchObject({ paymentMethod: { type: 'ideal' } });
    });

    it('leaves out an email address that is too long for metadata', async () => {
      respond({ body: paid(euro) });
      const email = `${'k'.repeat(70)}@example.com`;
      await adyen.create(
        { ...order, customerEmail: email, metadata: { ...metadata, customer_email: email } },
        context(),
      );
      const { customer_email: _, ...rest } = metadata;
      expect(bodyOf(requests()[0]!)).toMatchObject({ metadata: rest, shopperEmail: email });
      expect(bodyOf(requests()[0]!).metadata).toEqual(rest);
    });

    const reference = authorised.pspReference;
    it.each<[string, object, object]>([
      ['authorised without an amount waits for its notice', authorised, { kind: 'processing', reference }],
      [
        'authorised in part says how much',
        { ...paid(euro), resultCode: 'PartiallyAuthorised', amount: { currency: 'EUR', value: 7 } },
        { kind: 'succeeded', amount: 7 },
      ],
      [
        'authorised in a currency that can’t be counted waits for its notice',
        { ...authorised, amount: { currency: 'BIF', value: 7 } },
        { kind: 'processing' },
      ],
      [
        'that Adyen erred in is not declined',
        { pspReference: reference, resultCode: 'Error', refusalReasonCode: '4' },
        { kind: 'processing', reference },
      ],
      [
        'that the customer turned back from is declined',
        { pspReference: reference, resultCode: 'Cancelled' },
        { kind: 'declined', reference, decline: declineOf('customer_canceled') },
      ],
      [
        'received is processing',
        { pspReference: reference, resultCode: 'Received' },
        { kind: 'processing', reference },
      ],
      [
        'in a state of the future is processing',
        { pspReference: reference, resultCode: 'Pondering' },
        { kind: 'processing', reference },
      ],
      [
        'keeps our reference when there is no other',
        { resultCode: 'Received' },
        { kind: 'processing', reference: attemptId },
      ],
    ])('%s', async (_, body, expected) => {
      respond({ body });
      expect(await adyen.create(order, context())).toMatchObject(expected);
    });

    it.each<[string, object, object]>([
      [
        'a redirect with a form',
        { type: 'redirect', url: 'https://acs.example/', method: 'POST', data: { MD: 'm', PaReq: 'p', n: 1 } },
        { type: 'redirect', method: 'POST', fields: { MD: 'm', PaReq: 'p' } },
      ],
      ['a wait for the phone', { type: 'await', paymentData: 'x' }, { type: 'await' }],
      [
        'a voucher',
        {
          type: 'voucher',
          reference: '0123',
          expiresAt: '2026-02-01T10:00:00',
          paymentData: 'x',
          totalAmount: { value: 1 },
        },
        { type: 'display', kind: 'voucher', reference: '0123', expiresAt: '2026-02-01T10:00:00' },
      ],
      [
        'a QR code',
        { type: 'qrCode', qrCodeData: 'bank:1' },
        { type: 'display', kind: 'qrCode', qrCodeData: 'bank:1' },
      ],
      [
        'the components',
        { type: 'threeDS2', token: 't' },
        { type: 'sdk', provider: 'adyen', data: { action: '{"type":"threeDS2","token":"t"}' } },
      ],
    ])('returns %s as the next action', async (_, action, expected) => {
      respond(paymentResponse({ resultCode: 'PresentToShopper', action }));
      const outcome = await adyen.create(order, context());
      expect(outcome).toMatchObject({ kind: 'requires_action', reference: attemptId, action: expected });
      if (outcome.kind === 'requires_action') expect(JSON.stringify(outcome.action)).not.toContain('"paymentData"');
    });

    it.each<[string, CannedResponse]>([
      ['still runs', refusal(422, { errorCode: '704' })],
      ['still runs, in another form', refusal(409, { errorCode: '704' })],
      ['is to be repeated', { status: 422, headers: { 'transient-error': 'true' }, body: validation }],
      ['broke at Adyen', refusal(422, { errorCode: '000', errorType: 'internal' })],
      ['was refused for an unknown reason', refusal(400, { errorType: undefined })],
      ['was authorised and has no name', { body: { resultCode: 'Authorised' } }],
    ])('throws PspOutcomeUnknown when the call %s', async (_, reply) => {
      respond(reply);
      expect(await errorOf(adyen.create(order, context()))).toBeInstanceOf(PspOutcomeUnknown);
    });

    it('draws no conclusion from what Adyen refuses of the customer’s return parameters', async () => {
      respond(refusal(422, { errorCode: '14_018' }));
      expect(await errorOf(confirm({ redirectResult: 'of nobody' }))).toMatchObject({
        name: 'PspRefused',
        kind: 'request',
        provider_code: '14_018',
      });
      respond(refusal(422, { errorCode: '106' }));
      expect(await errorOf(confirm({ redirectResult: 'used before' }))).toBeInstanceOf(PspOutcomeUnknown);
    });

    it.each([
      ['101', 'invalid_number'],
      ['103', 'incorrect_cvc'],
      ['141', 'invalid_expiry'],
      ['174', 'invalid_payment_method'],
      ['803', 'invalid_payment_method'],
      ['14_004', 'invalid_payment_method'],
      ['14_018', 'invalid_payment_method'],
      ['137', 'amount_not_supported'],
      ['138', 'currency_not_supported'],
      ['905_1', 'method_not_supported'],
    ] as const)('maps a request refused with %s to the decline %s', async (errorCode, code) => {
      respond(refusal(422, { errorCode }));
      expect(await adyen.create(order, context())).toEqual({
        kind: 'declined',
        reference: null,
        decline: declineOf(code, errorCode),
      });
    });

    it('declines a charge without an acquirer despite the 500, and leaves any other 500 unknown', async () => {
      for (const errorCode of ['905', '905_1', '905_3', '907']) {
        respond({ status: 500, body: { status: 500, errorCode, message: 'Quotes', errorType: 'configuration' } });
        expect(await adyen.create(order, context())).toEqual({
          kind: 'declined',
          reference: null,
          decline: declineOf('method_not_supported', errorCode),
        });
      }
      for (const [errorCode, errorType] of [
        ['905_1', 'internal'],
        ['800', 'configuration'],
      ]) {
        respond({ status: 500, body: { status: 500, errorCode, errorType } });
        expect(await errorOf(adyen.create(order, context()))).toBeInstanceOf(PspOutcomeUnknown);
      }
    });

    it.each<[string, CannedResponse, object]>([
      [
        'the account',
        refusal(422, { errorCode: '010', errorType: 'security' }),
        { kind: 'account', provider_code: '010' },
      ],
      ['a field', { status: 422, body: validation }, { kind: 'request', provider_code: '14_030' }],
      ['the merchant account', { status: 403, body: forbidden }, { kind: 'credentials', provider_code: '901' }],
      [
        'a code that is none',
        refusal(422, { errorCode: `${CANARIES[0]!} !` }),
        { kind: 'request', provider_code: null },
      ],
    ])('throws our own message for a request refused for %s', async (_, reply, expected) => {
      respond(reply);
      const error = await errorOf(adyen.create(order, context()));
      expect(error).toMatchObject({ name: 'PspRefused', ...expected });
      expect(String(error)).not.toMatch(/Quotes|Invalid Merchant|Return URL/);
    });
  });

  describe('the Adyen adapter off-session', () => {
    const saved = { storedPaymentMethodId: 'M5N7TQ4TG5PFWR50', shopperReference: 'shopper_1' };
    const away: ChargeOrder = { ...order, paymentMethod: { type: 'card', token: saved }, offSession: true };

    it('sends a subscription charge without browser data', async () => {
      respond({ body: paid(euro) });
      expect(await adyen.create(away, context())).toMatchObject({ kind: 'succeeded', amount: 1099 });
      expect(bodyOf(requests()[0]!)).toEqual({
        merchantAccount: ACCOUNT_ERRORS,
        amount: { value: 1099, currency: 'EUR' },
        captureDelayHours: 0,
        countryCode: 'DE',
        shopperEmail: order.customerEmail,
        metadata,
        reference: attemptId,
        paymentMethod: { type: 'scheme', storedPaymentMethodId: 'M5N7TQ4TG5PFWR50' },
        shopperReference: 'shopper_1',
        shopperInteraction: 'ContAuth',
        recurringProcessingModel: 'Subscription',
        returnUrl: order.returnUrl,
      });
      expect(requests()[0]!.headers['idempotency-key']).toBe(attemptId);
    });

    it('declines a charge whose issuer requires the customer, and redirects it on-session', async () => {
      respond(...dialect.responses.declined('38'));
      const outcome = await adyen.create(away, context());
      expect(outcome).toMatchObject({ kind: 'declined', decline: declineOf('authentication_required', '38') });
      if (outcome.kind === 'declined') expect(failureOf(outcome.decline).category).toBe('soft_decline');
      respond(...dialect.responses.redirected);
      expect(await adyen.create({ ...away, offSession: false, attemptId: 'att_2' }, context())).toMatchObject({
        kind: 'requires_action',
        action: { type: 'redirect' },
      });
      expect(bodyOf(requests()[1]!)).toMatchObject({
        ...{ paymentMethod: { storedPaymentMethodId: 'M5N7TQ4TG5PFWR50' }, shopperReference: 'shopper_1' },
        ...{ shopperInteraction: 'ContAuth', recurringProcessingModel: 'CardOnFile' },
        ...{ channel: 'Web', returnUrl: order.returnUrl },
      });
    });

    it.each<[string, readonly CannedResponse[], string]>([
      ['a revoked agreement', dialect.responses.declined('26'), 'authorization_revoked'],
      ['an expired card', dialect.responses.declined('6'), 'expired_card'],
      ['a blocked card', dialect.responses.declined('5'), 'restricted_card'],
      ['a method that is gone', [refusal(422, { errorCode: '800' })], 'invalid_payment_method'],
      ['one that is not this shopper’s', [refusal(422, { errorCode: '803' })], 'invalid_payment_method'],
      ['one that was saved for another use', [refusal(422, { errorCode: '807' })], 'invalid_payment_method'],
    ])('fails for good on %s off-session', async (_, replies, code) => {
      respond(...replies);
      const outcome = await adyen.create(away, context());
      expect(outcome).toMatchObject({ kind: 'declined', decline: { code } });
      if (outcome.kind === 'declined') expect(failureOf(outcome.decline).category).toBe('hard_decline');
    });

    it('accepts a mandate, and no token for a single charge', async () => {
      const sent: PspRequest[] = [];
      const send = async (request: PspRequest) => {
        sent.push(request);
        return {
          status: 200,
          headers: {},
          text: JSON.stringify({ resultCode: 'Received', pspReference: authorised.pspReference }),
        };
      };
      const of = (method: string, token: ChargeOrder['paymentMethod']['token']) =>
        adyen.create({ ...away, method, paymentMethod: { type: method, token } }, { ...context(), send });
      expect(await of('sepa_debit', saved)).toMatchObject({ kind: 'processing' });
      expect(JSON.parse(sent[0]?.body ?? '')).toMatchObject({
        ...{ paymentMethod: { type: 'sepadirectdebit', storedPaymentMethodId: 'M5N7TQ4TG5PFWR50' } },
        ...{ shopperInteraction: 'ContAuth', recurringProcessingModel: 'Subscription' },
      });
      expect(await errorOf(of('wallet', { applePayToken: 'VNRW' }))).toMatchObject({
        name: 'PspRefused',
        kind: 'request',
      });
      expect(sent).toHaveLength(1);
    });
  });

  it.each<[NonNullable<ChargeOrder['paymentMethod']['token']>, string, boolean]>([
    [{ storedPaymentMethodId: 'M5N7TQ4TG5PFWR50', shopperReference: 'shopper_1' }, 'card', true],
    [{ storedPaymentMethodId: 'M5N7TQ4TG5PFWR50', shopperReference: 'shopper_1' }, 'wallet', true],
    [{ storedPaymentMethodId: 'M5N7TQ4TG5PFWR50', shopperReference: 'shopper_1' }, 'sepa_debit', true],
    [{ storedPaymentMethodId: 'M5N7TQ4TG5PFWR50', shopperReference: 'shopper_1' }, 'ideal', false],
    [{ storedPaymentMethodId: 'M5N7TQ4TG5PFWR50' }, 'card', false],
    ['M5N7TQ4TG5PFWR50', 'card', false],
    [{ storedPaymentMethodId: 'ok' }, 'card', true],
    [{ ...SAVED_BY_COMPONENT, shopperReference: 'shopper_1' }, 'card', false],
    [
      { type: 'scheme', storedPaymentMethodId: 'M5N7TQ4TG5PFWR50', brand: 'visa', shopperReference: 'shopper_1' },
      'card',
      true,
    ],
    [{ type: 'ideal' }, 'ideal', false],
    ['ok', 'card', true],
    ['needs_3ds', 'card', true],
    ['pending', 'sepa_debit', true],
    ['decline_expired_card', 'card', true],
    [
      { encryptedCardNumber: 'test_1', encryptedExpiryMonth: 'test_03', encryptedExpiryYear: 'test_2030' },
      'card',
      false,
    ],
    [{ encryptedCardNumber: 'ok', encryptedExpiryMonth: 'test_03', encryptedExpiryYear: 'test_2030' }, 'card', false],
    [{ applePayToken: 'VNRW' }, 'wallet', false],
    [{ googlePayToken: '{}' }, 'wallet', false],
    [{ iban: 'NL13TEST0123456789', ownerName: 'A. Klaassen' }, 'sepa_debit', false],
    [{ blikCode: '777123' }, 'blik', false],
    ['', 'card', false],
    [{ number: '4111' }, 'card', false],
  ])('says whether the token %j is reusable as %s: %s', (token, method, expected) => {
    expect(adyen.isReusableToken(token, method)).toBe(expected);
  });

  describe('the Adyen adapter in a confirm', () => {
    it.each<[string, Record<string, unknown>, object]>([
      ['a redirect', { redirectResult: 'X6XtfGC3!Y', other: 1 }, { details: { redirectResult: 'X6XtfGC3!Y' } }],
      ['an older redirect', { MD: 'm', PaRes: 'p' }, { details: { MD: 'm', PaRes: 'p' } }],
      [
        'the components',
        { threeDSResult: 'eyJ0', paymentData: 'Ab02' },
        { details: { threeDSResult: 'eyJ0' }, paymentData: 'Ab02' },
      ],
    ])('sends what %s returned, under one key each', async (_, input, body) => {
      respond({
        body: { ...authorisedDetails, merchantReference: attemptId, amount: { currency: 'EUR', value: 1099 } },
      });
      for (const _again of [1, 2])
        expect(await confirm(input)).toMatchObject({
          kind: 'succeeded',
          reference: authorisedDetails.pspReference,
          amount: 1099,
        });
      const [once, again] = requests();
      expect(bodyOf(once!)).toEqual(body);
      expect(once!.headers['idempotency-key']).toMatch(new RegExp(`^${attemptId}-[0-9a-f]{24}$`));
      expect(again!.headers['idempotency-key']).toBe(once!.headers['idempotency-key']);
    });

    it.each(['Authorised', 'Refused', 'Pending'])(
      'draws no conclusion when Adyen returns another payment (%s)',
      async (resultCode) => {
        respond({
          body: {
            ...authorisedDetails,
            resultCode,
            merchantReference: 'att_2',
            amount: { currency: 'EUR', value: 1099 },
          },
        });
        expect(await errorOf(confirm({ redirectResult: 'of another payment' }))).toMatchObject({
          name: 'PspRefused',
          kind: 'request',
        });
      },
    );

    it.each<[string, object]>([
      ['an authorisation', { amount: { currency: 'EUR', value: 1099 } }],
      ['an authorisation without an amount', {}],
      ['a refusal', { resultCode: 'Refused', refusalReasonCode: '12' }],
      ['a pending charge', { resultCode: 'Pending' }],
    ])('waits for the notification when %s does not name its payment', async (_, change) => {
      respond({ body: { ...authorisedDetails, ...change } });
      expect(await confirm({ redirectResult: 'X6XtfGC3!Y' })).toEqual({ kind: 'processing', reference: attemptId });
    });

    it.each([{}, { redirectResult: '' }, { redirectResult: 7 }, { paymentData: 'x' }])(
      'rejects the input %j without a call',
      async (input) => {
        expect(await errorOf(confirm(input))).toMatchObject({ name: 'PspRefused', kind: 'request' });
        expect(requests()).toEqual([]);
      },
    );

    it.each([
      [{ redirectResult: 'X', payment_id: 'p' }, { redirectResult: 'X' }],
      [{ payload: 'Y' }, { payload: 'Y' }],
      [
        { MD: 'm', PaRes: 'p' },
        { MD: 'm', PaRes: 'p' },
      ],
      [{ MD: 'm' }, undefined],
      [{}, undefined],
    ])('reads the return parameters %j as %j', (parameters, expected) => {
      expect(adyen.readReturn?.(parameters)).toEqual(expected);
    });
  });

  describe('the Adyen adapter on payment links', () => {
    const onPage = { ...order, paymentMethod: { type: 'card' } };
    const fetched = () => adyen.fetch({ ...charge, reference: LINK }, context());
    const page = (fields: object): CannedResponse => ({ body: { ...link, ...fields } });

    it('limits a link to the method and one day, and marks its reference as a page', async () => {
      respond({ status: 201, body: link });
      expect(await adyen.create(onPage, context())).toMatchObject({
        reference: LINK,
        action: { url: link.url },
        expires_at: '2022-10-28T09:16:22.000Z',
      });
      const expected = {
        reference: `${attemptId}-page`,
        allowedPaymentMethods: ['scheme'],
        expiresAt: '2026-01-02T00:00:00.000Z',
        captureDelayHours: 0,
        reusable: false,
      };
      expect(bodyOf(requests()[0]!)).toMatchObject(expected);
      expect(requests()[0]!.headers['idempotency-key']).toBe(attemptId);
    });

    it.each<[string, object, object]>([
      [
        'waits for the customer while it is active',
        {},
        { kind: 'requires_action', reference: LINK, expires_at: '2022-10-28T09:16:22.000Z' },
      ],
      ['has expired', { status: 'expired' }, { kind: 'declined', reference: LINK, decline: { code: 'expired' } }],
      ['does not say what was paid', { status: 'completed' }, { kind: 'processing', reference: LINK }],
      ['waits for the bank', { status: 'paymentPending' }, { kind: 'processing', reference: LINK }],
      ['is in a state of the future', { status: 'paused' }, { kind: 'processing', reference: LINK }],
      ['has an end that can’t be read', { expiresAt: 'soon' }, { kind: 'requires_action' }],
    ])('%s', async (_, fields, expected) => {
      respond(page(fields));
      expect(await fetched()).toMatchObject(expected);
      expect(sent(requests())).toEqual([`GET /v72/paymentLinks/${LINK}`]);
    });

    it('expires a link on cancel', async () => {
      respond(page({ status: 'expired' }));
      expect(await adyen.cancel({ ...charge, reference: LINK }, context())).toEqual({
        kind: 'canceled',
        reference: LINK,
      });
      expect(sent(requests())).toEqual([`PATCH /v72/paymentLinks/${LINK}`]);
      expect(bodyOf(requests()[0]!)).toEqual({ status: 'expired' });
    });

    it('does not cancel a link that was paid just before', async () => {
      respond(page({ status: 'completed' }));
      expect(await adyen.cancel({ ...charge, reference: LINK }, context())).toEqual({
        kind: 'processing',
        reference: LINK,
      });
      respond(refusal(422, { errorCode: '14_012' }));
      expect(await errorOf(adyen.cancel({ ...charge, reference: LINK }, context()))).toMatchObject({
        name: 'PspRefused',
        kind: 'state',
      });
    });

    it('looks up a link when the customer returns, and has no refund of it', async () => {
      respond(page({ status: 'completed' }));
      expect(await confirm({}, LINK)).toEqual({ kind: 'processing', reference: LINK });
      expect(await errorOf(adyen.refund({ ...refundOrder, reference: LINK }, context()))).toMatchObject({
        kind: 'state',
      });
      expect(sent(requests())).toEqual([`GET /v72/paymentLinks/${LINK}`]);
    });
  });

  it('cancels a charge by our own reference, which ends it', async () => {
    respond({ status: 201, body: ownCanceled });
    expect(await adyen.cancel({ ...charge, reference: attemptId }, context())).toEqual({
      kind: 'canceled',
      reference: attemptId,
    });
    expect(sent(requests())).toEqual(['POST /v72/cancels']);
    expect(bodyOf(requests()[0]!)).toEqual({
      merchantAccount: ACCOUNT_ERRORS,
      paymentReference: attemptId,
      reference: `${paymentId}.${attemptId}`,
    });
  });

  it.each([
    ['137', 'amount_not_supported'],
    ['999', 'refund_declined'],
  ])('fails a refund that Adyen refuses with %s', async (errorCode, why) => {
    respond(refusal(422, { errorCode }));
    expect(await adyen.refund(refundOrder, context())).toEqual({
      kind: 'failed',
      reference: null,
      decline: { code: why, provider_code: errorCode },
    });
    expect(bodyOf(requests()[0]!)).toEqual({
      merchantAccount: ACCOUNT_ERRORS,
      amount: { currency: 'EUR', value: 100 },
      reference: `${paymentId}.re_2`,
    });
  });

  describe('the Adyen adapter in a ping', () => {
    it('accepts a key without the permission to read the account', async () => {
      respond({ status: 403, body: forbidden });
      expect(await adyen.ping(context())).toEqual({ accountName: null });
    });

    it.each([
      [undefined, undefined, 'management-test.adyen.com'],
      ['1797a841fbb37ca7-Shop'.toLowerCase(), '1797a841fbb37ca7-shop', 'management-live.adyen.com'],
    ])('calls the own hosts of an account with the prefix %s', async (live_endpoint_url_prefix, hostPrefix, host) => {
      const sent: PspRequest[] = [];
      const { credentials, ...rest } = context();
      const send = async (request: PspRequest) => {
        sent.push(request);
        return { status: 200, headers: {}, text: JSON.stringify(request.operation === 'ping' ? me : paid(euro)) };
      };
      const psp = { ...rest, credentials: { ...credentials, live_endpoint_url_prefix }, send };
      await adyen.create(order, psp);
      await adyen.ping(psp);
      expect(sent.map((request) => [request.hostPrefix, request.host])).toEqual([
        [hostPrefix, undefined],
        [undefined, host],
      ]);
    });

    it.each([
      ['a prefix with a dot', { live_endpoint_url_prefix: 'evil.example' }],
      ['a key that is no key', { api_key: 'with space in it' }],
      ['an HMAC key that is not hexadecimal', { webhook_secret: 'x'.repeat(64) }],
      ['six HMAC keys', { webhook_secret: Array.from({ length: 6 }, () => HMAC_CANARY) }],
      ['a merchant account with a slash', { merchant_account: 'a/b' }],
    ])('rejects credentials with %s', (_, change) => {
      expect(
        adyen.parseCredentials({
          api_key: CANARIES[0],
          merchant_account: ACCOUNT_ERRORS,
          webhook_secret: HMAC_CANARY,
          ...change,
        }).ok,
      ).toBe(false);
    });
  });
};

describe('adyen', () => describePsp(dialect, ownCases));
