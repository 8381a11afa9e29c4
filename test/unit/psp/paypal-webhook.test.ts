import { createVerify, sign, X509Certificate } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { PspNotSent, PspOutcomeUnknown, type PspRequest } from '#shared/ports/psp.port.ts';
import { certificateAddress } from '#shared/psp/paypal/certificate.rules.ts';
import { verifyPaypalEvent } from '#shared/psp/paypal/paypal.verification.ts';
import { readPaypalEvent } from '#shared/psp/paypal/webhook.rules.ts';
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

/** What of PayPal a verification meets: one answer at the address of the certificate. */
function psp({
  webhook = '1JE4291016473214C',
  merchant_id,
  roots = [TEST_CERTIFICATE],
  now = '2026-12-01T00:00:00Z',
  answer = { text: TEST_CERTIFICATE },
}: Setting) {
  const asked: PspRequest[] = [];
  return {
    asked,
    credentials: { client_id: 'client-id', client_secret: 'client-secret', webhook_secret: webhook, merchant_id },
    now: () => new Date(now),
    roots: () => roots,
    send: async (request: PspRequest) => {
      asked.push(request);
      if (answer instanceof Error) throw answer;
      return { status: answer.status ?? 200, headers: {}, text: answer.text ?? '' };
    },
  };
}

describe('the signature of a callback of PayPal', () => {
  it('has vectors', () => {
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

  it.each(VECTORS)('$id is $expected', async (vector) => {
    const verified = await verifyPaypalEvent(
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
    verifyPaypalEvent(callback(body, { ...valid.headers, ...headers }), psp(setting));

  it('may be of any webhook while one replaces another', async () => {
    expect(await verify({ webhook: ['OLD', valid.webhook_id] })).toBe(true);
    expect(await verify({ webhook: ['OLD', 'OLDER'] })).toBe(false);
  });

  it('is none on nothing', async () => {
    expect(await verifyPaypalEvent(callback(Buffer.alloc(0), valid.headers), psp({}))).toBe(false);
  });

  it.each([
    'paypal-transmission-id',
    'paypal-transmission-time',
    'paypal-transmission-sig',
    'paypal-cert-url',
    'paypal-auth-algo',
  ])('needs %s', async (name) => {
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
  ])('may lie under %s: %s, and is looked for nowhere else', async (url, expected) => {
    const setting = psp({ answer: { status: 404 } });
    expect(certificateAddress(url) !== undefined).toBe(expected);
    expect(await verifyPaypalEvent(callback(body, { ...valid.headers, 'paypal-cert-url': url }), setting)).toBe(false);
    expect(setting.asked.length).toBe(expected ? 1 : 0);
  });

  it('is checked with one certificate, however its address is written', async () => {
    const setting = psp({});
    for (const url of [
      'https://api.paypal.com/v1/notifications/certs/CERT-same',
      'HTTPS://API.PayPal.com/v1/notifications/certs/CERT-same',
      'https://api.paypal.com:443/v1/notifications/certs/CERT-same',
    ])
      expect(await verifyPaypalEvent(callback(body, { ...valid.headers, 'paypal-cert-url': url }), setting)).toBe(true);
    expect(setting.asked.length).toBe(1);
  });

  it('is checked with a certificate that is fetched from where it lies, without our credentials, and only once', async () => {
    const setting = psp({});
    const signed = callback(body, { ...valid.headers, 'paypal-cert-url': at('once') });
    expect(await verifyPaypalEvent(signed, setting)).toBe(true);
    expect(await verifyPaypalEvent(signed, setting)).toBe(true);
    expect(setting.asked).toMatchObject([
      { operation: 'certificate', method: 'GET', host: 'api.paypal.com', path: '/v1/notifications/certs/CERT-once' },
    ]);
    expect(setting.asked[0]?.headers).not.toHaveProperty('authorization');
  });

  it.each<[string, Answer, unknown]>([
    ['not reached', new PspNotSent('unreachable', 'Not reached.'), PspNotSent],
    ['not answered', new PspOutcomeUnknown('No answer.'), PspOutcomeUnknown],
    ['turned away', { status: 429 }, PspNotSent],
    ['failing', { status: 503 }, PspOutcomeUnknown],
    ['a page', { text: '<html>' }, PspOutcomeUnknown],
    ['a broken certificate', { text: TEST_CERTIFICATE.replace(/MII/, 'AAA') }, PspOutcomeUnknown],
    ['elsewhere', { status: 302 }, PspOutcomeUnknown],
  ])('is not judged while the certificate is %s: PayPal sends again', async (what, answer, type) => {
    await expect(verify({ answer }, { 'paypal-cert-url': at(what.replaceAll(' ', '-')) })).rejects.toBeInstanceOf(type);
  });

  it.each([
    ['before the certificate is valid', '2026-11-27T00:00:00Z'],
    ['after it was', '2127-01-01T00:00:00Z'],
  ])('does not count %s', async (_, now) => {
    expect(await verify({ now })).toBe(false);
  });

  it('does not count where nobody vouches for the certificate', async () => {
    expect(await verify({ roots: [] })).toBe(false);
    expect(await verify({ roots: ['no certificate'] })).toBe(false);
  });

  it('of another account is not ours, where the connection names its own', async () => {
    const event = Buffer.from(
      JSON.stringify({
        id: 'WH-1',
        event_type: 'PAYMENT.CAPTURE.COMPLETED',
        resource: { ...capture, payee: { merchant_id: 'THEIRS' } },
      }),
    );
    const setting = psp({ merchant_id: 'OURS' });
    expect(await verifyPaypalEvent(callback(event, valid.headers), setting)).toBe(false);
    expect(setting.asked).toEqual([]);
  });
});

describe('the chain of a certificate of PayPal', () => {
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
      await verifyPaypalEvent(callback(body, headers), psp({ webhook: 'WEBHOOK', roots, now, answer: { text } })),
    ).toBe(expected);
  });
});

describe('a callback of PayPal', () => {
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
  const ofOrder = { kind: 'payment', reference: order.id, ours: capture.invoice_id };
  const ofCapture = { kind: 'payment', reference: capture.id, ours: capture.invoice_id };
  const ofRefund = { kind: 'refund', reference: refund.id, paymentReference: capture.id, ours: refund.invoice_id };

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
  ])('%s about a %s concerns what it names', (type, resourceType, resource, subject) => {
    expect(readPaypalEvent(event(type, resourceType, resource))).toEqual([
      { eventId: 'WH-1', type, subject, routing: KEYS },
    ]);
  });

  it.each([
    'CUSTOMER.DISPUTE.CREATED',
    'PAYMENT.AUTHORIZATION.CREATED',
    'CHECKOUT.PAYMENT-APPROVAL.REVERSED',
    'PAYMENT.SALE.COMPLETED',
    'A.TYPE.OF.THE.FUTURE',
  ])('%s is ignored, whatever it holds', (type) => {
    expect(readPaypalEvent(event(type, 'dispute', null))).toEqual([
      { eventId: 'WH-1', type, subject: { kind: 'ignored' }, routing: {} },
    ]);
  });

  it.each<[string, object, object, object]>([
    ['no label', { custom_id: undefined, invoice_id: undefined }, {}, { ours: undefined }],
    ["a merchant's own label", { custom_id: 'order 7' }, {}, { ours: capture.invoice_id }],
    ['a label of more parts', { custom_id: 'a|b|c|d' }, {}, {}],
    ['a label with nothing in it', { custom_id: '||' }, {}, {}],
    ['a label that is no text', { custom_id: 7 }, {}, {}],
    ['commas, as refunds have them', { custom_id: 'o,c,p' }, { org_id: 'o', connection_id: 'c', payment_id: 'p' }, {}],
  ])('with %s is routed by what is there', (_, fields, routing, subject) => {
    const [reading] = readPaypalEvent(event('PAYMENT.CAPTURE.COMPLETED', 'capture', { ...capture, ...fields }));
    expect(reading).toMatchObject({ routing, subject });
    expect(reading?.routing).toEqual(routing);
  });

  it('about a refund without a way to its capture names none', () => {
    const [reading] = readPaypalEvent(event('PAYMENT.CAPTURE.REFUNDED', 'refund', { ...refund, links: [] }));
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
  ])('is none: %s', (body) => {
    expect(() => readPaypalEvent(callback(Buffer.from(body)))).toThrow(
      expect.objectContaining({ name: 'PspRefused', kind: 'request' }),
    );
  });
});
