import { createHmac } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { parsePaystackCallback, verifyPaystackCallback } from '#shared/psp/paystack/webhooks.ts';
import chargeSuccess from '#test/fixtures/paystack/event-charge-success.json' with { type: 'json' };
import refundProcessed from '#test/fixtures/paystack/event-refund-processed.json' with { type: 'json' };
import file from '#test/fixtures/webhook-vectors.json' with { type: 'json' };

type Vector = {
  psp: string;
  id: string;
  secret: string;
  headers: { 'x-paystack-signature'?: string };
  body_base64: string;
  expected: string;
};
const VECTORS = (file.vectors as unknown as Vector[]).filter(({ psp }) => psp === 'paystack');

const callback = (rawBody: Buffer, headers: Record<string, string | undefined> = {}) => ({
  rawBody,
  headers,
  query: {},
});
const verify = ({ body_base64, headers }: Vector, secret_key: string, webhook_secret?: string | string[]) =>
  verifyPaystackCallback(callback(Buffer.from(body_base64, 'base64'), headers), {
    credentials: { secret_key, ...(webhook_secret && { webhook_secret }) },
  });

describe('verifyPaystackCallback', () => {
  it('has test vectors', () => {
    expect(VECTORS.length).toBe(12);
  });

  it.each(VECTORS)('judges the vector $id as $expected, like node:crypto', (vector) => {
    const digest = createHmac('sha512', vector.secret).update(Buffer.from(vector.body_base64, 'base64')).digest('hex');
    expect(verify(vector, vector.secret)).toBe(vector.expected === 'valid');
    expect(digest === vector.headers['x-paystack-signature']).toBe(vector.expected === 'valid');
  });

  const valid = VECTORS.find(({ id }) => id === 'paystack-valid')!;

  it.each<[string, string | string[] | undefined, boolean]>([
    ['a former key', valid.secret, true],
    ['one of several former keys', ['sk_test_older', valid.secret], true],
    ['none of the former keys', ['sk_test_older', 'sk_test_oldest'], false],
    ['no key that we have', undefined, false],
  ])('judges a signature made with %s', (_, former, expected) => {
    expect(verify(valid, 'sk_test_new', former)).toBe(expected);
  });

  it('rejects an empty signature, and an empty body', () => {
    expect(verify({ ...valid, headers: { 'x-paystack-signature': '' } }, valid.secret)).toBe(false);
    const empty = { 'x-paystack-signature': createHmac('sha512', valid.secret).update('').digest('hex') };
    expect(verify({ ...valid, body_base64: '', headers: empty }, valid.secret)).toBe(false);
  });
});

describe('parsePaystackCallback', () => {
  const KEYS = { org_id: 'org_1', connection_id: 'conn_1', payment_id: 'pay_1' };
  const REFERENCE = 'att-01jc0000000000000000000001';
  const OURS = 'att_01jc0000000000000000000001';
  const event = (type: string, data: unknown) => callback(Buffer.from(JSON.stringify({ event: type, data })));

  it('reads a charge with its routing ids', () => {
    expect(parsePaystackCallback(callback(Buffer.from(JSON.stringify(chargeSuccess))))).toEqual([
      {
        eventId: `charge.success:302961:${REFERENCE}:success:10000`,
        type: 'charge.success',
        subject: { kind: 'payment', reference: REFERENCE, ourId: OURS },
        routing: chargeSuccess.data.metadata,
      },
    ]);
  });

  it('reads the charge of a refund, whose refunds are then read', () => {
    expect(parsePaystackCallback(callback(Buffer.from(JSON.stringify(refundProcessed))))).toEqual([
      {
        eventId: `refund.processed:TRF_54x38:${REFERENCE}:processed:10000`,
        type: 'refund.processed',
        subject: { kind: 'payment', reference: REFERENCE, ourId: OURS, includesRefunds: true },
        routing: {},
      },
    ]);
  });

  it.each<[string, object, object]>([
    ['charge.success', { id: 1, reference: 'shop-7' }, { kind: 'payment', reference: 'shop-7' }],
    ['charge.failed', { id: 1, reference: REFERENCE }, { kind: 'payment', reference: REFERENCE, ourId: OURS }],
    ...['pending', 'processing', 'processed', 'failed', 'needs-attention'].map((status): [string, object, object] => [
      `refund.${status}`,
      { transaction_reference: 'shop-7', amount: 5 },
      { kind: 'payment', reference: 'shop-7', includesRefunds: true },
    ]),
  ])('reads the subject of %s with %j as %j', (type, data, subject) => {
    expect(parsePaystackCallback(event(type, data))[0]).toMatchObject({ type, subject });
    expect(parsePaystackCallback(event(type, data))[0]?.subject).toEqual(subject);
  });

  it.each([
    'bank.transfer.rejected',
    'preauthorization.success',
    'transfer.success',
    'subscription.create',
    'a.type.of.the.future',
  ])('ignores the event %s, whatever it contains', (type) => {
    for (const data of [null, undefined, { reference: REFERENCE }])
      expect(parsePaystackCallback(event(type, data))[0]).toMatchObject({
        type,
        subject: { kind: 'ignored' },
        routing: {},
      });
  });

  it.each<[string, unknown, object]>([
    ['an object', KEYS, KEYS],
    ['an object as text', JSON.stringify(KEYS), KEYS],
    ['some of our keys', { payment_id: 'pay_1', custom_fields: [] }, { payment_id: 'pay_1' }],
    ['keys that are no text', { payment_id: 7, org_id: { a: 1 }, connection_id: '' }, {}],
    ['0', 0, {}],
    ['an empty text', '', {}],
    ['a text of something else', 'hello', {}],
    ['null', null, {}],
    ['nothing', undefined, {}],
  ])('takes the routing ids from the metadata %s', (_, metadata, routing) => {
    expect(parsePaystackCallback(event('charge.success', { reference: REFERENCE, metadata }))[0]?.routing).toEqual(
      routing,
    );
  });

  it('gives different events different ids', () => {
    const ids = [
      event('refund.pending', { transaction_reference: 'a', amount: '5' }),
      event('refund.pending', { transaction_reference: 'a', amount: '6' }),
      event('refund.processed', { transaction_reference: 'a', amount: '5' }),
      event('charge.success', { id: 1, reference: 'a', status: 'success' }),
      event('charge.success', { id: 2, reference: 'a', status: 'success' }),
    ].map((each) => parsePaystackCallback(each)[0]?.eventId);
    expect(new Set(ids).size).toBe(ids.length);
    expect(
      parsePaystackCallback(event('charge.success', { reference: 'a'.repeat(200), status: 'b'.repeat(200) }))[0]
        ?.eventId.length,
    ).toBeLessThanOrEqual(255);
  });

  it.each([
    '',
    'hello',
    'null',
    '[]',
    '{}',
    '{"event":""}',
    '{"event":"charge.success"}',
    '{"event":"charge.success","data":null}',
    '{"event":"charge.success","data":{"reference":7}}',
    '{"event":"refund.processed","data":{"reference":"a"}}',
  ])('rejects a body that is not an event: %s', (body) => {
    expect(() => parsePaystackCallback(callback(Buffer.from(body)))).toThrow(
      expect.objectContaining({ name: 'PspRefused', kind: 'request' }),
    );
  });
});
