import { createHmac, timingSafeEqual } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { parseFlutterwaveCallback, verifyFlutterwaveCallback } from '#shared/psp/flutterwave/webhooks.ts';
import file from '#test/fixtures/webhook-vectors.json' with { type: 'json' };

type Vector = {
  psp: string;
  id: string;
  scheme: string;
  secret: string;
  headers: Record<string, string | undefined>;
  body_base64: string;
  expected: string;
};
const VECTORS = (file.vectors as unknown as Vector[]).filter(({ psp }) => psp === 'flutterwave');

const callback = (rawBody: Buffer, headers: Record<string, string | undefined> = {}) => ({
  rawBody,
  headers,
  query: {},
});
const verify = (vector: Vector, webhook_secret: string | string[] = vector.secret) =>
  verifyFlutterwaveCallback(callback(Buffer.from(vector.body_base64, 'base64'), vector.headers), {
    credentials: { secret_key: 'FLWSECK_TEST-1-X', webhook_secret },
  });

/** Both schemes as the documentation words them, without the code under test. */
function documented({ scheme, secret, headers, body_base64 }: Vector): boolean {
  const v3 = scheme === 'flutterwave-v3-verif-hash';
  const given = Buffer.from((v3 ? headers['verif-hash'] : headers['flutterwave-signature']) ?? '');
  const right = Buffer.from(
    v3 ? secret : createHmac('sha256', secret).update(Buffer.from(body_base64, 'base64')).digest('base64'),
  );
  return given.length === right.length && timingSafeEqual(given, right);
}

describe('verifyFlutterwaveCallback', () => {
  it('has test vectors', () => {
    expect(VECTORS.length).toBe(16);
  });

  it.each(VECTORS)('judges the vector $id as $expected, like the documentation', (vector) => {
    expect(verify(vector)).toBe(vector.expected === 'valid');
    expect(documented(vector)).toBe(vector.expected === 'valid');
  });

  it.each(['flutterwave-v3-valid', 'flutterwave-v4-valid'])('accepts any of the secrets during rotation: %s', (id) => {
    const valid = VECTORS.find((vector) => vector.id === id)!;
    expect(verify(valid, ['old', valid.secret])).toBe(true);
    expect(verify(valid, ['old', 'older'])).toBe(false);
  });

  it('rejects every callback without a secret', () => {
    for (const headers of [
      {},
      { 'verif-hash': '' },
      { 'flutterwave-signature': createHmac('sha256', '').update('{}').digest('base64') },
    ]) {
      const credentials = { secret_key: 'FLWSECK_TEST-1-X', webhook_secret: '' };
      expect(verifyFlutterwaveCallback(callback(Buffer.from('{}'), headers), { credentials })).toBe(false);
    }
  });
});

describe('parseFlutterwaveCallback', () => {
  const KEYS = { org_id: 'org_1', connection_id: 'conn_1', payment_id: 'pay_1' };
  const read = (body: unknown) => parseFlutterwaveCallback(callback(Buffer.from(JSON.stringify(body))));

  it.each([
    ['successful', 285959875],
    ['failed', '285959875'],
  ])('reads an event of a charge that is %s with its transaction and our attempt', (status, id) => {
    expect(
      read({ event: 'charge.completed', data: { id, tx_ref: 'att_1', status, amount: 100 }, meta_data: KEYS }),
    ).toEqual([
      {
        eventId: `285959875:${status}`,
        type: 'charge.completed',
        subject: { kind: 'payment', reference: '285959875', ourId: 'att_1' },
        routing: KEYS,
      },
    ]);
  });

  it.each([
    ['tx_id', 7, '7'],
    ['transaction_id', '7', '7'],
    ['TransactionId', 7, '7'],
    ['nothing', 7, null],
  ])('reads the charge of a refund from %s', (name, id, paymentReference) => {
    expect(read({ event: 'refund.completed', data: { id: 8612, status: 'completed', [name]: id } })).toEqual([
      {
        eventId: 'refund:8612:completed',
        type: 'refund.completed',
        subject: { kind: 'refund', reference: '8612', paymentReference },
        routing: {},
      },
    ]);
  });

  it('reads only our attempt from the v4 form', () => {
    expect(
      read({
        webhook_id: 'wbk_1',
        timestamp: 1,
        type: 'charge.completed',
        data: { id: 'chg_1', reference: 'att_1', meta: KEYS },
      }),
    ).toEqual([
      {
        eventId: 'wbk_1',
        type: 'charge.completed',
        subject: { kind: 'payment', reference: 'att_1', ourId: 'att_1' },
        routing: KEYS,
      },
    ]);
  });

  const flat = (fields: object) => ({ txRef: 'att_1', flwRef: 'FLW-1', amount: 100, currency: 'NGN', ...fields });

  it.each<[object, string, string]>([
    [
      { id: 10484949, status: 'successful', 'event.type': 'CARD_TRANSACTION' },
      '10484949:successful',
      'CARD_TRANSACTION',
    ],
    [{ id: '7', status: 'failed', 'event.type': 'ACCOUNT_TRANSACTION' }, '7:failed', 'ACCOUNT_TRANSACTION'],
    [{ id: 7, 'event.type': 'MOBILEMONEYGH_TRANSACTION' }, '7:', 'MOBILEMONEYGH_TRANSACTION'],
    [{ id: 7, status: null }, '7:', 'charge'],
    [{ id: 7, status: 'successful', txRef: undefined, tx_ref: 'att_1' }, '7:successful', 'charge'],
  ])('reads the flat form of older accounts: %j', (fields, eventId, type) => {
    const reference = eventId.split(':')[0];
    expect(read(flat(fields))).toEqual([
      { eventId, type, subject: { kind: 'payment', reference, ourId: 'att_1' }, routing: {} },
    ]);
  });

  it.each([
    [{ 'event.type': 'Transfer', transfer: { id: 1, reference: 'x' } }],
    [{ 'event.type': 'SUBSCRIPTION', id: 7 }],
    [{ event: 'transfer.completed', data: { id: 1 } }],
    [{ event: 'subscription.cancelled' }],
    [{ webhook_id: 'wbk_1', type: 'transfer.disburse', data: null }],
  ])('ignores a type that we do not use: %j', (body) => {
    expect(read(body)).toMatchObject([{ subject: { kind: 'ignored' }, routing: {} }]);
  });

  it.each<[string, unknown, object]>([
    ['no metadata', undefined, {}],
    ['null metadata', null, {}],
    ['some of our keys', { payment_id: 'pay_1', other: 'x' }, { payment_id: 'pay_1' }],
    ['keys that are no text', { payment_id: 7, org_id: { a: 1 } }, {}],
    ['metadata that is a list', [], {}],
  ])('takes the routing ids of an event with %s', (_, meta_data, routing) => {
    expect(
      read({ event: 'charge.completed', data: { id: 1, tx_ref: 'att_1', status: 'failed' }, meta_data })[0]?.routing,
    ).toEqual(routing);
  });

  it.each([
    '',
    'hello',
    'null',
    '[]',
    '{}',
    '{"event":7,"data":{}}',
    '{"event":"charge.completed"}',
    '{"event":"charge.completed","data":{"id":1}}',
    '{"event":"charge.completed","data":{"id":{},"tx_ref":"a","status":"failed"}}',
    '{"event":"refund.completed","data":{"status":"completed"}}',
    '{"webhook_id":"wbk_1","type":"charge.completed","data":{"id":"chg_1"}}',
    '{"txRef":"att_1","status":"successful","event.type":"CARD_TRANSACTION"}',
    '{"id":7,"status":"successful","event.type":"CARD_TRANSACTION"}',
    '{"id":{},"txRef":"att_1","status":"successful"}',
    '{"id":7,"status":"successful"}',
    '{"event":7,"id":7,"txRef":"att_1"}',
  ])('rejects a body that is not an event: %s', (body) => {
    expect(() => parseFlutterwaveCallback(callback(Buffer.from(body)))).toThrow(
      expect.objectContaining({ name: 'PspRefused', kind: 'request' }),
    );
  });
});
