import Stripe from 'stripe';
import { describe, expect, it } from 'vitest';
import { parseStripeCallback, verifyStripeCallback } from '#shared/psp/stripe/webhooks.ts';
import file from '#test/fixtures/webhook-vectors.json' with { type: 'json' };

type Vector = {
  psp: string;
  id: string;
  secret: string;
  now_unix: number;
  headers: { 'stripe-signature'?: string };
  body_base64: string;
  expected: string;
};
const VECTORS = (file.vectors as unknown as Vector[]).filter(({ psp }) => psp === 'stripe');
const official = new Stripe('sk_test_unused').webhooks;

const callback = (rawBody: Buffer, headers: Record<string, string | undefined> = {}) => ({
  rawBody,
  headers,
  query: {},
});
const verify = (vector: Vector, webhook_secret: string | string[] = vector.secret) =>
  verifyStripeCallback(callback(Buffer.from(vector.body_base64, 'base64'), vector.headers), {
    credentials: { secret_key: 'sk_test_1', webhook_secret },
    now: () => new Date(vector.now_unix * 1000),
  });

describe('verifyStripeCallback', () => {
  it('has test vectors', () => {
    expect(VECTORS.length).toBe(26);
  });

  it.each(VECTORS)('judges the vector $id as $expected, like the official library', (vector) => {
    const check = () =>
      official.constructEvent(
        Buffer.from(vector.body_base64, 'base64'),
        vector.headers['stripe-signature'] ?? '',
        vector.secret,
        300,
        undefined,
        vector.now_unix * 1000,
      );
    expect(verify(vector)).toBe(vector.expected === 'valid');
    if (vector.expected === 'valid') expect(check).not.toThrow();
    else expect(check).toThrow();
  });

  it('accepts any of the secrets during rotation', () => {
    const valid = VECTORS.find(({ id }) => id === 'stripe-valid-compact')!;
    expect(verify(valid, ['whsec_old', valid.secret])).toBe(true);
    expect(verify(valid, ['whsec_old', 'whsec_older'])).toBe(false);
  });

  it.each([
    ['our own account', undefined, undefined, true],
    ['the account that the platform acts for', 'acct_1', 'acct_1', true],
    ['another account of the platform', 'acct_2', 'acct_1', false],
    ['some account of a platform, where we act for none', 'acct_2', undefined, false],
  ])('judges an event of %s: %s for %s', (_, sender, account, expected) => {
    const body = JSON.stringify({
      id: 'evt_1',
      type: 'payment_intent.succeeded',
      account: sender,
      data: { object: { id: 'pi_1' } },
    });
    const header = official.generateTestHeaderString({ payload: body, secret: 'whsec_1', timestamp: 1_767_225_600 });
    const credentials = { secret_key: 'sk_test_1', webhook_secret: 'whsec_1', account };
    expect(
      verifyStripeCallback(callback(Buffer.from(body), { 'stripe-signature': header }), {
        credentials,
        now: () => new Date(1_767_225_600_000),
      }),
    ).toBe(expected);
  });
});

describe('parseStripeCallback', () => {
  it('ignores an event without data, as newer kinds of events have none', () => {
    const body = { id: 'evt_1', object: 'v2.core.event', type: 'v1.billing.meter.error_report_triggered' };
    expect(parseStripeCallback(callback(Buffer.from(JSON.stringify(body))))).toMatchObject([
      { eventId: 'evt_1', subject: { kind: 'ignored' } },
    ]);
  });

  const KEYS = { org_id: 'org_1', connection_id: 'conn_1', payment_id: 'pay_1' };
  const event = (type: string, object: unknown) =>
    callback(Buffer.from(JSON.stringify({ id: 'evt_1', object: 'event', type, data: { object } })));

  it.each<[string, object, object]>([
    ['payment_intent.succeeded', { id: 'pi_1' }, { kind: 'payment', reference: 'pi_1' }],
    ['payment_intent.payment_failed', { id: 'pi_1' }, { kind: 'payment', reference: 'pi_1' }],
    ['payment_intent.amount_capturable_updated', { id: 'pi_1' }, { kind: 'payment', reference: 'pi_1' }],
    ['checkout.session.completed', { id: 'cs_1', payment_intent: 'pi_1' }, { kind: 'payment', reference: 'cs_1' }],
    ['checkout.session.expired', { id: 'cs_1', payment_intent: null }, { kind: 'payment', reference: 'cs_1' }],
    ['charge.refunded', { id: 'ch_1', payment_intent: 'pi_1' }, { kind: 'payment', reference: 'pi_1' }],
    ['charge.refunded', { id: 'ch_1', payment_intent: null }, { kind: 'ignored' }],
    ['payment_intent.succeeded', { id: 'pi_1', metadata: [] }, { kind: 'payment', reference: 'pi_1' }],
    [
      'refund.created',
      { id: 're_1', payment_intent: 'pi_1' },
      { kind: 'refund', reference: 're_1', paymentReference: 'pi_1' },
    ],
    [
      'refund.updated',
      { id: 're_1', payment_intent: { id: 'pi_1' } },
      { kind: 'refund', reference: 're_1', paymentReference: 'pi_1' },
    ],
    ['refund.failed', { id: 're_1' }, { kind: 'refund', reference: 're_1', paymentReference: null }],
    [
      'charge.refund.updated',
      { id: 're_1', payment_intent: 'pi_1' },
      { kind: 'refund', reference: 're_1', paymentReference: 'pi_1' },
    ],
  ])('reads the subject of %s with %j as %j', (type, object, subject) => {
    expect(parseStripeCallback(event(type, { ...object, metadata: KEYS }))).toEqual([
      { eventId: 'evt_1', type, subject, routing: KEYS },
    ]);
  });

  it.each(['radar.early_fraud_warning.created', 'customer.created', 'charge.succeeded', 'a.type.of.the.future'])(
    'ignores the event %s, whatever it contains',
    (type) => {
      expect(parseStripeCallback(event(type, null))).toEqual([
        { eventId: 'evt_1', type, subject: { kind: 'ignored' }, routing: {} },
      ]);
    },
  );

  it.each<[string, unknown, object]>([
    ['no metadata', undefined, {}],
    ['null metadata', null, {}],
    ['some of our keys', { payment_id: 'pay_1', other: 'x' }, { payment_id: 'pay_1' }],
    ['keys that are no text', { payment_id: 7, org_id: { a: 1 } }, {}],
  ])('takes the routing ids of an event with %s', (_, metadata, routing) => {
    expect(parseStripeCallback(event('payment_intent.succeeded', { id: 'pi_1', metadata }))[0]?.routing).toEqual(
      routing,
    );
  });

  it.each([
    '',
    'hello',
    'null',
    '[]',
    '{}',
    '{"id":"evt_1"}',
    '{"id":"evt_1","type":"payment_intent.succeeded"}',
    '{"id":"evt_1","type":"refund.created","data":{"object":{}}}',
  ])('rejects a body that is not an event: %s', (body) => {
    expect(() => parseStripeCallback(callback(Buffer.from(body)))).toThrow(
      expect.objectContaining({ name: 'PspRefused', kind: 'request' }),
    );
  });
});
