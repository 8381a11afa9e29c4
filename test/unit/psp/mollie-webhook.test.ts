import { createHmac } from 'node:crypto';
import {
  InvalidSignatureException,
  SignatureValidator,
} from 'mollie-api-typescript/utils/webhooks/signature_validator.js';
import { describe, expect, it } from 'vitest';
import type { InboundCallback } from '#shared/ports/psp.port.ts';
import { parseMollieCallback, verifyMollieCallback } from '#shared/psp/mollie/webhooks.ts';
import file from '#test/fixtures/webhook-vectors.json' with { type: 'json' };

type Vector = {
  psp: string;
  id: string;
  secrets?: string[];
  headers: { 'x-mollie-signature'?: string };
  body_base64: string;
  expected: string;
};
const VECTORS = (file.vectors as unknown as Vector[]).filter(({ psp }) => psp === 'mollie');
const SIGNED = VECTORS.filter(({ expected }) => expected !== 'unsigned');
const CLASSIC = VECTORS.filter(({ expected }) => expected === 'unsigned');

const QUERY = { org_id: 'org_1', connection_id: 'conn_1', payment_id: 'pay_1' };
const callback = (
  body: Buffer | string,
  headers: InboundCallback['headers'] = {},
  query: InboundCallback['query'] = QUERY,
): InboundCallback => ({
  rawBody: Buffer.from(body),
  headers,
  query,
});
const bodyOf = (vector: Vector) => Buffer.from(vector.body_base64, 'base64');
const verify = (of: InboundCallback, webhook_secret?: string | string[]) =>
  verifyMollieCallback(of, { credentials: { api_key: 'test_1', webhook_secret } });
const digest = (body: Buffer | string, secret: string) => createHmac('sha256', secret).update(body).digest('hex');

describe('verifyMollieCallback for events', () => {
  it('has test vectors', () => {
    expect([SIGNED.length, CLASSIC.length]).toEqual([10, 5]);
  });

  it.each(SIGNED)('judges the vector $id as $expected, like the official library and Web Crypto', async (vector) => {
    const given = vector.headers['x-mollie-signature']?.replace('sha256=', '');
    const fits = vector.secrets!.some((secret) => digest(bodyOf(vector), secret) === given);
    expect(verify(callback(bodyOf(vector), vector.headers), vector.secrets)).toBe(vector.expected === 'valid');
    expect(fits).toBe(vector.expected === 'valid');

    const header = vector.headers['x-mollie-signature'];
    const checked = SignatureValidator.validate(bodyOf(vector).toString(), vector.secrets!, header);
    // The library returns false for a missing header, as for a classic callback. It throws for a wrong one.
    if (vector.expected === 'valid' || header === undefined) expect(await checked).toBe(fits);
    else await expect(checked).rejects.toBeInstanceOf(InvalidSignatureException);
  });

  const event = '{"resource":"event"}';
  it.each<[string, string, string | string[] | undefined, boolean]>([
    ['with the newer of two secrets', `sha256=${digest(event, 'new')}`, ['new', 'old'], true],
    ['with the older of two secrets', `sha256=${digest(event, 'old')}`, ['new', 'old'], true],
    ['twice, of which we know one', `sha256=${digest(event, 'unknown')}, sha256=${digest(event, 'old')}`, 'old', true],
    ['with a secret of nobody', `sha256=${digest(event, 'unknown')}`, ['new', 'old'], false],
    ['where we have no secret', `sha256=${digest(event, '')}`, undefined, false],
    ['with nothing', '', 'new', false],
    ['in capitals', `sha256=${digest(event, 'new').toUpperCase()}`, 'new', false],
    ['in part', `sha256=${digest(event, 'new').slice(0, 63)}`, 'new', false],
    ['by another digest', `sha512=${digest(event, 'new')}`, 'new', false],
  ])('judges a signature made %s', (_, header, secrets, expected) => {
    expect(verify(callback(event, { 'x-mollie-signature': header }), secrets)).toBe(expected);
  });

  it('requires a signature for everything that looks like an event, also after blanks', () => {
    for (const body of ['{}', ' \n{"id":"tr_1"}', '{broken']) expect(verify(callback(body), 'new')).toBe(false);
  });
});

describe('parseMollieCallback for charges', () => {
  it.each(CLASSIC)('accepts the vector $id, which has no signature', (vector) => {
    expect(verify(callback(bodyOf(vector)), 'secret')).toBe(true);
    expect(verify(callback(bodyOf(vector)))).toBe(true);
  });

  it('reads the payment, and the routing ids from the URL', () => {
    const [known] = CLASSIC.filter(({ id }) => id === 'mollie-classic-id');
    const reference = 'tr_5B8cwPMGnU6qLbRvo7qEZo';
    expect(parseMollieCallback(callback(bodyOf(known!)))).toEqual([
      {
        eventId: reference,
        type: 'classic',
        subject: { kind: 'payment', reference, includesRefunds: true },
        routing: QUERY,
      },
    ]);
    expect(parseMollieCallback(callback(bodyOf(known!), {}, {}))[0]?.routing).toEqual({});
  });

  it('reads an unknown payment like any other', () => {
    const [unknown] = CLASSIC.filter(({ id }) => id === 'mollie-classic-unknown-id');
    expect(parseMollieCallback(callback(bodyOf(unknown!)))[0]?.subject).toMatchObject({
      kind: 'payment',
      reference: 'tr_doesnotexist1234',
    });
  });

  it.each(['testByMollie=1', 'id=ord_kEn1PlbGa', 'id=pl_1', 'id=sub_1', 'id=re_1'])('ignores the body %s', (body) => {
    expect(parseMollieCallback(callback(body))[0]?.subject).toEqual({ kind: 'ignored' });
  });

  it.each([
    '',
    'foo=bar',
    'id=',
    'id=tr_',
    'id=TR_1',
    'id=tr_x%2F..%2F..%2Forganizations%2Fme',
    'id=tr_1%3Fx',
    `id=tr_${'1'.repeat(65)}`,
    '[]',
    'null',
    '"tr_1"',
  ])('rejects a body that is not a callback: %s', (body) => {
    expect(() => parseMollieCallback(callback(body))).toThrow(
      expect.objectContaining({ name: 'PspRefused', kind: 'request' }),
    );
  });
});

describe('parseMollieCallback for events', () => {
  const METADATA = { org_id: 'org_2', connection_id: 'conn_2', payment_id: 'pay_2' };
  const event = (type: string, entityId: unknown, entity: unknown = {}) =>
    callback(
      JSON.stringify({
        resource: 'event',
        id: 'event_1',
        type,
        entityId,
        createdAt: '2026-01-01T00:00:00.0Z',
        _embedded: { entity },
      }),
    );

  it.each(['paid', 'authorized', 'failed', 'canceled', 'expired', 'pending', 'a_state_of_the_future'])(
    'reads payment.%s as an event of the payment',
    (state) => {
      const type = `payment.${state}`;
      expect(parseMollieCallback(event(type, 'tr_1', { resource: 'payment', metadata: METADATA }))).toEqual([
        { eventId: 'event_1', type, subject: { kind: 'payment', reference: 'tr_1' }, routing: METADATA },
      ]);
    },
  );

  it.each(['queued', 'pending', 'processing', 'refunded', 'failed', 'canceled'])(
    'reads refund.%s as an event of the refund, with our id',
    (state) => {
      const type = `refund.${state}`;
      const [reading] = parseMollieCallback(
        event(type, 're_1', { paymentId: 'tr_1', metadata: { ...METADATA, refund_id: 're_ours' } }),
      );
      expect(reading).toEqual({
        eventId: 'event_1',
        type,
        subject: { kind: 'refund', reference: 're_1', paymentReference: 'tr_1', ourId: 're_ours' },
        routing: METADATA,
      });
    },
  );

  it.each(['succeeded', 'failed'])('reads capture.%s as an event of the capture, with our id', (state) => {
    const entity = { resource: 'capture', paymentId: 'tr_1', metadata: { ...METADATA, capture_id: 'cap_ours' } };
    const subject = { kind: 'capture', reference: 'cpt_1', paymentReference: 'tr_1', ourId: 'cap_ours' };
    const type = `capture.${state}`;
    expect(parseMollieCallback(event(type, 'cpt_1', entity))).toEqual([
      { eventId: 'event_1', type, subject, routing: METADATA },
    ]);
    expect(() => parseMollieCallback(event(type, 're_1', entity))).toThrow(
      expect.objectContaining({ kind: 'request' }),
    );
  });

  it('reads a refund that was made elsewhere without our id', () => {
    expect(
      parseMollieCallback(event('refund.refunded', 're_1', { paymentId: 'tr_1', metadata: null }))[0],
    ).toMatchObject({
      subject: { kind: 'refund', reference: 're_1', paymentReference: 'tr_1' },
      routing: QUERY,
    });
  });

  it.each<[string, unknown]>([
    ['nothing embedded', undefined],
    ['null', null],
    ['metadata that are a text', { metadata: 'x' }],
    ['metadata of other keys', { metadata: { order: 7 } }],
    ['keys that are no text', { metadata: { payment_id: 7, org_id: {} } }],
  ])('takes the routing ids from the URL for an event with %s', (_, entity) => {
    expect(parseMollieCallback(event('payment.paid', 'tr_1', entity))[0]).toMatchObject({
      subject: { reference: 'tr_1' },
      routing: QUERY,
    });
    expect(parseMollieCallback(event('refund.failed', 're_1', entity))[0]).toMatchObject({
      subject: { reference: 're_1', paymentReference: null },
    });
  });

  it.each([
    'payment-link.paid',
    'payout.completed',
    'sales-invoice.paid',
    'balance-transaction.created',
    'a.type.of.the.future',
  ])('ignores the event %s', (type) => {
    expect(parseMollieCallback(event(type, 'pl_1'))).toEqual([
      { eventId: 'event_1', type, subject: { kind: 'ignored' }, routing: {} },
    ]);
  });

  it.each([
    '{broken',
    '{}',
    '{"resource":"event"}',
    '{"resource":"payment","id":"tr_1","type":"payment.paid","entityId":"tr_1"}',
    '{"resource":"event","id":"event_1","type":"payment.paid"}',
    '{"resource":"event","id":"event_1","type":"payment.paid","entityId":"re_1"}',
    '{"resource":"event","id":"event_1","type":"payment.paid","entityId":"tr_1/../x"}',
    '{"resource":"event","id":"event_1","type":"refund.failed","entityId":"tr_1"}',
  ])('rejects a body that is not a callback: %s', (body) => {
    expect(() => parseMollieCallback(callback(body))).toThrow(
      expect.objectContaining({ name: 'PspRefused', kind: 'request' }),
    );
  });
});
