import { createHmac } from 'node:crypto';
import { createRequire } from 'node:module';
import type hmacValidator from '@adyen/api-library/lib/src/utils/hmacValidator.js';
import { describe, expect, it } from 'vitest';
import { declineOf } from '#shared/domain/payments/declines.catalog.ts';
import { parseAdyenCallback, verifyAdyenCallback } from '#shared/psp/adyen/webhooks.ts';
import authorisation from '#test/fixtures/adyen/notification-authorisation.json' with { type: 'json' };
import cancelOrRefund from '#test/fixtures/adyen/notification-cancel-or-refund.json' with { type: 'json' };
import cancellation from '#test/fixtures/adyen/notification-cancellation.json' with { type: 'json' };
import capture from '#test/fixtures/adyen/notification-capture.json' with { type: 'json' };
import captureFailed from '#test/fixtures/adyen/notification-capture-failed.json' with { type: 'json' };
import chargeback from '#test/fixtures/adyen/notification-chargeback.json' with { type: 'json' };
import expire from '#test/fixtures/adyen/notification-expire.json' with { type: 'json' };
import offerClosed from '#test/fixtures/adyen/notification-offer-closed.json' with { type: 'json' };
import refund from '#test/fixtures/adyen/notification-refund.json' with { type: 'json' };
import refundFailed from '#test/fixtures/adyen/notification-refund-failed.json' with { type: 'json' };
import reversed from '#test/fixtures/adyen/notification-refunded-reversed.json' with { type: 'json' };
import technicalCancel from '#test/fixtures/adyen/notification-technical-cancel.json' with { type: 'json' };
import file from '#test/fixtures/webhook-vectors.json' with { type: 'json' };

type Vector = {
  psp: string;
  id: string;
  scheme: string;
  hmac_key_hex: string;
  headers: Record<string, string>;
  body_base64: string;
  expected: string;
  expected_per_item?: string[];
  string_to_sign_per_item?: string[];
  string_to_sign?: string;
  signature_base64?: string;
};
const VECTORS = (file.vectors as unknown as Vector[]).filter(({ psp }) => psp === 'adyen');
const of = (scheme: string) => VECTORS.filter((vector) => vector.scheme.startsWith(scheme));

const callback = (rawBody: Buffer, headers: Record<string, string | undefined> = {}) => ({
  rawBody,
  headers,
  query: {},
});
const credentials = (webhook_secret: string | string[], merchant_account = 'TestMerchant') => ({
  credentials: { api_key: 'AQE_unused', merchant_account, webhook_secret },
});
const verify = (
  { body_base64, headers, hmac_key_hex }: Vector,
  keys: string | string[] = hmac_key_hex,
  account?: string,
) => verifyAdyenCallback(callback(Buffer.from(body_base64, 'base64'), headers), credentials(keys, account));

/** Of the whole library only this: the rest takes long to load. */
const { default: Official } = createRequire(import.meta.url)(
  '@adyen/api-library/lib/src/utils/hmacValidator.js',
) as typeof hmacValidator;
const official = new Official();
/** It throws where there is no signature at all, which is no less invalid. */
const officially = (item: object, key: string): boolean => {
  try {
    return official.validateHMAC(item as Parameters<typeof official.validateHMAC>[0], key);
  } catch (error) {
    expect(error).toMatchObject({ message: 'Missing hmacSignature' });
    return false;
  }
};

/** Computed here anew, from the text that each vector says is signed. */
const hmac = (key: string, text: string | Buffer) =>
  createHmac('sha256', Buffer.from(key, 'hex')).update(text).digest('base64');

type Item = { additionalData: Record<string, string>; [field: string]: unknown };
const itemsOf = ({ body_base64 }: Vector): Item[] =>
  JSON.parse(Buffer.from(body_base64, 'base64').toString()).notificationItems.map(
    (wrapped: { NotificationRequestItem: Item }) => wrapped.NotificationRequestItem,
  );

describe('verifyAdyenCallback', () => {
  it('has test vectors', () => {
    expect(VECTORS.length).toBe(21);
    expect([of('adyen-standard-hmac').length, of('adyen-header-hmac').length, of('adyen-legacy').length]).toEqual([
      17, 3, 1,
    ]);
  });

  it.each(of('adyen-standard-hmac'))('judges the vector $id as $expected, like the official library', (vector) => {
    const each = itemsOf(vector).map(
      ({ additionalData }, index) =>
        additionalData.hmacSignature === hmac(vector.hmac_key_hex, vector.string_to_sign_per_item![index]!),
    );
    expect(each.map((good) => (good ? 'valid' : 'invalid'))).toEqual(vector.expected_per_item);
    expect(itemsOf(vector).map((item) => officially(item, vector.hmac_key_hex))).toEqual(each);
    expect(verify(vector)).toBe(vector.expected === 'valid');
  });

  it.each(of('adyen-header-hmac'))('judges the vector $id as $expected, like the official library', (vector) => {
    const text = Buffer.from(vector.body_base64, 'base64').toString();
    expect(official.validateHMACSignature(vector.hmac_key_hex, vector.headers.hmacsignature ?? '', text)).toBe(
      vector.expected === 'valid',
    );
    expect(vector.headers.hmacsignature === hmac(vector.hmac_key_hex, Buffer.from(vector.body_base64, 'base64'))).toBe(
      vector.expected === 'valid',
    );
    expect(verify(vector)).toBe(vector.expected === 'valid');
  });

  it('rejects the legacy form, which escapes the fields', () => {
    const [legacy] = of('adyen-legacy');
    expect(hmac(legacy!.hmac_key_hex, legacy!.string_to_sign!)).toBe(legacy!.signature_base64);
    expect(
      official.calculateHmac(JSON.parse(Buffer.from(legacy!.body_base64, 'base64').toString()), legacy!.hmac_key_hex),
    ).toBe(legacy!.signature_base64);
    expect(verify(legacy!)).toBe(false);
  });

  const [valid] = VECTORS;
  it('accepts any of the secrets during rotation', () => {
    const [old, older] = ['AB'.repeat(32), 'CD'.repeat(32)];
    expect(verify(valid!, [old, valid!.hmac_key_hex])).toBe(true);
    expect(verify(valid!, [old, older])).toBe(false);
  });

  it('accepts only items of the connection’s merchant account', () => {
    expect(verify(valid!, undefined, 'OtherMerchant')).toBe(false);
  });

  it('accepts a batch only if every item is of that account', () => {
    const [item] = itemsOf(valid!);
    const other = { ...item, merchantAccountCode: 'OtherMerchant' };
    const text = [
      item!.pspReference,
      '',
      'OtherMerchant',
      item!.merchantReference,
      1130,
      'EUR',
      'AUTHORISATION',
      'true',
    ].join(':');
    const signed = { ...other, additionalData: { hmacSignature: hmac(valid!.hmac_key_hex, text) } };
    const batch = (...items: unknown[]) =>
      callback(
        Buffer.from(
          JSON.stringify({ notificationItems: items.map((NotificationRequestItem) => ({ NotificationRequestItem })) }),
        ),
      );
    expect(verifyAdyenCallback(batch(item, item), credentials(valid!.hmac_key_hex))).toBe(true);
    expect(verifyAdyenCallback(batch(signed), credentials(valid!.hmac_key_hex, 'OtherMerchant'))).toBe(true);
    expect(verifyAdyenCallback(batch(item, signed), credentials(valid!.hmac_key_hex))).toBe(false);
  });
});

const KEYS = { 'metadata.org_id': 'org_1', 'metadata.connection_id': 'conn_1', 'metadata.payment_id': 'pay_1' };
const ROUTING = { org_id: 'org_1', connection_id: 'conn_1', payment_id: 'pay_1' };
const PSP = 'QFQTPCQ8HXSKGK82';
const ORIGINAL = '9913140798220028';
const money = { amount: 1000, currency: 'EUR' };

type Documented = { notificationItems: { NotificationRequestItem: object }[] };
const reading = (documented: Documented, change: object = {}) => {
  const item = { ...documented.notificationItems[0]!.NotificationRequestItem, ...change };
  return parseAdyenCallback(
    callback(Buffer.from(JSON.stringify({ live: 'false', notificationItems: [{ NotificationRequestItem: item }] }))),
  )[0]!;
};
const keyed = (change: object = {}) => ({ additionalData: KEYS, merchantReference: 'att_1', ...change });

describe('parseAdyenCallback', () => {
  it('reads the amount of an authorisation, under its signed reference', () => {
    expect(reading(authorisation, keyed())).toEqual({
      eventId: `${PSP}:AUTHORISATION:true`,
      type: 'AUTHORISATION',
      at: '2021-01-01T00:00:00.000Z',
      subject: {
        kind: 'payment',
        reference: PSP,
        ourId: 'att_1',
        reported: { kind: 'succeeded', reference: PSP, ...money },
      },
      routing: ROUTING,
    });
  });

  it.each<[string, object, object]>([
    [
      'a currency with other decimals',
      { amount: { currency: 'ISK', value: 50_000 } },
      { kind: 'succeeded', amount: 500, currency: 'ISK' },
    ],
    [
      'an amount that we have no unit for',
      { amount: { currency: 'ISK', value: 50_001 } },
      { kind: 'processing', reference: PSP },
    ],
    [
      'a currency that can’t be counted',
      { amount: { currency: 'BIF', value: 7 } },
      { kind: 'processing', reference: PSP },
    ],
    ['no amount', { amount: null }, { kind: 'processing', reference: PSP }],
  ])('reads an authorisation with %s', (_, change, reported) => {
    expect(reading(authorisation, keyed(change)).subject).toMatchObject({ reported });
  });

  it.each([
    ['Refused', declineOf('card_declined', '2')],
    ['Not enough balance', declineOf('insufficient_funds', '12')],
    ['3d-Secure: 3D Not Authenticated', declineOf('authentication_failed', '11')],
    ['Transaction blocked by Adyen to prevent excessive retry fees', declineOf('card_declined', '46', 'never')],
    ['3DS Authentication Error', declineOf('authentication_failed', '42')],
    ['Token Revoked', declineOf('authorization_revoked', '50')],
    ['6 : Expired Card', declineOf('expired_card', '6')],
    ['a reason of the future', declineOf('card_declined', null, 'retry_same_later')],
    [null, declineOf('card_declined', null, 'retry_same_later')],
  ])('reads a refusal for %s as a decline', (reason, decline) => {
    expect(reading(authorisation, keyed({ success: 'false', reason })).subject).toMatchObject({
      reported: { kind: 'declined', reference: PSP, decline },
    });
  });

  it('reads a success on a page, and ignores a declined try', () => {
    const tried = keyed({ merchantReference: 'att_1-page' });
    expect(reading(authorisation, tried).subject).toMatchObject({ ourId: 'att_1', reported: { kind: 'succeeded' } });
    expect(reading(authorisation, { ...tried, success: 'false', reason: 'Refused' }).subject).toEqual({
      kind: 'ignored',
    });
    expect(reading(offerClosed, tried).subject).toEqual({ kind: 'ignored' });
  });

  it.each<[string, Documented, object, object]>([
    [
      'a cancel',
      cancellation,
      {},
      { kind: 'payment', reference: ORIGINAL, reported: { kind: 'canceled', reference: ORIGINAL } },
    ],
    [
      'a cancel that failed',
      cancellation,
      { success: 'false' },
      { kind: 'payment', reference: ORIGINAL, reported: { kind: 'processing', reference: ORIGINAL } },
    ],
    [
      'an authorisation that lapsed',
      expire,
      {},
      { kind: 'payment', reference: PSP, reported: { kind: 'canceled', reference: PSP } },
    ],
    [
      'a cancel-or-refund that canceled',
      cancelOrRefund,
      {},
      { kind: 'payment', reference: ORIGINAL, reported: { kind: 'canceled', reference: ORIGINAL } },
    ],
  ])('reads %s as an event of the charge, whatever the item claims', (_, documented, change, subject) => {
    expect(
      reading(documented, { additionalData: { ...KEYS, 'modification.action': 'cancel' }, ...change }),
    ).toMatchObject({ subject, routing: {} });
  });

  const ofRefund = { kind: 'refund', reference: PSP, paymentReference: ORIGINAL, ourId: 're_1' };
  const failed = (provider_code: string, code = 'refund_declined') => ({
    kind: 'failed',
    reference: PSP,
    decline: { code, provider_code },
    ...money,
  });
  it.each<[string, Documented, object, object]>([
    [
      'a refund',
      refund,
      { success: 'true' },
      { ...ofRefund, reported: { kind: 'succeeded', reference: PSP, ...money } },
    ],
    ['a refund that could not be made', refund, {}, { ...ofRefund, reported: failed('REFUND', 'try_again_later') }],
    [
      'a refund of more than is left',
      refund,
      { reason: 'Insufficient balance on payment' },
      { ...ofRefund, reported: failed('REFUND', 'already_refunded') },
    ],
    ['a refund that failed later', refundFailed, {}, { ...ofRefund, reported: failed('REFUND_FAILED') }],
    ['a refund that came back', reversed, {}, { ...ofRefund, reported: failed('REFUNDED_REVERSED') }],
    [
      'a cancel-or-refund that refunded',
      cancelOrRefund,
      { additionalData: { 'modification.action': 'refund' } },
      { ...ofRefund, reported: { kind: 'succeeded', reference: PSP, ...money } },
    ],
    [
      'a refund in a currency that can’t be counted',
      refund,
      { amount: { currency: 'BIF', value: 1 } },
      { kind: 'ignored' },
    ],
    ['a failure that did not come about', refundFailed, { success: 'false' }, { kind: 'ignored' }],
  ])('reads %s as an event of the refund', (_, documented, change, subject) => {
    expect(reading(documented, { merchantReference: 're_1', ...change })).toMatchObject({ subject, routing: {} });
    const paymentId = `pay_${'0'.repeat(26)}`;
    expect(reading(documented, { merchantReference: `${paymentId}.re_1`, ...change })).toMatchObject({
      subject,
      routing: { payment_id: paymentId },
    });
  });

  it.each<[string, Documented, object, object]>([
    ['that succeeded', capture, {}, { kind: 'succeeded' }],
    [
      'that Adyen refused',
      capture,
      { success: 'false', reason: 'Insufficient balance on payment' },
      { kind: 'failed' },
    ],
    [
      'that failed after it had succeeded',
      captureFailed,
      {},
      { kind: 'failed', decline: { code: 'capture_declined' } },
    ],
  ])('reads a capture %s, with our id if it is ours', (_, documented, change, outcome) => {
    const id = 'cap_01jc0000000000000000000001';
    const ours = { merchantReference: `pay_01jc0000000000000000000001.${id}`, ...change };
    const subject = { kind: 'capture', reference: PSP, paymentReference: ORIGINAL };
    expect(reading(documented, ours)).toMatchObject({
      subject: { ...subject, ourId: id, reported: { ...outcome, ...money, ourId: id } },
      routing: { payment_id: 'pay_01jc0000000000000000000001' },
    });
    expect(reading(documented, change).subject).toMatchObject({ ...subject, reported: { ...outcome, ourId: null } });
    expect(reading(documented, change).subject).not.toHaveProperty('ourId');
  });

  it('reads an authorisation that ran out, and tells it from one that was canceled', () => {
    expect(reading(expire).subject).toMatchObject({ reported: { kind: 'canceled', expired: true } });
    expect(reading(cancellation).subject).toMatchObject({ reported: { kind: 'canceled' } });
    expect(reading(cancellation).subject).not.toMatchObject({ reported: { expired: true } });
  });

  it.each<[string, Documented, object]>([
    ['a capture of no payment', capture, { originalReference: undefined }],
    ['a capture that did not fail after all', captureFailed, { success: 'false' }],
    ['the echo of a cancel by our own reference', technicalCancel, {}],
    ['a fraud alert, which is no dispute', chargeback, { eventCode: 'NOTIFICATION_OF_FRAUD' }],
    ['an offer that lapsed, without our keys', offerClosed, {}],
    ['an event of the future', capture, { eventCode: 'CAPTURE_PONDERED' }],
    ['an event by a name that every object has', capture, { eventCode: 'constructor' }],
  ])('ignores %s', (_, documented, change) => {
    expect(reading(documented, change).subject).toEqual({ kind: 'ignored' });
  });

  it('ignores another kind of webhook', () => {
    const body = {
      type: 'merchant.updated',
      environment: 'test',
      createdAt: '2026-01-01',
      data: { merchantId: 'TestMerchant' },
    };
    expect(parseAdyenCallback(callback(Buffer.from(JSON.stringify(body))))).toMatchObject([
      { type: 'merchant.updated', subject: { kind: 'ignored' } },
    ]);
  });

  it('returns one event per item', () => {
    const [one, two, three] = ['A', 'B', 'C'].map((pspReference) => ({
      NotificationRequestItem: { ...authorisation.notificationItems[0]!.NotificationRequestItem, pspReference },
    }));
    const readings = parseAdyenCallback(
      callback(Buffer.from(JSON.stringify({ live: 'false', notificationItems: [one, two, three] }))),
    );
    expect(readings.map(({ eventId }) => eventId)).toEqual([
      'A:AUTHORISATION:true',
      'B:AUTHORISATION:true',
      'C:AUTHORISATION:true',
    ]);
  });

  it.each<[string, object, object]>([
    ['no additional data', { additionalData: undefined }, {}],
    ['some of our keys', { additionalData: { 'metadata.payment_id': 'pay_1', other: 'x' } }, { payment_id: 'pay_1' }],
    ['keys that are no text', { additionalData: { 'metadata.payment_id': 7, 'metadata.org_id': { a: 1 } } }, {}],
  ])('takes the routing ids of a notification with %s', (_, change, routing) => {
    expect(reading(authorisation, change).routing).toEqual(routing);
  });

  const item = authorisation.notificationItems[0]!.NotificationRequestItem;
  it.each([
    '',
    'hello',
    'null',
    '[]',
    '{}',
    '{"notificationItems":[]}',
    '{"notificationItems":[{}]}',
    JSON.stringify({ notificationItems: [{ NotificationRequestItem: { ...item, success: true } }] }),
    JSON.stringify({ notificationItems: [{ NotificationRequestItem: { ...item, pspReference: '' } }] }),
    JSON.stringify({ notificationItems: [{ NotificationRequestItem: { ...item, merchantAccountCode: undefined } }] }),
    JSON.stringify({
      notificationItems: [{ NotificationRequestItem: { ...item, amount: { value: 1.5, currency: 'EUR' } } }],
    }),
  ])('rejects a body that is not a notification: %s', (body) => {
    expect(() => parseAdyenCallback(callback(Buffer.from(body)))).toThrow(
      expect.objectContaining({ name: 'PspRefused', kind: 'request' }),
    );
    expect(verifyAdyenCallback(callback(Buffer.from(body)), credentials('AB'.repeat(32)))).toBe(false);
  });
});

describe('an event of a token', () => {
  const KEY = 'AB'.repeat(32);
  const event = (data: object = {}, type = 'recurring.token.created') =>
    JSON.stringify({
      type,
      environment: 'test',
      createdAt: '2026-11-28T00:00:00+01:00',
      eventId: 'QBQQ9DLNRHHKGK38',
      data: {
        merchantAccount: 'TestMerchant',
        storedPaymentMethodId: 'M5N7TQ4TG5PFWR50',
        shopperReference: 'cus_1',
        type: 'visastandarddebit',
        operation: 'created',
        ...data,
      },
    });
  const signed = (body: string, key = KEY) => callback(Buffer.from(body), { hmacsignature: hmac(key, body) });

  it.each(['recurring.token.created', 'recurring.token.updated', 'recurring.token.alreadyExisting'])(
    'of the type %s tells the token of the payment that it names',
    (type) => {
      expect(parseAdyenCallback(signed(event({}, type)))).toEqual([
        {
          eventId: `QBQQ9DLNRHHKGK38:${type}:M5N7TQ4TG5PFWR50`,
          type,
          routing: {},
          subject: {
            kind: 'payment',
            reference: 'QBQQ9DLNRHHKGK38',
            reported: {
              kind: 'waiting',
              reference: 'QBQQ9DLNRHHKGK38',
              saved: { storedPaymentMethodId: 'M5N7TQ4TG5PFWR50', shopperReference: 'cus_1' },
            },
          },
        },
      ]);
    },
  );

  it.each([
    ['a token that was disabled', event({}, 'recurring.token.disabled')],
    ['a token that is none', event({ storedPaymentMethodId: '<b>' })],
    ['a shopper that is none', event({ shopperReference: '' })],
  ])('ignores %s', (_, body) => {
    expect(parseAdyenCallback(signed(body)).map(({ subject }) => subject.kind)).toEqual(['ignored']);
  });

  it('is verified by its whole body and its account', () => {
    expect(verifyAdyenCallback(signed(event()), credentials(KEY))).toBe(true);
    expect(verifyAdyenCallback(signed(event(), 'CD'.repeat(32)), credentials(KEY))).toBe(false);
    const other = signed(event({ merchantAccount: 'AnotherMerchant' }));
    expect(verifyAdyenCallback(other, credentials(KEY))).toBe(false);
    expect(verifyAdyenCallback(other, credentials(KEY), 'sender')).toBe(true);
  });
});
