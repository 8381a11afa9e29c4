import { createHmac, randomUUID } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { aPaymentBody, type Body, type CallOptions, startHost, type TestHost } from '#test/support/host.ts';
import {
  arrange,
  aShop,
  askProvider,
  complete,
  eventText,
  pay,
  read,
  type Shop,
  signatureOf,
} from '#test/support/payment-steps.ts';

let host: TestHost;
beforeAll(async () => {
  host = await startHost();
});
afterAll(() => host?.close());

const at = (path: string, init: RequestInit = {}) => fetch(host.info.api + path, { redirect: 'manual', ...init });

describe('a method that an address does not have', () => {
  it.each([
    ['PUT', '/v1/payments', 'GET, HEAD, POST, OPTIONS'],
    ['DELETE', '/v1/payments/pay_1', 'GET, HEAD, OPTIONS'],
    ['HEAD', '/v1/payments/pay_1/refund', 'POST, OPTIONS'],
    ['GET', '/v1/payments/pay_1/refund', 'POST, OPTIONS'],
    ['POST', '/sign-in', 'GET, HEAD, OPTIONS'],
    ['POST', '/openapi.json', 'GET, HEAD, OPTIONS'],
    ['PATCH', '/dashboard/payments', 'GET, HEAD, OPTIONS'],
    ['GET', '/webhooks/stripe', 'POST, OPTIONS'],
  ])('%s %s gets 405, with those that it has', async (method, path, allow) => {
    const reply = await at(path, { method });
    expect([reply.status, reply.headers.get('allow'), reply.headers.get('x-should-retry')]).toEqual([
      405,
      allow,
      'false',
    ]);
    const text = await reply.text();
    if (method === 'HEAD') return expect(text).toBe('');
    expect(JSON.parse(text)).toMatchObject({
      code: 'method_not_allowed',
      message: expect.stringContaining(`does not take ${method}. Use ${allow.split(', ')[0]}`),
      doc_url: `${host.info.api}/docs/errors#method_not_allowed`,
    });
  });

  it('gets 405 at the function URL, which has callbacks alone', async () => {
    const reply = await fetch(`${host.info.function_url}/webhooks/stripe`, { method: 'PUT' });
    expect([reply.status, reply.headers.get('allow'), await reply.json()]).toMatchObject([
      405,
      'POST',
      { code: 'method_not_allowed' },
    ]);
  });

  it('is told by OPTIONS, without a question of a browser, and an unknown address stays 404', async () => {
    const known = await at('/v1/payments', { method: 'OPTIONS' });
    expect([known.status, known.headers.get('allow')]).toEqual([204, 'GET, HEAD, POST, OPTIONS']);
    for (const method of ['OPTIONS', 'PUT', 'GET']) {
      const reply = await at('/v1/nothing', { method });
      expect([reply.status, reply.headers.get('allow'), await reply.json()]).toMatchObject([
        404,
        null,
        { code: 'route_not_found' },
      ]);
    }
  });
});

describe('an error answer', () => {
  it.each<readonly [string, string, RequestInit, number, string, string | null]>([
    ['a stranger', '/v1/payments', {}, 401, 'false', 'Bearer'],
    ['nobody who is signed in', '/v1/members', {}, 401, 'false', 'Bearer'],
    ['a callback without a signature', '/webhooks/acme', { method: 'POST', body: '{}' }, 404, 'false', null],
    ['a page', '/pay/plink_none', {}, 404, 'false', null],
    ['an unknown address', '/v2', {}, 404, 'false', null],
  ])('says whether to repeat it, and which credential is missing: %s', async (_, path, init, status, retry, ask) => {
    const { status: got, headers } = await at(path, init);
    expect([got, headers.get('x-should-retry'), headers.get('www-authenticate')]).toEqual([status, retry, ask]);
  });

  it('that is replayed leads to the reference too, and may be repeated only while its first request runs', async () => {
    const { id } = await pay(host, 'decline_stolen_card');
    const how: CallOptions = { idempotencyKey: randomUUID() };
    const refund = () => host.call('POST', `/v1/payments/${id}/refund`, {}, how);
    const [first, replayed] = [await refund(), await refund()];
    expect(replayed.headers.get('idempotency-replayed')).toBe('true');
    expect([replayed.status, replayed.body]).toEqual([409, first.body]);
    expect([first.body.doc_url, replayed.headers.get('x-should-retry')]).toEqual([
      `${host.info.api}/docs/errors#payment_not_refundable`,
      'false',
    ]);
  });

  it('of ours may be repeated under its key, and without a key only before anything has begun', async () => {
    const fail = async (method: string, path: string, body: unknown, nth: number) => {
      const group = path.startsWith('/v1/auth') ? 'auth' : 'payments';
      await host.control('POST', '/faults', { point: 'table', nth, kind: 'error', when: 'before', handler: group });
      const { status, headers } = await host.call(method, path, body, group === 'auth' ? { key: null } : {});
      await host.control('DELETE', '/faults');
      return [status, headers.get('x-should-retry')];
    };
    expect(await fail('POST', '/v1/payments', aPaymentBody(), 4)).toEqual([500, 'true']);
    expect(await fail('GET', '/v1/payments', undefined, 1)).toEqual([500, 'true']);
    const link = { email: 'someone@example.com' };
    expect(await fail('POST', '/v1/auth/magic-link', link, 1)).toEqual([500, 'true']);
    expect(await fail('POST', '/v1/auth/magic-link', link, 2)).toEqual([500, 'false']);
  });
});

describe('a large answer', () => {
  const large = { metadata: Object.fromEntries(Array.from({ length: 40 }, (_, n) => [`note_${n}`, 'x'.repeat(200)])) };
  const accepting = (coding: string, init: RequestInit = {}) => ({
    ...init,
    headers: { authorization: `Bearer ${host.info.keys.service}`, 'accept-encoding': coding, ...init.headers },
  });
  const compression = ({ headers }: Response) => [headers.get('content-encoding'), headers.get('vary')];

  it('is compressed for whoever accepts it, and says the same', async () => {
    await host.call('POST', '/v1/payments', { ...aPaymentBody(), ...large });
    const [gzip, plain] = [
      await at('/v1/payments?limit=5', accepting('gzip')),
      await at('/v1/payments?limit=5', accepting('identity')),
    ];
    expect([compression(gzip), compression(plain)]).toEqual([
      ['gzip', 'accept-encoding'],
      [null, 'accept-encoding'],
    ]);
    const [short, long] = [gzip, plain].map(({ headers }) => Number(headers.get('content-length')));
    expect(short).toBeLessThan((long ?? 0) / 4);
    expect(await gzip.json()).toEqual(await plain.json());
    expect(gzip.headers.get('content-type')).toBe('application/json; charset=utf-8');
  });

  it('is compressed for a page too, and with HEAD nothing of it is sent', async () => {
    const head = await at('/v1/payments?limit=5', accepting('gzip', { method: 'HEAD' }));
    expect([compression(head), await head.text()]).toEqual([['gzip', 'accept-encoding'], '']);
    const page = await at('/sign-in', accepting('gzip'));
    expect([compression(page), (await page.text()).startsWith('<!doctype html>')]).toEqual([
      ['gzip', 'accept-language, accept-encoding'],
      true,
    ]);
    const plain = await at('/openapi.json', accepting('identity'));
    expect(compression(plain)).toEqual([null, 'accept-encoding']);
  });

  it('is compressed where it is replayed, or an error', async () => {
    const key = { 'idempotency-key': randomUUID(), 'content-type': 'application/json' };
    const intent = JSON.stringify({ amount: 5_000, currency: 'EUR', ...large });
    const send = (text: string) =>
      at('/v1/payments/intents', accepting('gzip', { method: 'POST', body: text, headers: key }));
    const [first, again] = [await send(intent), await send(intent)];
    expect([compression(again)[0], again.headers.get('idempotency-replayed')]).toEqual(['gzip', 'true']);
    expect(await again.json()).toEqual(await first.json());
    const unknown = JSON.stringify(Object.fromEntries(Array.from({ length: 50 }, (_, n) => ['x'.repeat(50 + n), n])));
    const refused = await send(unknown);
    expect([refused.status, compression(refused)[0], await refused.json()]).toMatchObject([
      400,
      'gzip',
      { code: 'invalid_request' },
    ]);
  });

  it('is not what a payment gets: the answer is short', async () => {
    const { headers } = await host.call('POST', '/v1/payments', aPaymentBody());
    expect([headers.get('content-encoding'), headers.get('vary')]).toEqual([null, null]);
  });
});

describe('a compressed request', () => {
  const MAX = 256 * 1024;
  const json = { 'content-type': 'application/json' };
  const gzip = { ...json, 'content-encoding': 'gzip' };
  const send = (
    body: Uint8Array | string,
    headers: Readonly<Record<string, string>> = gzip,
    idempotencyKey: string = randomUUID(),
  ) => host.call('POST', '/v1/payments', body, { headers, idempotencyKey });
  const padded = (length: number) => `${JSON.stringify(aPaymentBody())}${' '.repeat(MAX)}`.slice(0, length);

  it('is the same request as the plain one, in either order', async () => {
    const text = JSON.stringify(aPaymentBody('ok', { description: 'Größe 44' }));
    for (const [first, second] of [
      [() => send(gzipSync(text), gzip, 'gzip-first'), () => send(text, json, 'gzip-first')],
      [
        () => send(text, json, 'plain-first'),
        () => send(gzipSync(text), { ...gzip, 'content-encoding': 'X-GZIP' }, 'plain-first'),
      ],
    ] as const) {
      const [made, replayed] = [await first(), await second()];
      expect([made.status, replayed.status, replayed.headers.get('idempotency-replayed')]).toEqual([201, 201, 'true']);
      expect(replayed.body).toEqual(made.body);
    }
  });

  it('may have up to 256 KiB once it is decompressed', async () => {
    expect((await send(gzipSync(padded(MAX)))).status).toBe(201);
    const tooLarge = await send(gzipSync(padded(MAX).concat(' ')));
    expect([tooLarge.status, tooLarge.body.code]).toEqual([413, 'body_too_large']);
    const bomb = await send(gzipSync(Buffer.alloc(32 * 1024 * 1024)));
    expect([bomb.status, bomb.body.code]).toEqual([413, 'body_too_large']);
  });

  it.each<readonly [string, () => [Uint8Array | string, Record<string, string>], number, string]>([
    ['no gzip, though it says so', () => [JSON.stringify(aPaymentBody()), gzip], 400, 'malformed_gzip'],
    ['cut off', () => [gzipSync(padded(500)).subarray(0, -9), gzip], 400, 'malformed_gzip'],
    ['brotli', () => ['x', { ...json, 'content-encoding': 'br' }], 415, 'unsupported_content_encoding'],
    [
      'compressed twice',
      () => ['x', { ...json, 'content-encoding': 'gzip, gzip' }],
      415,
      'unsupported_content_encoding',
    ],
    ['Latin-1', () => ['{}', { 'content-type': 'application/json; charset=latin1' }], 400, 'unsupported_content_type'],
    ['no JSON', () => [gzipSync('{}'), { ...gzip, 'content-type': 'text/plain' }], 400, 'unsupported_content_type'],
    ['broken JSON inside', () => [gzipSync('{'), gzip], 400, 'malformed_json'],
    ['a card number inside', () => [gzipSync('{"note":"4242424242424242"}'), gzip], 400, 'raw_card_data'],
  ])('gets an error that says what to do: %s', async (_, make, status, code) => {
    const { headers, ...refused } = await send(...make());
    expect([refused.status, refused.body.code]).toEqual([status, code]);
    expect(headers.get('accept-encoding')).toBe(status === 415 ? 'gzip' : null);
  });

  it('may name its charset, and say that it is not compressed', async () => {
    const told: readonly Readonly<Record<string, string>>[] = [
      { 'content-type': 'application/json; charset="UTF-8"', 'content-encoding': 'identity' },
      { 'content-type': 'application/json;charset=utf8' },
    ];
    for (const headers of told) expect((await send(JSON.stringify(aPaymentBody()), headers)).status).toBe(201);
  });
});

describe('a compressed callback', () => {
  let shop: Shop;
  let payment: Body;
  let text: string;
  beforeAll(async () => {
    shop = await aShop(host, { a: {} });
    await arrange(host, 'pending', { webhook: 'none' });
    payment = await pay(host, 'ok', {}, { key: shop.key });
    await complete(host, payment.id, 'succeeded');
    const { secret_key = '' } = shop.credentials.a ?? {};
    const object = await askProvider(host, secret_key, 'GET', `/v1/payment_intents/${payment.psp_reference}`);
    text = eventText({ type: 'payment_intent.succeeded', object });
  });
  afterAll(() => host.control('DELETE', '/psp/scenario'));

  const bring = (body: Uint8Array, signature: string) =>
    at('/webhooks/stripe', {
      method: 'POST',
      body,
      headers: { 'content-type': 'application/json', 'content-encoding': 'gzip', 'stripe-signature': signature },
    });

  it('is verified by the bytes that were sent, and read after decompression', async () => {
    const secret = shop.credentials.a?.webhook_secret ?? '';
    const seconds = Math.floor(host.clock.now().getTime() / 1_000);
    const sent = gzipSync(text);
    const plainly = await bring(sent, signatureOf(text, secret, seconds));
    expect([plainly.status, await plainly.json()]).toMatchObject([401, { code: 'invalid_signature' }]);
    const digest = createHmac('sha256', secret).update(`${seconds}.`).update(sent).digest('hex');
    expect((await bring(sent, `t=${seconds},v1=${digest}`)).status).toBe(200);
    expect((await read(host, payment.id, { key: shop.key })).status).toBe('succeeded');
  });
});
