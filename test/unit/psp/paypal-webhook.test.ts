import { createVerify, sign, X509Certificate } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { PspNotSent, PspOutcomeUnknown, type PspRequest } from '#shared/ports/psp.port.ts';
import { parseCertificateUrl } from '#shared/psp/paypal/certificates.ts';
import { parsePaypalCallback, verifyPaypalCallback } from '#shared/psp/paypal/webhooks.ts';
import capture from '#test/fixtures/paypal/capture.json' with { type: 'json' };
import chain from '#test/fixtures/paypal/certificate-chain.json' with { type: 'json' };
import order from '#test/fixtures/paypal/order-approved.json' with { type: 'json' };
import refund from '#test/fixtures/paypal/refund.json' with { type: 'json' };
import file from '#test/fixtures/webhook-vectors.json' with { type: 'json' };

type Headers = Record<string, string | undefined>;
type Vector = { psp: string; id: string; webhook_id: string; headers: Headers; body_base64: string; expected: string };
const VECTORS = (file.vectors as unknown as Vector[]).filter(({ psp }) => psp === 'paypal');
const TEST_CERTIFICATE = file.paypal_test_cert_pem;

const callback = (rawBody: Buffer, headers: Headers = {}) => ({ rawBody, headers, query: {} });
type Answer = { readonly status?: number; readonly text?: string } | Error;

type Setting = {
  webhook?: string | string[];
  merchant_id?: string;
  roots?: readonly string[];
  now?: string;
  answer?: Answer;
};

/** PayPal as a verification sees it: one response at the URL of the certificate. */
function psp({
  webhook = '1JE4291016473214C',
  merchant_id,
  roots = [TEST_CERTIFICATE],
  now = '2026-12-01T00:00:00Z',
  answer = { text: TEST_CERTIFICATE },
}: Setting) {
  const sent: PspRequest[] = [];
  return {
    sent,
    credentials: { client_id: 'client-id', client_secret: 'client-secret', webhook_secret: webhook, merchant_id },
    now: () => new Date(now),
    rootCertificates: () => roots,
    send: async (request: PspRequest) => {
      sent.push(request);
      if (answer instanceof Error) throw answer;
      return { status: answer.status ?? 200, headers: {}, text: answer.text ?? '' };
    },
  };
}

describe('verifyPaypalCallback', () => {
  it('has test vectors', () => {
    expect(VECTORS.length).toBe(17);
  });

  /** The same by other means of the runtime, put together from the vector alone. */
  function independently({ headers, body_base64, webhook_id }: Vector): boolean {
    const host = new URL(headers['paypal-cert-url'] ?? 'http://x').host;
    if (
      !/^https:/.test(headers['paypal-cert-url'] ?? '') ||
      !/(^|\.)paypal\.com$/.test(host) ||
      headers['paypal-auth-algo'] !== 'SHA256withRSA'
    )
      return false;
    const checksum = crc32(Buffer.from(body_base64, 'base64')) >>> 0;
    const message = [headers['paypal-transmission-id'], headers['paypal-transmission-time'], webhook_id, checksum].join(
      '|',
    );
    const key = new X509Certificate(TEST_CERTIFICATE).publicKey.export({ type: 'spki', format: 'pem' });
    return createVerify('RSA-SHA256')
      .update(message)
      .verify(key, headers['paypal-transmission-sig'] ?? '', 'base64');
  }

  it.each(VECTORS)('judges the vector $id as $expected', async (vector) => {
    const verified = await verifyPaypalCallback(
      callback(Buffer.from(vector.body_base64, 'base64'), vector.headers),
      psp({ webhook: vector.webhook_id }),
    );
    expect(verified).toBe(vector.expected === 'valid');
    expect(independently(vector)).toBe(verified);
  });

  const valid = VECTORS.find(({ id }) => id === 'paypal-valid')!;
  const body = Buffer.from(valid.body_base64, 'base64');
  const at = (name: string) => `https://api.paypal.com/v1/notifications/certs/CERT-${name}`;
  const verify = (setting: Setting, headers: Headers = {}) =>
    verifyPaypalCallback(callback(body, { ...valid.headers, ...headers }), psp(setting));

  it('accepts any of the webhooks while one replaces another', async () => {
    expect(await verify({ webhook: ['OLD', valid.webhook_id] })).toBe(true);
    expect(await verify({ webhook: ['OLD', 'OLDER'] })).toBe(false);
  });

  it('rejects an empty body', async () => {
    expect(await verifyPaypalCallback(callback(Buffer.alloc(0), valid.headers), psp({}))).toBe(false);
  });

  it.each([
    'paypal-transmission-id',
    'paypal-transmission-time',
    'paypal-transmission-sig',
    'paypal-cert-url',
    'paypal-auth-algo',
  ])('requires the header %s', async (name) => {
    expect(await verify({}, { [name]: undefined })).toBe(false);
  });

  it.each([
    ['https://api.paypal.com/v1/notifications/certs/CERT-1', true],
    ['https://api.sandbox.paypal.com/v1/notifications/certs/CERT-1', true],
    ['https://paypal.com/v1/notifications/certs/CERT-1', true],
    ['https://evilpaypal.com/v1/notifications/certs/CERT-1', false],
    ['https://paypal.com.evil.example/v1/notifications/certs/CERT-1', false],
    ['https://api.paypal.com:8443/v1/notifications/certs/CERT-1', false],
    ['https://a:b@api.paypal.com/v1/notifications/certs/CERT-1', false],
    ['https://api.paypal.com/v1/notifications/certs/CERT-1?x=1', false],
    ['https://api.paypal.com/v1/notifications/certs/../../elsewhere', false],
    ['https://www.paypal.com/anything', false],
    ['http://api.paypal.com/v1/notifications/certs/CERT-1', false],
    ['nothing', false],
  ])('fetches a certificate from %s: %s, and from nowhere else', async (url, expected) => {
    const setting = psp({ answer: { status: 404 } });
    expect(parseCertificateUrl(url) !== undefined).toBe(expected);
    expect(await verifyPaypalCallback(callback(body, { ...valid.headers, 'paypal-cert-url': url }), setting)).toBe(
      false,
    );
    expect(setting.sent.length).toBe(expected ? 1 : 0);
  });

  it('fetches one certificate, however its URL is written', async () => {
    const setting = psp({});
    for (const url of [
      'https://api.paypal.com/v1/notifications/certs/CERT-same',
      'HTTPS://API.PayPal.com/v1/notifications/certs/CERT-same',
      'https://api.paypal.com:443/v1/notifications/certs/CERT-same',
    ])
      expect(await verifyPaypalCallback(callback(body, { ...valid.headers, 'paypal-cert-url': url }), setting)).toBe(
        true,
      );
    expect(setting.sent.length).toBe(1);
  });

  it('fetches a certificate without our credentials, and only once', async () => {
    const setting = psp({});
    const signed = callback(body, { ...valid.headers, 'paypal-cert-url': at('once') });
    expect(await verifyPaypalCallback(signed, setting)).toBe(true);
    expect(await verifyPaypalCallback(signed, setting)).toBe(true);
    expect(setting.sent).toMatchObject([
      { operation: 'certificate', method: 'GET', host: 'api.paypal.com', path: '/v1/notifications/certs/CERT-once' },
    ]);
    expect(setting.sent[0]?.headers).not.toHaveProperty('authorization');
  });

  it.each<[string, Answer, unknown]>([
    ['not reached', new PspNotSent('unreachable', 'Not reached.'), PspNotSent],
    ['not received', new PspOutcomeUnknown('No response.'), PspOutcomeUnknown],
    ['turned away', { status: 429 }, PspNotSent],
    ['failing', { status: 503 }, PspOutcomeUnknown],
    ['a page', { text: '<html>' }, PspOutcomeUnknown],
    ['a broken certificate', { text: TEST_CERTIFICATE.replace(/MII/, 'AAA') }, PspOutcomeUnknown],
    ['elsewhere', { status: 302 }, PspOutcomeUnknown],
  ])('throws while the certificate is %s, so that PayPal sends again', async (what, answer, type) => {
    await expect(verify({ answer }, { 'paypal-cert-url': at(what.replaceAll(' ', '-')) })).rejects.toBeInstanceOf(type);
  });

  it.each([
    ['before the certificate is valid', '2026-11-27T00:00:00Z'],
    ['after it was', '2127-01-01T00:00:00Z'],
  ])('rejects a signature %s', async (_, now) => {
    expect(await verify({ now })).toBe(false);
  });

  it('rejects a certificate of an unknown authority', async () => {
    expect(await verify({ roots: [] })).toBe(false);
    expect(await verify({ roots: ['no certificate'] })).toBe(false);
  });

  it('rejects an event of another account if the connection names its own', async () => {
    const event = Buffer.from(
      JSON.stringify({
        id: 'WH-1',
        event_type: 'PAYMENT.CAPTURE.COMPLETED',
        resource: { ...capture, payee: { merchant_id: 'THEIRS' } },
      }),
    );
    const setting = psp({ merchant_id: 'OURS' });
    expect(await verifyPaypalCallback(callback(event, valid.headers), setting)).toBe(false);
    expect(setting.sent).toEqual([]);
  });
});

describe('the certificate chain of PayPal', () => {
  const {
    root,
    middle,
    leaf,
    impostor,
    stranger,
    short,
    'under-short': underShort,
    'named-beside': namedBeside,
    other,
  } = chain.certificates;
  const [soon, later] = ['2026-01-15T00:00:00Z', '2026-02-15T00:00:00Z'];

  it.each<[string, keyof typeof chain.keys, string, readonly string[], string, boolean]>([
    ['a leaf, with the authority between it and the root', 'leaf', leaf + middle, [root], soon, true],
    ['a leaf whose authority is a root itself', 'leaf', leaf, [stranger, middle], soon, true],
    ['a leaf that is among the roots', 'leaf', leaf, [leaf], soon, true],
    ['what comes along in another order', 'leaf', leaf + stranger + middle, [root], soon, true],
    ['a leaf without the authority between', 'leaf', leaf, [root], soon, false],
    ['a leaf of an authority that nobody knows', 'leaf', leaf + middle, [stranger], soon, false],
    ['a root that PayPal brings itself', 'leaf', leaf + middle + root, [stranger], soon, false],
    ['what a leaf has signed', 'impostor', impostor + leaf + middle, [root], soon, false],
    ['an authority that is still in its time', 'under-short', underShort + short, [root], soon, true],
    ['a leaf that is named in another place', 'named-beside', namedBeside + middle, [root], soon, true],
    ['a leaf in another’s name, of an authority that counts', 'other', other + middle, [root], soon, false],
    ['an authority whose time is over', 'under-short', underShort + short, [root], later, false],
  ])('%s', async (what, signer, text, roots, now, expected) => {
    const body = Buffer.from('{"id":"WH-1"}');
    const message = `tx|2026-01-01T00:00:00Z|WEBHOOK|${crc32(body)}`;
    const signature = sign('sha256', Buffer.from(message), chain.keys[signer]);
    const headers = {
      'paypal-transmission-id': 'tx',
      'paypal-transmission-time': '2026-01-01T00:00:00Z',
      'paypal-transmission-sig': signature.toString('base64'),
      'paypal-cert-url': `https://api.paypal.com/v1/notifications/certs/CERT-${what.replaceAll(/\W/g, '-')}`,
      'paypal-auth-algo': 'SHA256withRSA',
    };
    expect(
      await verifyPaypalCallback(callback(body, headers), psp({ webhook: 'WEBHOOK', roots, now, answer: { text } })),
    ).toBe(expected);
  });
});

describe('parsePaypalCallback', () => {
  const [org_id, connection_id, payment_id] = capture.custom_id.split('|');
  const KEYS = { org_id, connection_id, payment_id };
  const event = (event_type: string, resource_type: string, resource: unknown) =>
    callback(
      Buffer.from(
        JSON.stringify({
          id: 'WH-1',
          event_version: '1.0',
          resource_version: '2.0',
          event_type,
          resource_type,
          resource,
        }),
      ),
    );
  const ofOrder = { kind: 'payment', reference: order.id, ourId: capture.invoice_id };
  const ofCapture = { kind: 'payment', reference: capture.id, ourId: capture.invoice_id };
  const ofRefund = { kind: 'refund', reference: refund.id, paymentReference: capture.id, ourId: refund.invoice_id };

  it.each<[string, string, object, object]>([
    ['CHECKOUT.ORDER.APPROVED', 'checkout-order', order, ofOrder],
    ['CHECKOUT.ORDER.COMPLETED', 'checkout-order', order, ofOrder],
    ['CHECKOUT.ORDER.VOIDED', 'checkout-order', order, ofOrder],
    ['PAYMENT.CAPTURE.COMPLETED', 'capture', capture, ofCapture],
    ['PAYMENT.CAPTURE.PENDING', 'capture', capture, ofCapture],
    ['PAYMENT.CAPTURE.DENIED', 'capture', capture, ofCapture],
    ['PAYMENT.CAPTURE.DECLINED', 'capture', capture, ofCapture],
    ['PAYMENT.CAPTURE.REFUNDED', 'refund', refund, ofRefund],
    ['PAYMENT.CAPTURE.REVERSED', 'refund', refund, ofRefund],
    ['PAYMENT.CAPTURE.REVERSED', 'capture', capture, ofCapture],
    ['PAYMENT.REFUND.PENDING', 'refund', refund, ofRefund],
    ['PAYMENT.REFUND.FAILED', 'refund', refund, ofRefund],
    ['PAYMENT.REFUND.COMPLETED', 'refund', refund, ofRefund],
  ])('reads the subject of the event %s about a %s', (type, resourceType, resource, subject) => {
    expect(parsePaypalCallback(event(type, resourceType, resource))).toEqual([
      { eventId: 'WH-1', type, subject, routing: KEYS },
    ]);
  });

  it.each([
    'CUSTOMER.DISPUTE.ESCALATED',
    'CHECKOUT.PAYMENT-APPROVAL.REVERSED',
    'PAYMENT.SALE.COMPLETED',
    'A.TYPE.OF.THE.FUTURE',
  ])('ignores the event %s, whatever it contains', (type) => {
    expect(parsePaypalCallback(event(type, 'dispute', null))).toEqual([
      { eventId: 'WH-1', type, subject: { kind: 'ignored' }, routing: {} },
    ]);
  });

  it('reads the events of a charge that is captured later by its order', () => {
    const related = {
      supplementary_data: { related_ids: { order_id: order.id, authorization_id: '0VF52814937998046' } },
    };
    const subjectOf = (type: string, resourceType: string, resource: object) =>
      parsePaypalCallback(event(type, resourceType, { ...resource, ...related }))[0]?.subject;
    const authorization = { id: '0VF52814937998046', custom_id: capture.custom_id, invoice_id: capture.invoice_id };
    expect(subjectOf('PAYMENT.AUTHORIZATION.VOIDED', 'authorization', authorization)).toEqual({
      kind: 'payment',
      reference: order.id,
      ourId: capture.invoice_id,
    });
    const ours = { ...capture, invoice_id: 'cap_01jc0000000000000000000001' };
    expect(subjectOf('PAYMENT.CAPTURE.COMPLETED', 'capture', ours)).toEqual({
      kind: 'capture',
      reference: capture.id,
      paymentReference: order.id,
      ourId: 'cap_01jc0000000000000000000001',
    });
    expect(subjectOf('PAYMENT.CAPTURE.COMPLETED', 'capture', { ...capture, invoice_id: 'order-7' })).toEqual({
      kind: 'payment',
      reference: order.id,
    });
  });

  it.each<[string, object, object, object]>([
    ['no label', { custom_id: undefined, invoice_id: undefined }, {}, { ourId: undefined }],
    ["a merchant's own label", { custom_id: 'order 7' }, {}, { ourId: capture.invoice_id }],
    ['a label of more parts', { custom_id: 'a|b|c|d' }, {}, {}],
    ['a label with nothing in it', { custom_id: '||' }, {}, {}],
    ['a label that is no text', { custom_id: 7 }, {}, {}],
    ['commas, as refunds have them', { custom_id: 'o,c,p' }, { org_id: 'o', connection_id: 'c', payment_id: 'p' }, {}],
  ])('takes the routing ids of an event with %s', (_, fields, routing, subject) => {
    const [reading] = parsePaypalCallback(event('PAYMENT.CAPTURE.COMPLETED', 'capture', { ...capture, ...fields }));
    expect(reading).toMatchObject({ routing, subject });
    expect(reading?.routing).toEqual(routing);
  });

  it('reads a refund without a link to its capture', () => {
    const [reading] = parsePaypalCallback(event('PAYMENT.CAPTURE.REFUNDED', 'refund', { ...refund, links: [] }));
    expect(reading?.subject).toMatchObject({ paymentReference: null });
  });

  it.each([
    '',
    'hello',
    'null',
    '[]',
    '{}',
    '{"id":"WH-1"}',
    '{"id":"WH-1","event_type":"PAYMENT.CAPTURE.COMPLETED"}',
    '{"id":"WH-1","event_type":"PAYMENT.REFUND.FAILED","resource":{}}',
  ])('rejects a body that is not an event: %s', (body) => {
    expect(() => parsePaypalCallback(callback(Buffer.from(body)))).toThrow(
      expect.objectContaining({ name: 'PspRefused', kind: 'request' }),
    );
  });
});
