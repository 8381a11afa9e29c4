import { createHmac } from 'node:crypto';
import official from 'razorpay/dist/utils/razorpay-utils.js';
import { describe, expect, it } from 'vitest';
import { isSignedReturn } from '#shared/psp/razorpay/returns.ts';
import { parseRazorpayCallback, verifyRazorpayCallback } from '#shared/psp/razorpay/webhooks.ts';
import documented from '#test/fixtures/razorpay/payment-captured-event.json' with { type: 'json' };
import file from '#test/fixtures/webhook-vectors.json' with { type: 'json' };

type Vector = {
  psp: string;
  scheme: string;
  id: string;
  secret: string;
  headers: Record<string, string>;
  body: string;
  body_base64: string;
  expected: string;
};
const VECTORS = (file.vectors as unknown as Vector[]).filter(({ psp }) => psp === 'razorpay');
const EVENTS = VECTORS.filter(({ scheme }) => scheme === 'razorpay-hmac-sha256');
const RETURNS = VECTORS.filter(({ scheme }) => scheme === 'razorpay-payment-verification');

const digest = (secret: string, text: string | Buffer) => createHmac('sha256', secret).update(text).digest('hex');
const callback = (rawBody: Buffer, headers: Record<string, string | undefined> = {}) => ({
  rawBody,
  headers,
  query: {},
});
const credentials = (webhook_secret: string | string[], account_id?: string) => ({
  key_id: 'rzp_test_1',
  key_secret: 'secret',
  webhook_secret,
  account_id,
});
const verify = (vector: Vector, webhook_secret: string | string[] = vector.secret, account_id?: string) =>
  verifyRazorpayCallback(callback(Buffer.from(vector.body_base64, 'base64'), vector.headers), {
    credentials: credentials(webhook_secret, account_id),
  });

describe('verifyRazorpayCallback', () => {
  it('has test vectors', () => {
    expect([EVENTS.length, RETURNS.length]).toEqual([12, 4]);
  });

  it.each(EVENTS)('judges the vector $id as $expected, like the official library and Web Crypto', (vector) => {
    const independently =
      vector.headers['x-razorpay-signature'] === digest(vector.secret, Buffer.from(vector.body_base64, 'base64'));
    expect(independently).toBe(vector.expected === 'valid');
    const signature = vector.headers['x-razorpay-signature'];
    const check = () =>
      official.validateWebhookSignature(
        Buffer.from(vector.body_base64, 'base64').toString(),
        signature!,
        vector.secret,
      );
    // It throws where the header is missing, instead of calling that invalid.
    if (signature === undefined) expect(check).toThrow('Invalid Parameters');
    else expect(check()).toBe(vector.expected === 'valid');
    expect(verify(vector)).toBe(vector.expected === 'valid');
  });

  it('accepts any of the secrets during rotation', () => {
    const valid = EVENTS.find(({ id }) => id === 'razorpay-valid')!;
    expect(verify(valid, ['new one', valid.secret])).toBe(true);
    expect(verify(valid, ['new one', 'older one'])).toBe(false);
  });

  it.each([
    ['the account that is named', 'acc_BFQ7uQEaa7j2z7', true],
    ['another account', 'acc_1', false],
    ['any account, where none is named', undefined, true],
  ])('judges an event of %s', (_, account_id, expected) => {
    const valid = EVENTS.find(({ id }) => id === 'razorpay-valid')!;
    expect(verify(valid, valid.secret, account_id)).toBe(expected);
  });

  it('rejects an empty signature, and an empty body', () => {
    for (const headers of [{ 'x-razorpay-signature': digest('s', '') }, { 'x-razorpay-signature': '' }, {}]) {
      expect(verifyRazorpayCallback(callback(Buffer.alloc(0), headers), { credentials: credentials('s') })).toBe(false);
    }
    const noEvent = callback(Buffer.from('{}'), { 'x-razorpay-signature': digest('s', '{}') });
    expect(verifyRazorpayCallback(noEvent, { credentials: credentials('s') })).toBe(false);
  });
});

describe('isSignedReturn of Razorpay', () => {
  it.each(RETURNS)('judges the vector $id as $expected, like the official library', ({ body, secret, expected }) => {
    const brought = Object.fromEntries(new URLSearchParams(body));
    const named: unknown = Object.fromEntries(
      Object.entries(brought).map(([name, text]) => [name.replace('razorpay_', ''), text]),
    );
    const parts = named as Parameters<typeof official.validatePaymentVerification>[0];
    expect(isSignedReturn(brought, secret)).toBe(expected === 'valid');
    expect(official.validatePaymentVerification(parts, brought.razorpay_signature!, secret)).toBe(expected === 'valid');
  });

  it.each([
    {},
    { razorpay_signature: 'x' },
    { razorpay_order_id: 'order_1', razorpay_payment_id: 7, razorpay_signature: 'x' },
  ])('rejects the unsigned input %j', (input) => {
    expect(isSignedReturn(input, 'secret')).toBe(false);
  });
});

describe('parseRazorpayCallback', () => {
  const KEYS = { org_id: 'org_1', connection_id: 'conn_1', payment_id: 'pay_1' };
  const NAMED = { 'x-razorpay-event-id': 'KuDXc0PZxfFkLv' };
  const ATTEMPT = 'att_01jc0000000000000000000001';
  const REFUND = 're_01jc0000000000000000000001';
  const of = (entities: Record<string, unknown>) =>
    Object.fromEntries(Object.entries(entities).map(([name, entity]) => [name, { entity }]));
  const event = (type: string, entities: Record<string, unknown>, headers: Record<string, string> = NAMED) =>
    callback(
      Buffer.from(
        JSON.stringify({
          entity: 'event',
          account_id: 'acc_1',
          event: type,
          payload: of(entities),
          created_at: 1_767_225_600,
        }),
      ),
      headers,
    );

  it('reads the documented event', () => {
    expect(parseRazorpayCallback(callback(Buffer.from(JSON.stringify(documented)), NAMED))).toEqual([
      {
        eventId: 'KuDXc0PZxfFkLv',
        type: 'payment.captured',
        subject: { kind: 'payment', reference: 'pay_Rb7Xm8vNcYd3Hf' },
        routing: KEYS,
      },
    ]);
  });

  const payment = { id: 'pay_Rb1', notes: KEYS };
  it.each<[string, Record<string, unknown>, object]>([
    ['payment.authorized', { payment }, { kind: 'payment', reference: 'pay_Rb1' }],
    ['payment.captured', { payment }, { kind: 'payment', reference: 'pay_Rb1' }],
    ['payment.failed', { payment }, { kind: 'payment', reference: 'pay_Rb1' }],
    ['payment.pending', { payment }, { kind: 'payment', reference: 'pay_Rb1' }],
    [
      'order.paid',
      { payment, order: { id: 'Rb2', receipt: ATTEMPT } },
      { kind: 'payment', reference: 'pay_Rb1', ourId: ATTEMPT },
    ],
    ['order.paid', { payment, order: { id: 'Rb2', receipt: 'shop 7' } }, { kind: 'payment', reference: 'pay_Rb1' }],
    [
      'payment_link.paid',
      { payment, payment_link: { id: 'plink_1', reference_id: ATTEMPT, notes: KEYS } },
      { kind: 'payment', reference: 'plink_1', ourId: ATTEMPT },
    ],
    [
      'payment_link.cancelled',
      { payment_link: { id: 'plink_1', reference_id: null, notes: KEYS } },
      { kind: 'payment', reference: 'plink_1' },
    ],
    [
      'payment_link.expired',
      { payment_link: { id: 'plink_1', reference_id: '', notes: KEYS } },
      { kind: 'payment', reference: 'plink_1' },
    ],
    [
      'payment_link.partially_paid',
      { payment_link: { id: 'plink_1', notes: KEYS } },
      { kind: 'payment', reference: 'plink_1' },
    ],
    [
      'refund.created',
      { refund: { id: 'rfnd_1', payment_id: 'pay_Rb1', receipt: REFUND, notes: KEYS } },
      { kind: 'refund', reference: 'rfnd_1', paymentReference: 'pay_Rb1', ourId: REFUND },
    ],
    [
      'refund.processed',
      { refund: { id: 'rfnd_1', payment_id: 'pay_Rb1', receipt: 'shop 7', notes: KEYS } },
      { kind: 'refund', reference: 'rfnd_1', paymentReference: 'pay_Rb1' },
    ],
    [
      'refund.failed',
      { refund: { id: 'rfnd_1', notes: KEYS } },
      { kind: 'refund', reference: 'rfnd_1', paymentReference: null },
    ],
    [
      'refund.speed_changed',
      { refund: { id: 'rfnd_1', payment_id: 'pay_Rb1', notes: KEYS } },
      { kind: 'refund', reference: 'rfnd_1', paymentReference: 'pay_Rb1' },
    ],
  ])('reads the subject of %s with %j as %j', (type, entities, subject) => {
    expect(parseRazorpayCallback(event(type, entities))).toEqual([
      { eventId: 'KuDXc0PZxfFkLv', type, subject, routing: KEYS },
    ]);
  });

  it.each(['payment.downtime.started', 'invoice.paid', 'settlement.processed', 'an.event.of.the.future'])(
    'ignores the event %s, whatever it contains',
    (type) => {
      expect(parseRazorpayCallback(event(type, {}))).toEqual([
        { eventId: 'KuDXc0PZxfFkLv', type, subject: { kind: 'ignored' }, routing: {} },
      ]);
    },
  );

  it.each<[string, Record<string, unknown>, object]>([
    ['no notes', { payment: { id: 'pay_Rb1' } }, {}],
    ['empty notes, which are a list', { payment: { id: 'pay_Rb1', notes: [] } }, {}],
    ['null notes', { payment: { id: 'pay_Rb1', notes: null } }, {}],
    ['notes of the merchant’s own', { payment: { id: 'pay_Rb1', notes: { colour: 'red' } } }, {}],
    ['notes that are no text', { payment: { id: 'pay_Rb1', notes: { payment_id: 7, org_id: { a: 1 } } } }, {}],
    ['notes of its order alone', { payment: { id: 'pay_Rb1', notes: [] }, order: { notes: KEYS } }, KEYS],
    [
      'notes of its payment alone',
      { refund: { id: 'rfnd_1', notes: [] }, payment: { id: 'pay_Rb1', notes: KEYS } },
      KEYS,
    ],
  ])('takes the routing ids of an event with %s', (_, entities, routing) => {
    const type = 'refund' in entities ? 'refund.processed' : 'order.paid';
    expect(parseRazorpayCallback(event(type, entities))[0]?.routing).toEqual(routing);
  });

  it('makes the id of an event without one from its content', () => {
    expect(parseRazorpayCallback(event('payment.captured', { payment }, {}))[0]?.eventId).toBe(
      'payment.captured-pay_Rb1-1767225600',
    );
    expect(parseRazorpayCallback(event('invoice.paid', {}, {}))[0]?.eventId).toBe('invoice.paid-1767225600');
  });

  it.each([
    '',
    'hello',
    'null',
    '[]',
    '{}',
    '{"entity":"event"}',
    '{"entity":"payment","event":"payment.captured"}',
    '{"entity":"event","event":"payment.captured"}',
    '{"entity":"event","event":"payment.captured","payload":{}}',
    '{"entity":"event","event":"payment.captured","payload":{"payment":{"entity":{}}}}',
    '{"entity":"event","event":"payment_link.paid","payload":{"payment":{"entity":{"id":"pay_Rb1"}}}}',
    '{"entity":"event","event":"refund.processed","payload":{"refund":{"entity":{"id":7}}}}',
  ])('rejects a body that is not an event: %s', (body) => {
    expect(() => parseRazorpayCallback(callback(Buffer.from(body)))).toThrow(
      expect.objectContaining({ name: 'PspRefused', kind: 'request' }),
    );
  });
});
