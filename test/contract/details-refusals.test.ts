import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { PspRequest, PspResponse } from '#shared/ports/psp.port.ts';
import { openTestbed, type Testbed } from '#test/contract/dispute-journeys.support.ts';

type Body = Readonly<Record<string, unknown>>;

const post = (bed: Testbed, path: string, headers: Readonly<Record<string, string>>, body: string) => {
  const request: PspRequest = { operation: 'create', method: 'POST', path, paymentId: null, headers, body };
  return bed.context.send(request);
};
const json = { 'content-type': 'application/json' };

const BROWSER = {
  userAgent: 'Firefox',
  acceptHeader: '*/*',
  language: 'de-DE',
  colorDepth: 24,
  screenHeight: 1080,
  screenWidth: 1920,
  timeZoneOffset: -120,
  javaEnabled: false,
};
const ADDRESS = { street: 'Main', houseNumberOrName: '1', city: 'Berlin', postalCode: '10115', country: 'DE' };

describe('the Adyen simulator', () => {
  let bed: Testbed;
  let payments = 0;
  beforeAll(async () => {
    bed = await openTestbed('adyen', {});
  });
  afterAll(() => bed.close());

  const charge = async (change: Body, storedPaymentMethodId = 'ok') => {
    payments += 1;
    const { api_key, merchant_account } = bed.credentials as { api_key: string; merchant_account: string };
    const body = {
      merchantAccount: merchant_account,
      amount: { currency: 'EUR', value: 1_000 },
      reference: `att_${payments}`,
      paymentMethod: { type: 'scheme', storedPaymentMethodId },
      returnUrl: 'https://shop.example/back',
      ...change,
    };
    const { status, text } = await post(bed, '/v72/payments', { ...json, 'x-api-key': api_key }, JSON.stringify(body));
    return { status, body: JSON.parse(text) };
  };

  it.each<[string, Body, string]>([
    ['an address without a house number', { billingAddress: { ...ADDRESS, houseNumberOrName: undefined } }, 'House'],
    ['a postal code of eleven characters', { billingAddress: { ...ADDRESS, postalCode: '1'.repeat(11) } }, 'postal'],
    ['a state in words', { deliveryAddress: { ...ADDRESS, stateOrProvince: 'Berlin' } }, 'stateOr'],
    ['a field that addresses do not have', { billingAddress: { ...ADDRESS, firstName: 'Ada' } }, 'unknown fields'],
    ['half a name', { shopperName: { firstName: 'Ada' } }, 'lastName'],
    ['half a browser', { browserInfo: { ...BROWSER, language: undefined } }, 'language'],
    ['a screen of 23 bits', { browserInfo: { ...BROWSER, colorDepth: 23 } }, 'colorDepth'],
    ['an origin with a path', { origin: 'https://shop.example/cart' }, 'origin'],
    ['an unknown exemption', { additionalData: { scaExemption: 'low_value' } }, 'scaExemption'],
    ['an unknown wish for a challenge', { threeDS2RequestData: { threeDSRequestorChallengeInd: '9' } }, 'Challenge'],
    ['a method to keep for nobody', { storePaymentMethod: true }, 'shopperReference'],
    [
      'a method to keep for no use',
      { storePaymentMethod: true, shopperReference: 'cus_1' },
      'recurringProcessingModel',
    ],
    ['a quantity of two and a half', { lineItems: [{ quantity: 2.5, amountIncludingTax: 400 }] }, 'quantity'],
    [
      'goods for Klarna that cost less than is paid',
      {
        paymentMethod: { type: 'klarna' },
        lineItems: [{ description: 'Mug', quantity: 1, amountIncludingTax: 999 }],
      },
      'sum',
    ],
  ])('refuses %s', async (_, change, text) => {
    const { status, body } = await charge(change);
    expect([status, body.message.toLowerCase()]).toEqual([422, expect.stringContaining(text.toLowerCase())]);
  });

  it('refuses a European card unless it knows the browser in which its holder can be authenticated', async () => {
    expect((await charge({}, 'needs_browser')).body).toMatchObject({ resultCode: 'Refused', refusalReasonCode: '38' });
    const { body } = await charge({ browserInfo: BROWSER, origin: 'https://shop.example' }, 'needs_browser');
    expect(body).toMatchObject({ resultCode: 'RedirectShopper' });
  });

  it('keeps a method for its shopper and for nobody else', async () => {
    const { body } = await charge({
      paymentMethod: {
        type: 'scheme',
        encryptedCardNumber: 'adyenjs_1',
        encryptedExpiryMonth: 'adyenjs_2',
        encryptedExpiryYear: 'adyenjs_3',
      },
      storePaymentMethod: true,
      shopperReference: 'cus_1',
      recurringProcessingModel: 'UnscheduledCardOnFile',
    });
    const token = body.additionalData['tokenization.storedPaymentMethodId'];
    const { body: own } = await charge({ shopperReference: 'cus_1', shopperInteraction: 'ContAuth' }, token);
    expect(own).toMatchObject({ resultCode: 'Authorised', additionalData: { shopperInteraction: 'ContAuth' } });
    const other = await charge({ shopperReference: 'cus_2', shopperInteraction: 'ContAuth' }, token);
    expect(other).toMatchObject({ status: 422, body: { errorCode: '803' } });
  });

  it('gives the result of an address check that a test address asks for', async () => {
    const { body } = await charge({
      billingAddress: { ...ADDRESS, street: 'Test AVS result', houseNumberOrName: '2' },
    });
    expect(body.additionalData.avsResult).toBe('2 Neither postal code nor address match');
  });
});

const money = (value: string) => ({ currency_code: 'EUR', value });
const MUG = { name: 'Mug', quantity: '2', unit_amount: money('4.50') };
const PARCEL = { address_line_1: '1 Main St', admin_area_2: 'Berlin', postal_code: '10115', country_code: 'DE' };

describe('the PayPal simulator', () => {
  let bed: Testbed;
  let authorization = '';
  let orders = 0;
  beforeAll(async () => {
    bed = await openTestbed('paypal', {});
    const { client_id, client_secret } = bed.credentials as { client_id: string; client_secret: string };
    const basic = Buffer.from(`${client_id}:${client_secret}`).toString('base64');
    const form = { authorization: `Basic ${basic}`, 'content-type': 'application/x-www-form-urlencoded' };
    const login = await post(bed, '/v1/oauth2/token', form, 'grant_type=client_credentials');
    authorization = `Bearer ${JSON.parse(login.text).access_token}`;
  });
  afterAll(() => bed.close());

  const order = async (unit: Body, source: Body = { paypal: {} }): Promise<PspResponse> => {
    orders += 1;
    const body = {
      intent: 'CAPTURE',
      purchase_units: [{ amount: money('10.00'), ...unit }],
      payment_source: source,
    };
    const headers = { ...json, authorization, 'paypal-request-id': `order-${orders}` };
    return post(bed, '/v2/checkout/orders', headers, JSON.stringify(body));
  };
  const sums = (breakdown: Body) => ({ amount: { ...money('10.00'), breakdown }, items: [MUG] });

  it('takes parts that add up to the amount', async () => {
    const parts = { item_total: money('9.00'), shipping: money('1.50'), discount: money('0.50') };
    expect((await order(sums(parts))).status).toBe(201);
  });

  it.each<[string, Body, Body | undefined, string]>([
    ['parts that do not add up', sums({ item_total: money('9.00') }), undefined, 'AMOUNT_MISMATCH'],
    ['items that do not add up', sums({ item_total: money('10.00') }), undefined, 'ITEM_TOTAL_MISMATCH'],
    ['items without their sum', sums({ shipping: money('10.00') }), undefined, 'ITEM_TOTAL_REQUIRED'],
    ['a statement of 23 characters', { soft_descriptor: 'A'.repeat(23) }, undefined, 'INVALID_STRING_LENGTH'],
    [
      'a parcel without a postal code',
      { shipping: { address: { ...PARCEL, postal_code: undefined } } },
      undefined,
      'POSTAL_CODE_REQUIRED',
    ],
    [
      'a parcel to a state that is not named',
      { shipping: { address: { ...PARCEL, country_code: 'US' } } },
      undefined,
      'SHIPPING_ADDRESS_INVALID',
    ],
    [
      'a parcel to an American state in words',
      { shipping: { address: { ...PARCEL, country_code: 'US', admin_area_1: 'California' } } },
      undefined,
      'SHIPPING_ADDRESS_INVALID',
    ],
    [
      'a page that shows an address which the order lacks',
      {},
      { paypal: { experience_context: { shipping_preference: 'SET_PROVIDED_ADDRESS' } } },
      'MISSING_SHIPPING_ADDRESS',
    ],
    [
      'an account to keep for no use',
      {},
      { paypal: { attributes: { vault: { store_in_vault: 'ON_SUCCESS' } } } },
      'MISSING_REQUIRED_PARAMETER',
    ],
    [
      "a reference of Mastercard's without its date",
      {},
      {
        card: {
          vault_id: 'ok',
          stored_credential: {
            payment_initiator: 'MERCHANT',
            payment_type: 'RECURRING',
            previous_network_transaction_reference: { id: 'MCC1ABCDE' },
          },
        },
      },
      'MISSING_REQUIRED_PARAMETER',
    ],
  ])('refuses %s', async (_, unit, source, issue) => {
    const { status, text } = await order(unit, source);
    expect([status >= 400, JSON.parse(text).details[0].issue]).toEqual([true, issue]);
  });
});
