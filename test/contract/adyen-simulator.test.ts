import { createHmac } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Json, startTestbed, type Testbed } from '#test/contract/stripe-simulator.support.ts';

const KEY = 'AQE_key_of_the_shop';
const HMAC_KEY = '44782DEF547AAA06C910C43932B1EB0C71FC68D9D0C057550C48EC2ACF6BA056';
const ACCOUNT = 'SockShopECOM';

let s: Testbed;
beforeEach(async () => {
  s = await startTestbed({ register: false });
  s.simulators().registerAccount(
    'adyen',
    { api_key: KEY, merchant_account: ACCOUNT, webhook_secret: [HMAC_KEY, 'AB'.repeat(32)] },
    'Sock Shop Ltd',
  );
});
afterEach(() => s.close());

type RequestOptions = {
  readonly key?: string;
  readonly apiKey?: string;
  readonly signal?: AbortSignal;
  readonly type?: string;
  readonly method?: string;
};

async function call(
  path: string,
  body?: Json,
  { key, apiKey = KEY, signal, type = 'application/json', method }: RequestOptions = {},
) {
  const headers = {
    'x-api-key': apiKey,
    ...(key && { 'idempotency-key': key }),
    ...(body && { 'content-type': type }),
  };
  const text = typeof body === 'string' ? body : body && JSON.stringify(body);
  const response = await fetch(`${s.simulators().base}/adyen${path}`, {
    method: method ?? (body ? 'POST' : 'GET'),
    headers,
    body: text ?? null,
    signal: signal ?? null,
  });
  const raw = await response.text();
  return {
    status: response.status,
    headers: response.headers,
    text: raw,
    body: (raw.startsWith('{') ? JSON.parse(raw) : undefined) as Json,
  };
}

const PAYMENTS = '/v72/payments';
const LINKS = '/v72/paymentLinks';
const common = (paymentId: string) => ({
  merchantAccount: ACCOUNT,
  amount: { currency: 'EUR', value: 2000 },
  reference: `att_${paymentId}`,
  captureDelayHours: 0,
  metadata: { payment_id: paymentId, org_id: 'org_1' },
});
const charge = (paymentId: string, token = 'ok', change: object = {}) => ({
  ...common(paymentId),
  paymentMethod: { type: 'scheme', storedPaymentMethodId: token },
  returnUrl: 'https://shop.example/back?order=7',
  ...change,
});
const page = (paymentId: string, change: object = {}) => ({
  ...common(paymentId),
  returnUrl: 'https://shop.example/back?order=7',
  ...change,
});
const modification = (change: object = {}) => ({ merchantAccount: ACCOUNT, reference: 're_1', ...change });
const half = modification({ amount: { currency: 'EUR', value: 500 } });

const script = (behaviour: string, more: object = {}) =>
  s.simulators().setScenario({ provider: 'adyen', behaviour, ...more });
const complete = (reference: string, outcome: 'succeeded' | 'failed' = 'succeeded') =>
  s.simulators().complete('adyen', reference, outcome);
/** The notification items so far. Checks the HMAC of each. */
async function notifications(): Promise<Json[]> {
  return (await s.webhooks()).map(({ event }) => {
    const [{ NotificationRequestItem: item }] = event.notificationItems;
    const {
      pspReference,
      originalReference = '',
      merchantAccountCode,
      merchantReference,
      amount,
      eventCode,
      success,
      additionalData,
    } = item;
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
    expect(additionalData.hmacSignature).toBe(
      createHmac('sha256', Buffer.from(HMAC_KEY, 'hex')).update(text).digest('base64'),
    );
    return item;
  });
}
const events = async () => (await notifications()).map(({ eventCode, success }) => `${eventCode}/${success}`);
const browse = async (url: string, choice?: string) => {
  const response = await fetch(url, {
    redirect: 'manual',
    ...(choice && { method: 'POST', body: new URLSearchParams({ do: choice }) }),
  });
  return { status: response.status, location: response.headers.get('location') ?? '', text: await response.text() };
};

describe('credentials', () => {
  it.each(['', 'AQE_invalid_key', 'AQE_revoked_key'])('responds to the key "%s" with 401', async (apiKey) => {
    const { status, body } = await call(PAYMENTS, charge('p'), { apiKey });
    expect([status, body.errorType, body.errorCode]).toEqual([401, 'security', '000']);
    expect(s.simulators().calls({}).calls).toMatchObject([{ operation: 'create', status: 401 }]);
  });

  it('hide the payments of other accounts and of other merchant accounts', async () => {
    const { body } = await call(PAYMENTS, charge('p'));
    const refund = `${PAYMENTS}/${body.pspReference}/refunds`;
    expect((await call(refund, half, { apiKey: 'AQE_another_shop' })).body).toMatchObject({
      status: 422,
      errorCode: '167',
      errorType: 'validation',
    });
    expect((await call(refund, { ...half, merchantAccount: 'Other' })).body).toMatchObject({
      status: 403,
      errorCode: '901',
    });
  });

  it('show the company name', async () => {
    expect((await call('/v3/me')).body).toMatchObject({ companyName: 'Sock Shop Ltd', active: true });
  });
});

describe('a payment', () => {
  it('is authorised and captured at once, with a signed notification that contains our metadata', async () => {
    const { status, body, headers } = await call(PAYMENTS, charge('pay_1'), { key: 'att_pay_1' });
    expect(status).toBe(200);
    expect(body).toMatchObject({
      resultCode: 'Authorised',
      amount: { currency: 'EUR', value: 2000 },
      merchantReference: 'att_pay_1',
    });
    expect(body.pspReference).toMatch(/^[A-Z0-9]{16}$/);
    expect(headers.get('idempotency-key')).toBe('att_pay_1');
    expect(s.money('pay_1')).toEqual({ amount: 2000, refunded: 0, currency: 'EUR', count: 1 });
    const [item] = await notifications();
    const keys = { 'metadata.payment_id': 'pay_1', 'metadata.org_id': 'org_1' };
    expect(item).toMatchObject({
      eventCode: 'AUTHORISATION',
      success: 'true',
      pspReference: body.pspReference,
      merchantAccountCode: ACCOUNT,
      additionalData: keys,
    });
  });

  it.each([
    ['decline_insufficient_funds', '12', 'Not enough balance'],
    ['decline_card_declined', '2', 'Refused'],
    ['decline_lost_card', '5', 'Blocked Card'],
    ['decline_fraud_suspected', '20', 'FRAUD'],
  ])('with %s is refused with %s', async (token, refusalReasonCode, refusalReason) => {
    const { status, body } = await call(PAYMENTS, charge('pay_1', token));
    expect([status, body.resultCode, body.refusalReasonCode, body.refusalReason]).toEqual([
      200,
      'Refused',
      refusalReasonCode,
      refusalReason,
    ]);
    expect(await notifications()).toMatchObject([
      { eventCode: 'AUTHORISATION', success: 'false', reason: refusalReason },
    ]);
    expect(s.money('pay_1')).toBeUndefined();
  });

  const card = {
    type: 'scheme',
    encryptedCardNumber: 'test_4111111145551142',
    encryptedExpiryMonth: 'test_03',
    encryptedExpiryYear: 'test_2030',
  };
  it.each<[string, object, string]>([
    ['a documented test card', card, 'Authorised'],
    ['a test token in place of the number', { ...card, encryptedCardNumber: 'pending' }, 'Pending'],
    ['one that must be authenticated', { ...card, encryptedCardNumber: 'test_4917610000000000' }, 'RedirectShopper'],
    ['a holder whose name asks for a refusal', { ...card, holderName: 'CARD_EXPIRED' }, 'Refused'],
    ['Google Pay', { type: 'googlepay', googlePayToken: '{}' }, 'Authorised'],
    ['a bank account', { type: 'sepadirectdebit', iban: 'NL13TEST0123456789', ownerName: 'A' }, 'Received'],
    ['BLIK', { type: 'blik', blikCode: '777123' }, 'Pending'],
    ['iDEAL', { type: 'ideal' }, 'RedirectShopper'],
  ])('with %s: %s is %s', async (_, paymentMethod, resultCode) => {
    expect((await call(PAYMENTS, charge('pay_1', '', { paymentMethod }))).body.resultCode).toBe(resultCode);
  });

  it.each<[string, Json, number, string]>([
    ['an unknown field', charge('p', 'ok', { colour: 'red' }), 422, '702'],
    ['no amount', charge('p', 'ok', { amount: undefined }), 422, '100'],
    ['a broken amount', charge('p', 'ok', { amount: { currency: 'EUR', value: 1.5 } }), 422, '137'],
    ['an unlisted currency', charge('p', 'ok', { amount: { currency: 'BIF', value: 5 } }), 422, '138'],
    ['no reference', charge('p', 'ok', { reference: '' }), 422, '130'],
    ['a long reference', charge('p', 'ok', { reference: 'x'.repeat(81) }), 422, '130'],
    ['no way back', charge('p', 'ok', { returnUrl: undefined }), 422, '14_030'],
    ['no method', charge('p', 'ok', { paymentMethod: undefined }), 422, '14_004'],
    ['an unknown saved method', charge('p', 'nope', { shopperReference: 'shopper' }), 422, '803'],
    ['a saved method without its shopper', charge('p', 'M5N7TQ4TG5PFWR50'), 422, '14_018'],
    ['undecipherable fields', charge('p', '', { paymentMethod: { ...card, encryptedCardNumber: '%' } }), 422, '174'],
    ['metadata that is too long', charge('p', 'ok', { metadata: { a: 'x'.repeat(81) } }), 422, '177'],
    ['metadata that is no text', charge('p', 'ok', { metadata: { a: 1 } }), 422, '177'],
    ['no merchant account', charge('p', 'ok', { merchantAccount: '' }), 403, '901'],
    ['broken JSON', '{"amount":', 400, '702'],
    ['a field that no method has', charge('p', '', { paymentMethod: { ...card, subtype: 'express' } }), 422, '702'],
  ])('with %s is rejected', async (_, body, status, errorCode) => {
    const response = await call(PAYMENTS, body, { key: 'k' });
    expect([response.status, response.body.status, response.body.errorCode]).toEqual([status, status, errorCode]);
    expect((await call(PAYMENTS, charge('p'), { key: 'k' })).body.resultCode).toBe('Authorised');
  });

  it.each<[string, object, string]>([
    ['refused_2', { resultCode: 'Refused', refusalReason: 'Refused', refusalReasonCode: '2' }, 'Refused'],
    ['refused_4', { resultCode: 'Error', refusalReason: 'Acquirer Error' }, 'Acquirer Error'],
    ['refused_22', { resultCode: 'Cancelled', refusalReason: 'FRAUD-CANCELLED' }, 'FRAUD-CANCELLED'],
    [
      'refused_46',
      { refusalReason: 'Transaction blocked by Adyen to prevent excessive retry fees' },
      'Transaction blocked by Adyen to prevent excessive retry fees',
    ],
    ['refused_2_advice_03', { additionalData: { merchantAdviceCode: '03 : Do not try again' } }, 'Refused'],
    ['refused_2_advice_99', { additionalData: { merchantAdviceCode: '99' } }, 'Refused'],
    ['refused_27_raw_43', { additionalData: { refusalReasonRaw: '43 : Stolen card' } }, 'Declined Non Generic'],
    ['refused_2_raw_r0', { additionalData: { refusalReasonRaw: 'R0 : Stop Payment Order' } }, 'Refused'],
    ['refused_12_rescued', { additionalData: { 'retry.rescueScheduled': 'true' } }, 'Not enough balance'],
  ])('with %s is refused as asked, by its response and by its notification', async (token, expected, reason) => {
    const { body } = await call(PAYMENTS, charge('pay_1', token));
    expect(body).toMatchObject(expected);
    const [item] = await notifications();
    expect(item).toMatchObject({ success: 'false', reason, additionalData: body.additionalData ?? {} });
  });

  it('with a card of two networks is charged on the one that the customer chose', async () => {
    const paymentMethod = { ...card, brand: 'cartebancaire', checkoutAttemptId: 'a', sdkData: 'b', holderName: 'Kim' };
    const { body } = await call(PAYMENTS, charge('pay_1', '', { paymentMethod }));
    expect(body.paymentMethod).toEqual({ brand: 'cartebancaire', type: 'scheme' });
    expect(await notifications()).toMatchObject([{ paymentMethod: 'cartebancaire' }]);
  });

  it('of a foreign merchant account is rejected, whatever it asks for', async () => {
    const { body } = await call(PAYMENTS, charge('pay_1'));
    const merchantAccount = 'OtherShopECOM';
    for (const [path, request] of [
      [PAYMENTS, charge('p', 'ok', { merchantAccount })],
      [LINKS, page('p', { merchantAccount })],
      [`${PAYMENTS}/${body.pspReference}/refunds`, { ...half, merchantAccount }],
      [`${PAYMENTS}/${body.pspReference}/cancels`, modification({ merchantAccount })],
      ['/v72/cancels', modification({ merchantAccount, paymentReference: 'att_pay_1' })],
    ] as const) {
      const { status, body: error } = await call(path, request);
      expect([path, status, error.errorCode, error.errorType]).toEqual([path, 403, '901', 'security']);
    }
    expect(s.money('p')).toBeUndefined();
  });

  it('rejects form bodies and idempotency keys over 64 characters', async () => {
    expect((await call(PAYMENTS, 'a=b', { type: 'application/x-www-form-urlencoded' })).status).toBe(415);
    expect((await call(PAYMENTS, charge('p'), { key: 'k'.repeat(65) })).status).toBe(422);
    expect((await call('/v72/payments/1/amountUpdates', {})).status).toBe(404);
  });

  it.each([
    ['JPY', 500, 500],
    ['ISK', 50_000, 500],
    ['CVE', 12, 1200],
    ['KWD', 5124, 5124],
  ])('of %s %i records %i ISO minor units', async (currency, value, amount) => {
    await call(PAYMENTS, charge('pay_1', 'ok', { amount: { currency, value } }));
    expect(s.money('pay_1')).toMatchObject({ amount, currency });
  });
});

describe('an off-session charge', () => {
  const BY_MERCHANT = { shopperInteraction: 'ContAuth', recurringProcessingModel: 'Subscription' };
  const shopperReference = 'shopper_1';

  it.each([
    ['ok', 'Authorised', undefined],
    ['pending', 'Pending', undefined],
    ['needs_3ds', 'Refused', '38'],
    ['needs_3ds_form', 'Refused', '38'],
    ['needs_3ds_component', 'Refused', '38'],
    ['decline_authentication_required', 'Refused', '38'],
    ['decline_authorization_revoked', 'Refused', '26'],
    ['decline_expired_card', 'Refused', '6'],
  ])('with %s is %s (%s)', async (token, resultCode, code) => {
    const { body } = await call(PAYMENTS, charge('pay_1', token, BY_MERCHANT), { key: 'k' });
    expect([body.resultCode, body.refusalReasonCode, body.action]).toEqual([resultCode, code, undefined]);
    expect((await call(PAYMENTS, charge('pay_1', token, BY_MERCHANT), { key: 'k' })).body).toEqual(body);
    expect(s.money('pay_1')?.count).toBe(resultCode === 'Authorised' ? 1 : undefined);
  });

  it('is refused with a notification if it requires authentication, and asks for it on-session', async () => {
    await call(
      PAYMENTS,
      charge('pay_1', 'needs_3ds', { ...BY_MERCHANT, recurringProcessingModel: 'UnscheduledCardOnFile' }),
    );
    expect(await notifications()).toMatchObject([
      { eventCode: 'AUTHORISATION', success: 'false', reason: 'Authentication required' },
    ]);
    const { body } = await call(
      PAYMENTS,
      charge('pay_2', 'needs_3ds', { ...BY_MERCHANT, recurringProcessingModel: 'CardOnFile' }),
    );
    expect([body.resultCode, body.action.type]).toEqual(['RedirectShopper', 'redirect']);
  });

  it('is refused if a scenario requires an action, because no customer is there', async () => {
    script('requires_action');
    expect((await call(PAYMENTS, charge('pay_1', 'ok', BY_MERCHANT))).body).toMatchObject({
      resultCode: 'Refused',
      refusalReasonCode: '38',
    });
  });

  it.each<[string, Json, string]>([
    ['without the shopper', charge('p', 'M5N7TQ4TG5PFWR50', BY_MERCHANT), '14_018'],
    [
      'as the shopper’s own',
      charge('p', 'ok', { ...BY_MERCHANT, shopperReference, shopperInteraction: 'Ecommerce' }),
      '807',
    ],
    [
      'without a shopper interaction',
      charge('p', 'ok', { shopperReference, recurringProcessingModel: 'Subscription' }),
      '807',
    ],
    [
      'by details that nobody saved',
      charge('p', '', { ...BY_MERCHANT, paymentMethod: { type: 'googlepay', googlePayToken: '{}' } }),
      '14_018',
    ],
    ['on an unknown schedule', charge('p', 'ok', { ...BY_MERCHANT, recurringProcessingModel: 'Monthly' }), '702'],
  ])('%s is rejected', async (_, body, errorCode) => {
    expect((await call(PAYMENTS, body)).body).toMatchObject({ status: 422, errorCode, errorType: 'validation' });
    expect(s.money('p')).toBeUndefined();
  });

  it('accepts a saved method with its shopper repeatedly', async () => {
    for (const _ of [1, 2])
      expect(
        (await call(PAYMENTS, charge('pay_1', 'M5N7TQ4TG5PFWR50', { ...BY_MERCHANT, shopperReference }))).body
          .resultCode,
      ).toBe('Authorised');
    expect(s.money('pay_1')?.count).toBe(2);
  });
});

describe('a redirect', () => {
  const start = async (change: object = {}) => (await call(PAYMENTS, charge('pay_1', 'needs_3ds', change))).body;
  const goOn = async (url: string, choice: string) => {
    const redirectResult = new URL((await browse(url, choice)).location).searchParams.get('redirectResult');
    return (await call('/v72/payments/details', { details: { redirectResult } })).body;
  };

  it('of a card only authenticates, and the merchant’s details call charges once', async () => {
    const { action, resultCode, pspReference } = await start();
    expect([resultCode, action.type, action.method, typeof pspReference]).toEqual([
      'RedirectShopper',
      'redirect',
      'GET',
      'string',
    ]);
    expect((await browse(action.url)).text).toMatch(/EUR 20\.00.*Authenticate/s);
    const back = new URL((await browse(action.url, 'authenticate')).location);
    expect([back.origin, back.searchParams.get('order')]).toEqual(['https://shop.example', '7']);
    expect(s.money('pay_1')).toBeUndefined();
    const details = { details: { redirectResult: back.searchParams.get('redirectResult') } };
    for (const _ of [1, 2])
      expect((await call('/v72/payments/details', details)).body).toMatchObject({
        resultCode: 'Authorised',
        pspReference,
      });
    expect(s.money('pay_1')?.count).toBe(1);
    expect(await events()).toEqual(['AUTHORISATION/true']);
    expect(
      s
        .simulators()
        .calls({ payment_id: 'pay_1' })
        .calls.map(({ operation }) => operation),
    ).toEqual(['create', 'confirm', 'confirm']);
  });

  it.each([
    ['fail', 'Refused', '11'],
    ['cancel', 'Cancelled', '16'],
  ])('that the customer ends with %s is %s', async (choice, resultCode, refusalReasonCode) => {
    expect(await goOn((await start()).action.url, choice)).toMatchObject({ resultCode, refusalReasonCode });
    expect(await events()).toEqual(['AUTHORISATION/false']);
  });

  it('of a bank charges on the bank’s page, even if the details are never submitted', async () => {
    const { action, pspReference } = await start({ paymentMethod: { type: 'ideal' } });
    expect(pspReference).toBeUndefined();
    await browse(action.url, 'authenticate');
    expect([s.money('pay_1')?.count, await events()]).toEqual([1, ['AUTHORISATION/true']]);
  });

  it('can be completed by the merchant’s reference and by our payment id', async () => {
    await start();
    expect([complete('att_pay_1'), await events(), s.money('pay_1')?.count]).toEqual([true, ['AUTHORISATION/true'], 1]);
    await call(PAYMENTS, charge('pay_2', 'needs_3ds'));
    expect([complete('pay_2', 'failed'), (await events()).at(-1), complete('nobody')]).toEqual([
      true,
      'AUTHORISATION/false',
      false,
    ]);
  });

  it('rejects an unknown or missing result', async () => {
    expect((await call('/v72/payments/details', { details: { redirectResult: 'X' } })).body.errorCode).toBe('14_002');
    expect((await call('/v72/payments/details', { details: {} })).body.errorCode).toBe('14_003');
  });
});

describe('a payment link', () => {
  const open = async (change: object = {}) => (await call(LINKS, page('pay_1', change), { key: 'k' })).body;
  const status = async (id: string) => (await call(`${LINKS}/${id}`)).body.status;

  it('is paid on its page after a declined attempt', async () => {
    const { id, url, expiresAt, status: before } = await open();
    expect([id, before, expiresAt]).toEqual([
      expect.stringMatching(/^PL[A-Z0-9]{16}$/),
      'active',
      '2027-03-02T10:00:00Z',
    ]);
    expect((await browse(url)).text).toContain('Pay EUR 20.00');
    const declined = await browse(url, 'decline');
    expect((await browse(declined.location)).text).toContain('Refused');
    expect([await status(id), (await browse(url, 'pay')).location, await status(id)]).toEqual([
      'active',
      'https://shop.example/back?order=7',
      'completed',
    ]);
    expect(await events()).toEqual(['AUTHORISATION/false', 'AUTHORISATION/true']);
    expect((await notifications()).at(-1)).toMatchObject({
      merchantReference: 'att_pay_1',
      additionalData: { paymentLinkId: id, 'metadata.payment_id': 'pay_1' },
    });
    expect([s.money('pay_1')?.count, (await browse(url)).text.includes('closed')]).toEqual([1, true]);
  });

  it('expires through the merchant or by time, and still takes the money of a faster customer', async () => {
    const first = await open();
    expect((await call(`${LINKS}/${first.id}`, { status: 'paid' }, { method: 'PATCH' })).body.errorCode).toBe('14_011');
    expect((await call(`${LINKS}/${first.id}`, { status: 'expired' }, { method: 'PATCH' })).body).toMatchObject({
      id: first.id,
      status: 'expired',
    });
    const second = (await call(LINKS, page('pay_2'))).body;
    s.advance(25 * 60 * 60 * 1_000);
    await s.simulators().idle();
    expect(await status(second.id)).toBe('expired');
    expect([complete(second.id), s.money('pay_2')?.count]).toEqual([true, 1]);
    expect((await call(`${LINKS}/${second.id}`, { status: 'expired' }, { method: 'PATCH' })).status).toBe(422);
    expect((await call(`${LINKS}/PLnope`)).status).toBe(404);
  });

  it('applies the scenario that was set when it was created', async () => {
    script('requires_action');
    const { id, url } = await open();
    const { location } = await browse(url, 'pay');
    expect((await browse(location, 'authenticate')).location).toBe('https://shop.example/back?order=7');
    expect([await status(id), s.money('pay_1')?.count]).toEqual(['completed', 1]);
    script('pending');
    const slow = (await call(LINKS, page('pay_2'))).body;
    await browse(slow.url, 'pay');
    expect([await status(slow.id), complete('pay_2'), await status(slow.id)]).toEqual([
      'paymentPending',
      true,
      'completed',
    ]);
  });

  it.each([
    ['an end in the past', { expiresAt: '2027-03-01T09:00:00Z' }, '14_017'],
    ['an end after 70 days', { expiresAt: '2027-06-01T09:00:00Z' }, '14_017'],
    ['a long description', { description: 'x'.repeat(281) }, '14_016'],
    ['a field of payments', { shopperIP: '192.0.2.1' }, '702'],
  ])('with %s is rejected', async (_, change, errorCode) => {
    expect((await call(LINKS, page('pay_1', change))).body.errorCode).toBe(errorCode);
  });
});

describe('a refund', () => {
  const paid = async () => (await call(PAYMENTS, charge('pay_1'))).body.pspReference;
  const give = async (psp: string, body: Json = half, key?: string) =>
    (await call(`${PAYMENTS}/${psp}/refunds`, body, { ...(key && { key }) })).body;

  it('is accepted, and its result follows by webhook', async () => {
    const psp = await paid();
    const body = await give(psp, half, 're_1');
    expect(body).toMatchObject({
      status: 'received',
      paymentPspReference: psp,
      reference: 're_1',
      amount: { value: 500 },
      merchantAccount: ACCOUNT,
    });
    expect((await give(psp, half, 're_1')).pspReference).toBe(body.pspReference);
    const item = {
      eventCode: 'REFUND',
      success: 'true',
      pspReference: body.pspReference,
      originalReference: psp,
      merchantReference: 're_1',
      amount: { value: 500 },
    };
    expect((await notifications()).slice(1)).toMatchObject([item]);
    expect((await notifications()).at(-1).additionalData).not.toHaveProperty('metadata.payment_id');
    expect(s.money('pay_1')?.refunded).toBe(500);
  });

  it('of more than the remaining amount fails by notification', async () => {
    const psp = await paid();
    await give(psp);
    await give(psp, modification({ amount: { currency: 'EUR', value: 1501 } }));
    expect([(await events()).slice(1), s.money('pay_1')?.refunded]).toEqual([['REFUND/true', 'REFUND/false'], 500]);
  });

  it('stays pending, fails, or fails after success, as a scenario wants', async () => {
    const psp = await paid();
    script('pending', { match: { operation: 'refund' } });
    const { pspReference } = await give(psp);
    expect([await events(), s.money('pay_1')?.refunded]).toEqual([['AUTHORISATION/true'], 0]);
    expect([complete(pspReference), (await events()).at(-1), s.money('pay_1')?.refunded]).toEqual([
      true,
      'REFUND/true',
      500,
    ]);
    expect([complete(pspReference, 'failed'), (await events()).at(-1), s.money('pay_1')?.refunded]).toEqual([
      true,
      'REFUND_FAILED/true',
      0,
    ]);
    script('decline:processing_error', { match: { operation: 'refund' } });
    await give(psp);
    expect([(await events()).at(-1), s.money('pay_1')?.refunded]).toEqual(['REFUND/false', 0]);
  });

  it('without an amount, of zero or in another currency is rejected', async () => {
    const psp = await paid();
    expect((await give('AAAAAAAAAAAAAAAA')).errorCode).toBe('167');
    expect((await give(psp, modification({ amount: { currency: 'USD', value: 1 } }))).errorCode).toBe('138');
    expect((await give(psp, modification())).errorCode).toBe('100');
    expect((await give(psp, { ...half, metadata: {} })).errorCode).toBe('702');
  });
});

describe('a cancel', () => {
  const cancel = async (psp: string) =>
    (await call(`${PAYMENTS}/${psp}/cancels`, modification({ reference: 'att_pay_1' }))).body;

  it('of a pending payment succeeds, of a captured payment fails', async () => {
    const { pspReference } = (await call(PAYMENTS, charge('pay_1', 'pending'))).body;
    expect(await cancel(pspReference)).toMatchObject({ status: 'received', paymentPspReference: pspReference });
    const paid = (await call(PAYMENTS, charge('pay_2'))).body.pspReference;
    await cancel(paid);
    expect(await events()).toEqual(['CANCELLATION/true', 'AUTHORISATION/true', 'CANCELLATION/false']);
    expect((await notifications()).map(({ originalReference }) => originalReference)).toEqual([
      pspReference,
      undefined,
      paid,
    ]);
    expect([complete(pspReference), s.money('pay_1')?.count]).toEqual([true, 1]);
  });

  it('by the merchant’s reference is accepted even if the reference is unknown', async () => {
    const body = (reference: string) => ({ merchantAccount: ACCOUNT, paymentReference: reference, reference });
    const { action } = (await call(PAYMENTS, charge('pay_1', 'needs_3ds'))).body;
    expect((await call('/v72/cancels', body('att_pay_1'))).body).toMatchObject({
      status: 'received',
      paymentReference: 'att_pay_1',
    });
    expect((await call('/v72/cancels', body('att_unknown'))).status).toBe(201);
    expect(await events()).toEqual(['TECHNICAL_CANCEL/true']);
    expect((await browse(action.url, 'authenticate')).status).toBe(303);
    expect(s.money('pay_1')).toBeUndefined();
    expect(s.simulators().calls({ payment_id: 'pay_1' }).calls.length).toBe(2);
  });
});

describe('a scenario', () => {
  it.each([
    ['approve', 'decline_lost_card', 200, 'Authorised', 1],
    ['decline:do_not_honor', 'ok', 200, 'Refused', undefined],
    ['requires_action', 'ok', 200, 'RedirectShopper', undefined],
    ['pending', 'ok', 200, 'Pending', undefined],
    ['http_500', 'ok', 500, undefined, undefined],
    ['rate_limited', 'ok', 429, undefined, undefined],
    ['slow:10', 'ok', 200, 'Authorised', 1],
  ])('%s', async (behaviour, token, status, resultCode, count) => {
    script(behaviour);
    const response = await call(PAYMENTS, charge('pay_1', token));
    expect([response.status, response.body.resultCode, s.money('pay_1')?.count]).toEqual([status, resultCode, count]);
    expect((await call(PAYMENTS, charge('pay_2'))).body.resultCode).toBe('Authorised');
  });

  it.each([
    ['timeout_after_charge', 1],
    ['timeout_before_charge', undefined],
  ])('%s holds the connection, and the repeat with the same key gets the result', async (behaviour, count) => {
    script(behaviour);
    await expect(call(PAYMENTS, charge('pay_1'), { key: 'k', signal: AbortSignal.timeout(200) })).rejects.toThrow();
    expect(s.money('pay_1')?.count).toBe(count);
    expect([(await call(PAYMENTS, charge('pay_1'), { key: 'k' })).body.resultCode, s.money('pay_1')?.count]).toEqual([
      'Authorised',
      1,
    ]);
  });

  it('http_500 is marked as transient, and a retry with the same key succeeds', async () => {
    script('http_500');
    const broken = await call(PAYMENTS, charge('pay_1'), { key: 'k' });
    expect([broken.headers.get('transient-error'), broken.body.errorType]).toEqual(['true', 'internal']);
    expect((await call(PAYMENTS, charge('pay_1'), { key: 'k' })).body.resultCode).toBe('Authorised');
  });

  it('garbage charges and responds with garbage, wrong_amount charges and reports a larger amount', async () => {
    script('garbage');
    const response = await call(PAYMENTS, charge('pay_1'), { key: 'k' });
    expect([response.status, response.text, s.money('pay_1')?.count]).toEqual([200, '<html>', 1]);
    script('wrong_amount');
    expect((await call(PAYMENTS, charge('pay_2'))).body.amount).toEqual({ currency: 'EUR', value: 2001 });
    expect([s.money('pay_2')?.amount, (await notifications()).at(-1).amount.value]).toEqual([2001, 2001]);
    script('wrong_amount');
    await call(PAYMENTS, charge('pay_3', 'ok', { amount: { currency: 'ISK', value: 50_000 } }));
    expect(s.money('pay_3')?.amount).toBe(501);
  });

  it('decides the result of the details call', async () => {
    const { action } = (await call(PAYMENTS, charge('pay_1', 'needs_3ds'))).body;
    const redirectResult = new URL((await browse(action.url, 'authenticate')).location).searchParams.get(
      'redirectResult',
    );
    script('decline:insufficient_funds');
    expect((await call('/v72/payments/details', { details: { redirectResult } })).body).toMatchObject({
      resultCode: 'Refused',
      refusalReasonCode: '12',
    });
  });

  it('stores an idempotency key for a week, for one request and for each account separately', async () => {
    const first = (await call(PAYMENTS, charge('pay_1'), { key: 'k' })).body;
    expect((await call(PAYMENTS, charge('pay_1'), { key: 'k' })).body).toEqual(first);
    expect((await call(PAYMENTS, charge('pay_2'), { key: 'k' })).body).toMatchObject({ status: 422, errorCode: '704' });
    expect((await call(PAYMENTS, charge('pay_3'), { key: 'k', apiKey: 'AQE_another_shop' })).body.resultCode).toBe(
      'Authorised',
    );
    s.advance(7 * 24 * 60 * 60 * 1_000);
    expect((await call(PAYMENTS, charge('pay_1'), { key: 'k' })).body.pspReference).not.toBe(first.pspReference);
  });

  it('retries notifications until the receiver accepts them', async () => {
    s.endpoint.statuses.push(500);
    await call(PAYMENTS, charge('pay_1'));
    const items = await notifications();
    expect(items.map(({ pspReference }) => pspReference)).toEqual([items[0].pspReference, items[0].pspReference]);
  });
});
