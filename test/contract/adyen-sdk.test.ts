import { createRequire } from 'node:module';
import type ClientClass from '@adyen/api-library/lib/src/client.js';
import type ExceptionClass from '@adyen/api-library/lib/src/httpClient/httpClientException.js';
import type * as Modifications from '@adyen/api-library/lib/src/services/checkout/modificationsApi.js';
import type * as Links from '@adyen/api-library/lib/src/services/checkout/paymentLinksApi.js';
import type * as Payments from '@adyen/api-library/lib/src/services/checkout/paymentsApi.js';
import type * as Credentials from '@adyen/api-library/lib/src/services/management/myAPICredentialApi.js';
import * as CheckoutTypes from '@adyen/api-library/lib/src/typings/checkout/models.js';
import type { PaymentLinkRequest } from '@adyen/api-library/lib/src/typings/checkout/paymentLinkRequest.js';
import type { PaymentRequest } from '@adyen/api-library/lib/src/typings/checkout/paymentRequest.js';
import type hmacValidator from '@adyen/api-library/lib/src/utils/hmacValidator.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { schemaFaults, specsThere } from '#test/contract/stripe-simulator.schemas.ts';
import { type Json, startTestbed, type Testbed } from '#test/contract/stripe-simulator.support.ts';

/**
 * Adyen's own library drives the simulator. Its HTTP client speaks TLS only, so the library's interface for another
 * client carries the same requests to the simulator's port; endpoints, serialization and errors are the library's.
 */
const require = createRequire(import.meta.url);
const ofLibrary = <T>(path: string): T => require(`@adyen/api-library/lib/src/${path}`);
const { default: Client } = ofLibrary<typeof ClientClass>('client.js');
const { default: HttpClientException } = ofLibrary<typeof ExceptionClass>('httpClient/httpClientException.js');
const { PaymentsApi } = ofLibrary<typeof Payments>('services/checkout/paymentsApi.js');
const { PaymentLinksApi } = ofLibrary<typeof Links>('services/checkout/paymentLinksApi.js');
const { ModificationsApi } = ofLibrary<typeof Modifications>('services/checkout/modificationsApi.js');
const { MyAPICredentialApi } = ofLibrary<typeof Credentials>('services/management/myAPICredentialApi.js');
const { default: HmacValidator } = ofLibrary<typeof hmacValidator>('utils/hmacValidator.js');

const KEY = 'AQE_key_of_the_shop';
const HMAC_KEY = '44782DEF547AAA06C910C43932B1EB0C71FC68D9D0C057550C48EC2ACF6BA056';
const ACCOUNT = 'SockShopECOM';

const ofCheckout = specsThere ? schemaFaults('adyen.checkout-v72.openapi.json') : () => [];
const ofManagement = specsThere ? schemaFaults('adyen.management-v3.openapi.json') : () => [];
const faultsOf = (schema: string, answer: unknown): readonly string[] =>
  (schema === 'MeApiCredential' ? ofManagement : ofCheckout)(schema, answer);

let s: Testbed;
/** The answers as they came, newest last, and how many there were of all tests. */
const answers: Json[] = [];

type HttpClient = NonNullable<ConstructorParameters<typeof Client>[1]>;

const httpClient: HttpClient = {
  async request(endpoint, json, config, _isApiKeyRequired, { method = 'POST', headers = {}, idempotencyKey } = {}) {
    const url = endpoint.replace(/^https:\/\/(checkout|management)-test\.adyen\.com/, `${s.simulators().base}/adyen`);
    const key = idempotencyKey && { 'idempotency-key': idempotencyKey };
    const response = await fetch(url, {
      method,
      headers: { 'x-api-key': config.apiKey ?? '', 'content-type': 'application/json', ...headers, ...key } as never,
      body: method === 'GET' ? null : String(json),
    });
    const text = await response.text();
    answers.push(JSON.parse(text));
    if (response.ok) return text;
    const { errorCode, message } = JSON.parse(text);
    throw new HttpClientException({ message, statusCode: response.status, errorCode, responseBody: text });
  },
};

const clientOf = (apiKey = KEY) => new Client({ apiKey, environment: 'TEST' as never }, httpClient);
const payments = (key?: string) => new PaymentsApi(clientOf(key));
const links = () => new PaymentLinksApi(clientOf());
const modifications = () => new ModificationsApi(clientOf());

beforeAll(async () => {
  s = await startTestbed({ register: false });
  s.simulators().registerAccount('adyen', { api_key: KEY, merchant_account: ACCOUNT, webhook_secret: HMAC_KEY });
});
afterAll(async () => {
  console.log(`adyen: ${answers.length} calls by its library`);
  await s.close();
});

/** The answer's fields that the library does not know, and so drops. */
function droppedFields(raw: unknown, parsed: unknown, path = ''): string[] {
  if (typeof raw !== 'object' || raw === null) return parsed === undefined || parsed === null ? [path] : [];
  const known = Object((parsed as object | undefined) ?? {});
  return Object.entries(raw).flatMap(([name, value]) => droppedFields(value, known[name], `${path}/${name}`));
}

/** Passes on what the library made of an answer, if it read all of it, and the answer is as Adyen documents it. */
async function complete<T>(schema: string, call: Promise<T>): Promise<T> {
  const parsed = await call;
  expect([...droppedFields(answers.at(-1), parsed), ...faultsOf(schema, answers.at(-1))]).toEqual([]);
  return parsed;
}

const errorOf = (call: Promise<unknown>) =>
  call.then(
    () => 'no error',
    (error: InstanceType<typeof HttpClientException>) => error,
  );

const charge = (paymentId: string, paymentMethod: object, change: object = {}): PaymentRequest => ({
  merchantAccount: ACCOUNT,
  amount: { currency: 'EUR', value: 2000 },
  reference: `att_${paymentId}`,
  captureDelayHours: 0,
  metadata: { payment_id: paymentId },
  returnUrl: 'https://shop.example/back',
  paymentMethod: paymentMethod as PaymentRequest['paymentMethod'],
  ...change,
});
const saved = (token: string) => ({ type: 'scheme', storedPaymentMethodId: token });
const BY_COMPONENT = {
  type: 'scheme',
  encryptedCardNumber: 'test_4111111145551142',
  encryptedExpiryMonth: 'test_03',
  encryptedExpiryYear: 'test_2030',
  encryptedSecurityCode: 'test_737',
  holderName: 'Kim Doe',
  brand: 'cartebancaire',
  checkoutAttemptId: 'd3290440',
  sdkData: 'eyJzY2hlbWFWZXJzaW9uIjoxfQ==',
};
const { PaymentResponse, PaymentLinkResponse } = CheckoutTypes;
const isListed = (value: unknown, list: object) => Object.values(list).includes(value);

describe('Adyen’s library on payments of the simulator', () => {
  it.each<[string, object, object, object]>([
    ['a saved card', saved('ok'), {}, { resultCode: 'Authorised', merchantReference: 'att_pay_1' }],
    [
      'a card as the Component hands it out',
      BY_COMPONENT,
      {},
      { resultCode: 'Authorised', paymentMethod: { brand: 'cartebancaire', type: 'scheme' } },
    ],
    ['a pending charge', saved('pending'), {}, { resultCode: 'Pending' }],
    [
      'a bank account',
      { type: 'sepadirectdebit', iban: 'NL13TEST0123456789', ownerName: 'A' },
      {},
      { resultCode: 'Received' },
    ],
    [
      'a card that must be authenticated',
      saved('needs_3ds'),
      {},
      { resultCode: 'RedirectShopper', action: { type: 'redirect' } },
    ],
    ['a form for the bank', saved('needs_3ds_form'), {}, { resultCode: 'RedirectShopper', action: { method: 'POST' } }],
    [
      'its own component',
      saved('needs_3ds_component'),
      {},
      { resultCode: 'IdentifyShopper', action: { type: 'threeDS2', subtype: 'fingerprint' } },
    ],
    ['iDEAL', { type: 'ideal' }, {}, { resultCode: 'RedirectShopper', action: { paymentMethodType: 'ideal' } }],
    ['BLIK', { type: 'blik', blikCode: '777123' }, {}, { resultCode: 'Pending', action: { type: 'await' } }],
    [
      'an off-session charge',
      saved('ok'),
      { shopperReference: 'shopper_1', shopperInteraction: 'ContAuth', recurringProcessingModel: 'Subscription' },
      { resultCode: 'Authorised' },
    ],
    [
      'a refusal with the scheme’s advice',
      saved('refused_2_advice_03'),
      {},
      {
        resultCode: 'Refused',
        refusalReasonCode: '2',
        additionalData: { merchantAdviceCode: '03 : Do not try again' },
      },
    ],
    [
      'a refusal with the issuer’s words',
      saved('refused_27_raw_43'),
      {},
      { refusalReason: 'Declined Non Generic', additionalData: { refusalReasonRaw: '43 : Stolen card' } },
    ],
    ['an error of the acquirer', saved('refused_4'), {}, { resultCode: 'Error', refusalReason: 'Acquirer Error' }],
    ['a revoked token', saved('refused_50'), {}, { resultCode: 'Refused', refusalReason: 'Token Revoked' }],
    ['a customer who gave up', saved('refused_16'), {}, { resultCode: 'Cancelled', refusalReasonCode: '16' }],
    [
      'a charge that Adyen will try again',
      saved('refused_12_rescued'),
      {},
      { resultCode: 'Refused', additionalData: { 'retry.rescueScheduled': 'true' } },
    ],
  ])('reads all of %s', async (_, method, change, expected) => {
    const parsed = await complete('PaymentResponse', payments().payments(charge('pay_1', method, change)));
    expect(parsed).toMatchObject(expected);
    expect(isListed(parsed.resultCode, PaymentResponse.ResultCodeEnum)).toBe(true);
  });

  it('gets the same answer for the same key', async () => {
    const request = charge('pay_2', saved('ok'));
    const [first, second] = [
      await complete('PaymentResponse', payments().payments(request, { idempotencyKey: 'att_pay_2' })),
      await complete('PaymentResponse', payments().payments(request, { idempotencyKey: 'att_pay_2' })),
    ];
    expect(second.pspReference).toBe(first.pspReference);
    expect(s.money('pay_2')?.count).toBe(1);
  });

  it('continues with what the customer brings back from the bank', async () => {
    const { action } = await complete('PaymentResponse', payments().payments(charge('pay_3', saved('needs_3ds'))));
    const response = await fetch(String(Object(action).url), {
      method: 'POST',
      redirect: 'manual',
      body: new URLSearchParams({ do: 'authenticate' }),
    });
    const back = new URL(response.headers.get('location') ?? '');
    const redirectResult = back.searchParams.get('redirectResult') ?? '';
    const details = await complete(
      'PaymentDetailsResponse',
      payments().paymentsDetails({ details: { redirectResult } }),
    );
    expect(details).toMatchObject({
      resultCode: 'Authorised',
      merchantReference: 'att_pay_3',
      amount: { value: 2000 },
    });
  });

  it.each<[string, Promise<unknown> | (() => Promise<unknown>), number, string]>([
    [
      'a foreign merchant account',
      () => payments().payments(charge('p', saved('ok'), { merchantAccount: 'Other' })),
      403,
      '901',
    ],
    [
      'a foreign merchant account on a page',
      () => links().paymentLinks({ ...page('p'), merchantAccount: 'Other' }),
      403,
      '901',
    ],
    ['a revoked key', () => payments('AQE_revoked').payments(charge('p', saved('ok'))), 401, '000'],
    [
      'an unknown saved method',
      () => payments().payments(charge('p', saved('NOPE'), { shopperReference: 'kim' })),
      422,
      '803',
    ],
    ['details of nobody', () => payments().paymentsDetails({ details: { redirectResult: 'X' } }), 422, '14_002'],
    ['a payment that is not there', () => modifications().refundCapturedPayment('NOPE', refund(1)), 422, '167'],
  ])('throws its own error for %s', async (_, call, statusCode, errorCode) => {
    expect(await errorOf(typeof call === 'function' ? call() : call)).toMatchObject({ statusCode, errorCode });
    expect(answers.at(-1)).toMatchObject({ status: statusCode, errorCode, errorType: expect.any(String) });
  });
});

const page = (paymentId: string): PaymentLinkRequest => ({
  merchantAccount: ACCOUNT,
  amount: { currency: 'EUR', value: 2000 },
  reference: `att_${paymentId}-page`,
  captureDelayHours: 0,
  metadata: { payment_id: paymentId },
  returnUrl: 'https://shop.example/back',
  allowedPaymentMethods: ['scheme'],
  reusable: false,
});

describe('Adyen’s library on payment links of the simulator', () => {
  it('creates, reads and ends one', async () => {
    const link = await complete(
      'PaymentLinkResponse',
      links().paymentLinks(page('pay_4'), { idempotencyKey: 'att_pay_4' }),
    );
    expect(link).toMatchObject({ status: 'active', merchantAccount: ACCOUNT });
    const read = await complete('PaymentLinkResponse', links().getPaymentLink(link.id));
    expect([read.id, isListed(read.status, PaymentLinkResponse.StatusEnum)]).toEqual([link.id, true]);
    const ended = await complete(
      'PaymentLinkResponse',
      links().updatePaymentLink(link.id, { status: 'expired' as never }),
    );
    expect(ended.status).toBe('expired');
  });
});

const refund = (value: number) => ({
  merchantAccount: ACCOUNT,
  amount: { currency: 'EUR', value },
  reference: 'pay_5.re_1',
});

describe('Adyen’s library on modifications of the simulator', () => {
  it('refunds, and cancels by both references', async () => {
    const { pspReference = '' } = await payments().payments(charge('pay_5', saved('ok')));
    const refunded = await complete(
      'PaymentRefundResponse',
      modifications().refundCapturedPayment(pspReference, refund(500)),
    );
    expect(refunded).toMatchObject({ status: 'received', paymentPspReference: pspReference, amount: { value: 500 } });
    const open = await payments().payments(charge('pay_6', saved('pending')));
    const cancel = { merchantAccount: ACCOUNT, reference: 'pay_6.att_pay_6' };
    expect(
      await complete(
        'PaymentCancelResponse',
        modifications().cancelAuthorisedPaymentByPspReference(open.pspReference ?? '', cancel),
      ),
    ).toMatchObject({ status: 'received' });
    expect(
      await complete(
        'StandalonePaymentCancelResponse',
        modifications().cancelAuthorisedPayment({ ...cancel, paymentReference: 'att_pay_6' }),
      ),
    ).toMatchObject({ status: 'received', paymentReference: 'att_pay_6' });
  });
});

it('Adyen’s library reads its own account from the simulator', async () => {
  const me = await complete('MeApiCredential', new MyAPICredentialApi(clientOf()).getApiCredentialDetails());
  expect(me).toMatchObject({ companyName: 'Demo Shop Ltd', active: true });
});

it('Adyen’s library accepts the signature of every notification that the simulator sent', async () => {
  const items = (await s.webhooks()).flatMap(({ event }) => event.notificationItems);
  expect(items.length).toBeGreaterThan(12);
  const validator = new HmacValidator();
  for (const { NotificationRequestItem: item } of items) expect(validator.validateHMAC(item, HMAC_KEY)).toBe(true);
  const [{ NotificationRequestItem: first }] = items;
  expect(validator.validateHMAC({ ...first, amount: { value: 1, currency: 'EUR' } }, HMAC_KEY)).toBe(false);
  const advised = items.filter(({ NotificationRequestItem: item }) => item.additionalData.merchantAdviceCode);
  expect(advised.map(({ NotificationRequestItem: { success, reason } }) => [success, reason])).toEqual([
    ['false', 'Refused'],
  ]);
});
