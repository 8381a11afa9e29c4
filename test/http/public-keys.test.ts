import { randomUUID } from 'node:crypto';
import { request } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addressOf, OURS, verdict } from '#test/http/bad-input.support.ts';
import { aLimitedHost, fillWindow, shownRate } from '#test/http/payments.support.ts';
import {
  type ApiResponse,
  aPaymentBody,
  type Body,
  type CallOptions,
  startHost,
  type TestHost,
} from '#test/support/host.ts';
import { act, anIntent, complete, moneyOf, read } from '#test/support/payment-steps.ts';

let host: TestHost;
beforeAll(async () => {
  host = await startHost();
});
afterAll(() => host?.close());

type Intent = { readonly id: string; readonly client_secret: string };
const pathOf = ({ id }: Intent) => `/v1/payments/${id}/confirm-intent`;
const confirmAt = (at: TestHost, intent: Intent, more: Body = {}, how: CallOptions = {}): Promise<ApiResponse> =>
  at.call(
    'POST',
    pathOf(intent),
    { client_secret: intent.client_secret, ...more },
    { key: at.info.keys.public, idempotencyKey: null, ...how },
  );
const confirm = (intent: Intent, more: Body = {}, how: CallOptions = {}) => confirmAt(host, intent, more, how);
const anotherPublicKey = async (at: TestHost): Promise<string> =>
  (await at.call('POST', '/v1/api-keys', { name: 'Page', kind: 'public', scopes: [] })).body.key;

describe('a public key', () => {
  it('can call one endpoint only', () =>
    expect(OURS.filter(({ access }) => access === 'public').map(({ path }) => path)).toEqual([
      '/v1/payments/{id}/confirm-intent',
    ]));

  const REFUSED: Readonly<Record<string, readonly unknown[]>> = {
    scope: [403, 'forbidden', 'missing_scope'],
    member: [401, 'unauthorized', 'invalid_session'],
    signed_in: [401, 'unauthorized', 'invalid_session'],
    platform: [401, 'unauthorized', 'invalid_session'],
  };
  const CLOSED = OURS.filter((route) => route.access in REFUSED);
  it.each(CLOSED)('cannot call $method $path', async (route) => {
    const answer = await host.call(route.method, addressOf(route), route.method === 'GET' ? undefined : {}, {
      key: host.info.keys.public,
    });
    const forKeys = 'keys' in route && route.keys === true;
    expect(verdict(answer)).toEqual(forKeys ? [403, 'forbidden', 'missing_role'] : REFUSED[route.access]);
  });

  it('is refused once it is revoked', async () => {
    const { id, key } = (await host.call('POST', '/v1/api-keys', { name: 'Page', kind: 'public', scopes: [] })).body;
    const intent = await anIntent(host);
    await host.call('DELETE', `/v1/api-keys/${id}`);
    expect(verdict(await confirm(intent, {}, { key }))).toEqual([401, 'unauthorized', 'invalid_api_key']);
  });
});

describe('an idempotency key beside a public key', () => {
  const keyed = (idempotencyKey: string = randomUUID()) => ({ idempotencyKey });
  const isRepeat = ({ headers }: ApiResponse) => headers.get('idempotency-replayed');

  it('returns the first response again, with either header and another public key, even if the payment has changed', async () => {
    const [intent, how] = [await anIntent(host, 'needs_3ds'), keyed()];
    const first = await confirm(intent, {}, how);
    await complete(host, intent.id, 'succeeded');
    const again = [
      await confirm(intent, {}, how),
      await confirm(intent, {}, { headers: { 'x-idempotency-key': how.idempotencyKey } }),
      await confirm(intent, {}, { ...how, key: await anotherPublicKey(host) }),
    ];
    expect([first.body.status, isRepeat(first), (await read(host, intent.id)).status]).toEqual([
      'requires_action',
      null,
      'succeeded',
    ]);
    for (const answer of again)
      expect([answer.status, answer.text, isRepeat(answer)]).toEqual([200, first.text, 'true']);
  });

  it('returns refusals again too', async () => {
    const [intent, how] = [await anIntent(host), keyed()];
    const wrong = { client_secret: `${intent.client_secret}x` };
    const first = await confirm(intent, wrong, how);
    const again = await confirm(intent, wrong, how);
    expect([first.status, again.status, again.text, isRepeat(again)]).toEqual([404, 404, first.text, 'true']);
  });

  it('answers 422 if it comes with another body, or for another payment', async () => {
    const [intent, other, how] = [await anIntent(host), await anIntent(host), keyed()];
    await confirm(intent, {}, how);
    for (const answer of [await confirm(intent, { input: { otp: '1' } }, how), await confirm(other, {}, how)])
      expect(verdict(answer)).toEqual([422, 'unprocessable', 'idempotency_key_reused']);
    expect((await read(host, other.id)).status).toBe('created');
  });

  it('is separate from the same text sent with a server key', async () => {
    const [intent, how] = [await anIntent(host), keyed()];
    expect((await act(host, intent.id, 'confirm', undefined, how)).body.status).toBe('succeeded');
    expect(verdict(await confirm(intent, {}, how))).toEqual([409, 'conflict', 'payment_not_confirmable']);
    const refunded = await act(host, intent.id, 'refund', { amount: 100 }, how);
    expect(verdict(refunded)).toEqual([422, 'unprocessable', 'idempotency_key_reused']);
    expect(verdict(await confirm(intent, {}, { ...how, key: host.info.keys.secret }))).toEqual([
      422,
      'unprocessable',
      'idempotency_key_reused',
    ]);
  });

  it('continues the same attempt after a crash during the charge', async () => {
    const [intent, how] = [await anIntent(host), keyed()];
    await host.control('POST', '/faults', { point: 'psp', nth: 1, kind: 'crash', when: 'after', handler: 'payments' });
    expect((await confirm(intent, {}, how)).status).toBe(503);
    await host.control('POST', '/clock', { advance: '40s' });
    const answer = await confirm(intent, {}, how);
    expect([answer.status, answer.body.status]).toEqual([200, 'succeeded']);
    expect([(await read(host, intent.id)).attempts.length, (await moneyOf(host, intent.id)).count]).toEqual([1, 1]);
  });
});

describe('the limit of a public key', () => {
  it('is 100 writes a minute per IP address', async () => {
    const limited = await aLimitedHost();
    const intent = await anIntent(limited);
    const confirmWrongSecret = (how: CallOptions = {}) =>
      confirmAt(limited, { ...intent, client_secret: 'wrong' }, {}, how);
    const minuteEnds = await fillWindow(limited, 100, confirmWrongSecret);
    const full = await confirmWrongSecret();
    expect([...verdict(full), ...shownRate(full)]).toEqual([429, 'rate_limited', 'rate_limited', 100, 0, minuteEnds]);
    expect(full.headers.get('retry-after')).toBe(String(full.body.retry_after));
    expect([
      full.headers.get('access-control-allow-origin'),
      full.headers.get('access-control-expose-headers'),
    ]).toEqual(['*', expect.stringContaining('Retry-After')]);
    expect((await confirmWrongSecret({ headers: { 'x-forwarded-for': '203.0.113.7' } })).status).toBe(429);

    expect(await confirmFrom('127.0.0.2', limited, intent)).toBe(200);
    expect((await confirmWrongSecret({ key: await anotherPublicKey(limited) })).status).toBe(404);
    expect((await confirmWrongSecret({ key: limited.info.keys.service })).status).toBe(404);
    await limited.control('POST', '/clock', { advance: `${full.body.retry_after}s` });
    expect((await confirmWrongSecret()).status).toBe(404);
  });

  it('does not affect the shop’s server keys or reads', async () => {
    const limited = await aLimitedHost();
    await fillWindow(limited, 101, () => confirmAt(limited, { id: 'none', client_secret: 'wrong' }));
    expect((await limited.call('POST', '/v1/payments', aPaymentBody())).status).toBe(201);
  });
});

/** A customer at another IP address: all of 127/8 is this machine. */
function confirmFrom(localAddress: string, { info }: TestHost, intent: Intent): Promise<number | undefined> {
  const headers = { authorization: `Bearer ${info.keys.public}`, 'content-type': 'application/json' };
  return new Promise((resolve, reject) => {
    const sent = request(
      info.api + pathOf(intent),
      { method: 'POST', localAddress, headers, agent: false },
      (reply) => {
        reply.resume().on('end', () => resolve(reply.statusCode));
      },
    );
    sent.on('error', reject).end(JSON.stringify({ client_secret: intent.client_secret }));
  });
}
