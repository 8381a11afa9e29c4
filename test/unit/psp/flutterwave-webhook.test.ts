import { createHmac, timingSafeEqual } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { readFlutterwaveEvent, verifyFlutterwaveEvent } from '#shared/psp/flutterwave/webhook.rules.ts';
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
  verifyFlutterwaveEvent(callback(Buffer.from(vector.body_base64, 'base64'), vector.headers), {
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

describe('the signature of a callback of Flutterwave', () => {
  it('has vectors', () => {
    expect(VECTORS.length).toBe(16);
  });

  it.each(VECTORS)('$id is $expected, as the documentation says', (vector) => {
    expect(verify(vector)).toBe(vector.expected === 'valid');
    expect(documented(vector)).toBe(vector.expected === 'valid');
  });

  it.each(['flutterwave-v3-valid', 'flutterwave-v4-valid'])(
    'may be made with any of the secrets while they are rotated: %s',
    (id) => {
      const valid = VECTORS.find((vector) => vector.id === id)!;
      expect(verify(valid, ['old', valid.secret])).toBe(true);
      expect(verify(valid, ['old', 'older'])).toBe(false);
    },
  );

  it('never fits where there is no secret', () => {
    for (const headers of [
      {},
      { 'verif-hash': '' },
      { 'flutterwave-signature': createHmac('sha256', '').update('{}').digest('base64') },
    ]) {
      const credentials = { secret_key: 'FLWSECK_TEST-1-X', webhook_secret: '' };
      expect(verifyFlutterwaveEvent(callback(Buffer.from('{}'), headers), { credentials })).toBe(false);
    }
  });
});

describe('a callback of Flutterwave', () => {
  const KEYS = { org_id: 'org_1', connection_id: 'conn_1', payment_id: 'pay_1' };
  const read = (body: unknown) => readFlutterwaveEvent(callback(Buffer.from(JSON.stringify(body))));

  it.each([
    ['successful', 285959875],
    ['failed', '285959875'],
  ])('about a charge that is %s concerns that transaction and our attempt', (status, id) => {
    expect(
      read({ event: 'charge.completed', data: { id, tx_ref: 'att_1', status, amount: 100 }, meta_data: KEYS }),
    ).toEqual([
      {
        eventId: `285959875:${status}`,
        type: 'charge.completed',
        subject: { kind: 'payment', reference: '285959875', ours: 'att_1' },
        routing: KEYS,
      },
    ]);
  });

  it.each([
    ['tx_id', 7, '7'],
    ['transaction_id', '7', '7'],
    ['TransactionId', 7, '7'],
    ['nothing', 7, null],
  ])('about a refund names its charge as %s', (name, id, paymentReference) => {
    expect(read({ event: 'refund.completed', data: { id: 8612, status: 'completed', [name]: id } })).toEqual([
      {
        eventId: 'refund:8612:completed',
        type: 'refund.completed',
        subject: { kind: 'refund', reference: '8612', paymentReference },
        routing: {},
      },
    ]);
  });

  it('of the newer form concerns our attempt alone', () => {
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
        subject: { kind: 'payment', reference: 'att_1', ours: 'att_1' },
        routing: KEYS,
      },
    ]);
  });

  it.each([
    [{ event: 'transfer.completed', data: { id: 1 } }],
    [{ event: 'subscription.cancelled' }],
    [{ webhook_id: 'wbk_1', type: 'transfer.disburse', data: null }],
  ])('of a type we do not use is ignored: %j', (body) => {
    expect(read(body)).toMatchObject([{ subject: { kind: 'ignored' }, routing: {} }]);
  });

  it.each<[string, unknown, object]>([
    ['no metadata', undefined, {}],
    ['null metadata', null, {}],
    ['some of our keys', { payment_id: 'pay_1', other: 'x' }, { payment_id: 'pay_1' }],
    ['keys that are no text', { payment_id: 7, org_id: { a: 1 } }, {}],
    ['metadata that is a list', [], {}],
  ])('with %s is routed by what is there', (_, meta_data, routing) => {
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
  ])('is none: %s', (body) => {
    expect(() => readFlutterwaveEvent(callback(Buffer.from(body)))).toThrow(
      expect.objectContaining({ name: 'PspRefused', kind: 'request' }),
    );
  });
});
