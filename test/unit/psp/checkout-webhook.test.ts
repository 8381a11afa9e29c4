import { createHmac } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { parseCheckoutCallback, verifyCheckoutCallback } from '#shared/psp/checkout/webhooks.ts';
import file from '#test/fixtures/webhook-vectors.json' with { type: 'json' };

type Vector = {
  psp: string;
  id: string;
  secret: string;
  headers: { 'cko-signature'?: string };
  body_base64: string;
  expected: string;
};
const VECTORS = (file.vectors as unknown as Vector[]).filter(({ psp }) => psp === 'checkout');
const CREDENTIALS = { secret_key: 'sk_sbox_1', processing_channel_id: 'pc_1', host_prefix: 'demo1234' };

const callback = (rawBody: Buffer, headers: Record<string, string | undefined> = {}) => ({
  rawBody,
  headers,
  query: {},
});
const bytesOf = ({ body_base64 }: Vector) => Buffer.from(body_base64, 'base64');
const verify = (vector: Vector, webhook_secret: string | string[] = vector.secret, headers = vector.headers) =>
  verifyCheckoutCallback(callback(bytesOf(vector), headers), { credentials: { ...CREDENTIALS, webhook_secret } });

/** There is no official verifier: this is the documented rule, written down a second time. */
const independently = (vector: Vector): boolean =>
  vector.headers['cko-signature'] === createHmac('sha256', vector.secret).update(bytesOf(vector)).digest('hex');

describe('verifyCheckoutCallback', () => {
  it('has test vectors', () => {
    expect([VECTORS.length, VECTORS.filter(({ expected }) => expected === 'valid').length]).toEqual([12, 5]);
  });

  it.each(VECTORS)('judges the vector $id as $expected', (vector) => {
    expect([verify(vector), independently(vector)]).toEqual([vector.expected === 'valid', vector.expected === 'valid']);
  });

  const valid = VECTORS.find(({ id }) => id === 'checkout-valid')!;
  it('accepts any of the secrets during rotation', () => {
    expect(verify(valid, ['another-key', valid.secret])).toBe(true);
    expect(verify(valid, ['another-key', 'a-third-key'])).toBe(false);
  });

  it.each([
    ['empty', ''],
    ['cut short', valid.headers['cko-signature']!.slice(0, 63)],
    ['of another letter case', valid.headers['cko-signature']!.toUpperCase()],
    ['followed by more', `${valid.headers['cko-signature']} `],
  ])('rejects a signature that is %s', (_, signature) => {
    expect(verify(valid, valid.secret, { 'cko-signature': signature })).toBe(false);
  });

  it('rejects the signature of an empty body', () => {
    const signature = createHmac('sha256', valid.secret).update('').digest('hex');
    const empty = callback(Buffer.alloc(0), { 'cko-signature': signature });
    expect(verifyCheckoutCallback(empty, { credentials: { ...CREDENTIALS, webhook_secret: valid.secret } })).toBe(
      false,
    );
  });
});

describe('parseCheckoutCallback', () => {
  const KEYS = { org_id: 'org_1', connection_id: 'conn_1', payment_id: 'pay_1' };
  const ATTEMPT = 'att_01jc0000000000000000000001';
  const REFUND = 're_01jc0000000000000000000001';
  const event = (type: string, data: unknown) =>
    callback(Buffer.from(JSON.stringify({ id: 'evt_1', type, version: '1.0.0', data })));

  it.each([
    'payment_approved',
    'payment_declined',
    'payment_authentication_failed',
    'payment_expired',
    'payment_canceled',
    'payment_captured',
    'payment_capture_declined',
    'payment_voided',
    'payment_void_declined',
  ])('reads %s as an event of the payment and of the attempt in its reference', (type) => {
    const data = { id: 'pay_mbabizu24mvu3mela5njyhpit4', action_id: 'act_1', metadata: KEYS };
    const subject = { kind: 'payment', reference: data.id };
    expect(parseCheckoutCallback(event(type, { ...data, reference: ATTEMPT }))).toEqual([
      { eventId: 'evt_1', type, subject: { ...subject, ourId: ATTEMPT }, routing: KEYS },
    ]);
    expect(parseCheckoutCallback(event(type, { ...data, reference: 'ORDER-7' }))[0]?.subject).toEqual(subject);
  });

  it.each(['payment_refunded', 'payment_refund_declined'])(
    'reads %s as an event of the action and of the refund in its reference',
    (type) => {
      const data = { id: 'pay_mbabizu24mvu3mela5njyhpit4', action_id: 'act_1', metadata: KEYS };
      const subject = { kind: 'refund', reference: 'act_1', paymentReference: data.id };
      expect(parseCheckoutCallback(event(type, { ...data, reference: REFUND }))).toEqual([
        { eventId: 'evt_1', type, subject: { ...subject, ourId: REFUND }, routing: KEYS },
      ]);
      expect(parseCheckoutCallback(event(type, { ...data, reference: ATTEMPT }))[0]?.subject).toEqual(subject);
    },
  );

  it.each([
    'payment_pending',
    'payment_capture_pending',
    'payment_refund_pending',
    'payment_returned',
    'card_verified',
    'dispute_evidence_acknowledged_by_scheme',
    'constructor',
  ])('ignores the event %s, whatever it contains', (type) => {
    expect(parseCheckoutCallback(event(type, null))).toEqual([
      { eventId: 'evt_1', type, subject: { kind: 'ignored' }, routing: {} },
    ]);
  });

  it('ignores an event that is known to be invalid JSON', () => {
    const broken = callback(
      Buffer.from(
        '{"id":"evt_1","type":"authentication_failed","created_on":"2026-01-01T00:00:00Z",\uFFFD "reason":"x"}}',
      ),
    );
    expect(parseCheckoutCallback(broken)).toMatchObject([
      { type: 'authentication_failed', subject: { kind: 'ignored' } },
    ]);
  });

  it.each<[string, unknown, object]>([
    ['no metadata', undefined, {}],
    ['null metadata', null, {}],
    ['some of our keys', { payment_id: 'pay_1', other: 'x' }, { payment_id: 'pay_1' }],
    ['keys that are no text', { payment_id: 7, org_id: { a: 1 } }, {}],
  ])('takes the routing ids of an event with %s', (_, metadata, routing) => {
    expect(parseCheckoutCallback(event('payment_captured', { id: 'pay_1', metadata }))[0]?.routing).toEqual(routing);
  });

  it.each(['payment_captured', 'payment_capture_declined'])('reads %s as an event of our capture', (type) => {
    const id = 'cap_01jc0000000000000000000001';
    const data = { id: 'pay_mbabizu24mvu3mela5njyhpit4', action_id: 'act_1', reference: id, metadata: KEYS };
    expect(parseCheckoutCallback(event(type, data))[0]?.subject).toEqual({
      kind: 'capture',
      reference: 'act_1',
      paymentReference: data.id,
      ourId: id,
    });
  });

  it.each([
    '',
    'hello',
    'null',
    '[]',
    '{}',
    '{"id":"evt_1"}',
    '{"id":"evt_1","type":"payment_captured"}',
    '{"id":"evt_1","type":"payment_captured","data":{"id":"act_1"}}',
    '{"id":"evt_1","type":"payment_captured","data":{"id":"pay_1/../x"}}',
    '{"id":"evt_1","type":"payment_refunded","data":{"id":"pay_1"}}',
    '{"id":"evt_1","type":"payment_captured","data":{"id":"pay_1"}',
  ])('rejects a body that is not an event: %s', (body) => {
    expect(() => parseCheckoutCallback(callback(Buffer.from(body)))).toThrow(
      expect.objectContaining({ name: 'PspRefused', kind: 'request' }),
    );
  });
});
