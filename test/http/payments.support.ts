import { randomUUID } from 'node:crypto';
import { describe, expect, it, onTestFinished } from 'vitest';
import {
  type ApiResponse,
  anOrganization,
  aPaymentBody,
  type Body,
  type CallOptions,
  startHost,
  type TestHost,
} from '#test/support/host.ts';
import { arrange, begin, keyWith, read } from '#test/support/payment-steps.ts';

/** What every payment endpoint guarantees. */
type Endpoint = {
  readonly host: () => TestHost;
  readonly method: 'GET' | 'POST';
  /** The path, with a payment if it is about one. */
  readonly path: (id: string) => string;
  readonly scope: 'payments:read' | 'payments:write';
  readonly body?: Body;
  /** A payment that the endpoint can act on. */
  readonly ready: () => Promise<{ readonly id: string }>;
  readonly success: number;
};

const NEVER = 'pay_01jqeh2s00e8x9v3k5t7w2m4np';

/** The key as `X-Service-Key`, which requires X-Org-Id. */
const serviceForm = (key: string, orgId: string): CallOptions => ({
  key: null,
  headers: { 'x-service-key': key, 'x-org-id': orgId },
});

export function itChecksCredentials({ host, method, path, scope, body, ready, success }: Endpoint): void {
  const ask = (how: CallOptions, id = NEVER) => host().call(method, path(id), body, how);
  const orgId = () => host().info.org_id;
  const unknown = () => host().info.keys.service.replace(/.{8}$/, 'AAAAAAAA');
  const live = () => host().info.keys.service.replace('pfk_test_', 'pfk_live_');

  async function revoked(): Promise<string> {
    const made = (await host().call('POST', '/v1/api-keys', { name: 'short', scopes: [scope] })).body;
    await host().call('DELETE', `/v1/api-keys/${made.id}`);
    return made.key;
  }

  describe('credentials', () => {
    it('are accepted as a Bearer token and as X-Service-Key', async () => {
      const { service } = host().info.keys;
      expect((await ask({ key: service }, (await ready()).id)).status).toBe(success);
      expect((await ask(serviceForm(service, orgId()), (await ready()).id)).status).toBe(success);
    });

    it.each([
      ['no key', async () => ({ key: null }), 'invalid_api_key'],
      ['an unknown key as a Bearer token', async () => ({ key: unknown() }), 'invalid_api_key'],
      ['an unknown key as X-Service-Key', async () => serviceForm(unknown(), orgId()), 'invalid_api_key'],
      ['a revoked key as a Bearer token', async () => ({ key: await revoked() }), 'invalid_api_key'],
      ['a revoked key as X-Service-Key', async () => serviceForm(await revoked(), orgId()), 'invalid_api_key'],
      ['a key of the other stage', async () => ({ key: live() }), 'wrong_stage'],
    ])('answer 401 for %s', async (_, how, code) => {
      expect(await ask(await how())).toMatchObject({
        status: 401,
        body: { error: 'unauthorized', code, message: expect.any(String) },
      });
    });

    it('answer 400 for an X-Service-Key without the organization', async () => {
      expect(await ask({ key: null, headers: { 'x-service-key': host().info.keys.service } })).toMatchObject({
        status: 400,
        body: { code: 'org_id_required' },
      });
    });

    it('answer 403 for the key of another organization, in either form', async () => {
      const theirs = await anOrganization(host());
      const refused = { status: 403, body: { error: 'forbidden', code: 'org_mismatch' } };
      expect(await ask({ key: theirs.key, headers: { 'x-org-id': orgId() } })).toMatchObject(refused);
      expect(await ask(serviceForm(theirs.key, orgId()))).toMatchObject(refused);
    });

    it('answer 403 and name the scope that a key lacks', async () => {
      const refused = {
        status: 403,
        body: { error: 'forbidden', code: 'missing_scope', message: expect.stringContaining(scope) },
      };
      const key = await keyWith(host(), [scope === 'payments:read' ? 'payments:write' : 'payments:read']);
      for (const each of [key, host().info.keys.public]) expect(await ask({ key: each })).toMatchObject(refused);
    });
  });
}

export function itHidesOtherPayments({ host, method, path, body, ready }: Endpoint): void {
  it('answers the same 404 for a payment of another organization, an unknown one and an invalid id', async () => {
    const { id } = await ready();
    const before = await read(host(), id);
    const theirs = await anOrganization(host());
    const never = id.replace(/.{4}$/, '0000');
    for (const each of [id, never, NEVER, 'a%20b', 'x'.repeat(3_000)]) {
      const answer = await host().call(method, path(each), body, { key: theirs.key });
      expect([answer.status, answer.body]).toEqual([
        404,
        { error: 'not_found', code: 'not_found', message: 'There is no such payment.', doc_url: expect.any(String) },
      ]);
    }
    expect(await read(host(), id)).toEqual(before);
  });
}

const BURST = 200;
const MINUTE = 60_000;

/** A host of its own, because its rate limit windows fill up. */
export async function aLimitedHost(): Promise<TestHost> {
  const limited = await startHost({ rateLimits: true });
  onTestFinished(() => limited.close());
  return limited;
}

/** Stops the clock at the start of a minute and fills the window with requests. Returns the end of the minute. */
export async function fillWindow(host: TestHost, count: number, ask: () => Promise<ApiResponse>): Promise<number> {
  const { now } = (await host.control('GET', '/clock')).body;
  const start = Math.floor(Date.parse(now) / MINUTE) * MINUTE + MINUTE;
  await host.control('POST', '/clock', { set: new Date(start).toISOString() });
  for (let left = count; left > 0; left -= BURST) {
    await Promise.all(Array.from({ length: Math.min(left, BURST) }, ask));
    if (left > BURST) await host.control('POST', '/clock', { advance: '10s' });
  }
  return (start + MINUTE) / 1_000;
}

/** `limit`: the requests per minute for the class of the endpoint. */
export function itLimitsItsRate(
  { method, path, body }: Pick<Endpoint, 'method' | 'path' | 'body'>,
  limit: number,
): void {
  it(`answers 429 after ${limit} requests in a minute, with a Retry-After`, async () => {
    const limited = await aLimitedHost();
    const ask = () => limited.call(method, path(NEVER), body);
    expect(shownRate(await ask()).slice(0, 2)).toEqual(limit > BURST ? [BURST, BURST - 1] : [limit, limit - 1]);
    const minuteEnds = await fillWindow(limited, limit, ask);
    const answer = await ask();
    const { retry_after } = answer.body;
    expect([answer.status, answer.body]).toEqual([
      429,
      {
        error: 'rate_limited',
        code: 'rate_limited',
        message: expect.any(String),
        retry_after: expect.toSatisfy((n) => Number.isInteger(n) && n >= 1 && n <= 60),
        doc_url: expect.any(String),
      },
    ]);
    expect([answer.headers.get('retry-after'), ...shownRate(answer)]).toEqual([
      String(retry_after),
      limit,
      0,
      minuteEnds,
    ]);
    await limited.control('POST', '/clock', { advance: `${retry_after}s` });
    expect((await ask()).status).not.toBe(429);
  });
}

/** The limit, the remaining requests, and the end of the window. */
export const shownRate = ({ headers }: ApiResponse): number[] =>
  ['limit', 'remaining', 'reset'].map((name) => Number(headers.get(`x-ratelimit-${name}`)));

/** `other`: another valid body, where there is one. `slow`: the provider operation that the endpoint waits for. */
export function itHandlesIdempotencyKeys(endpoint: Endpoint & { readonly other?: Body; readonly slow?: string }): void {
  const { host, method, path, body, other, ready, success, slow } = endpoint;
  const ask = (id: string, how: CallOptions = {}, sent = body) => host().call(method, path(id), sent, how);
  const isRepeat = ({ headers }: ApiResponse) => headers.get('idempotency-replayed');

  describe('an idempotency key', () => {
    it('returns the first response again, with either header, and does nothing twice', async () => {
      const { id } = await ready();
      const key = randomUUID();
      const first = await ask(id, { idempotencyKey: key });
      const made = first.body.id;
      const after = await read(host(), made);
      const again = await ask(id, { idempotencyKey: null, headers: { 'x-idempotency-key': key } });
      expect([first.status, isRepeat(first)]).toEqual([success, null]);
      expect([again.status, again.text, again.headers.get('location'), isRepeat(again)]).toEqual([
        success,
        first.text,
        first.headers.get('location'),
        'true',
      ]);
      expect(await read(host(), made)).toEqual(after);
    });

    it.each([
      ['is missing', { idempotencyKey: null }, 'idempotency_key_required'],
      ['is too long', { idempotencyKey: 'x'.repeat(256) }, 'idempotency_key_invalid'],
      ['has a space', { idempotencyKey: 'a b' }, 'idempotency_key_invalid'],
      ['has a character beyond ASCII', { idempotencyKey: 'clé' }, 'idempotency_key_invalid'],
      [
        'is sent twice with different values',
        { idempotencyKey: 'a', headers: { 'x-idempotency-key': 'b' } },
        'idempotency_key_invalid',
      ],
    ])('answers 400 when it %s', async (_, how, code) => {
      expect(await ask((await ready()).id, how)).toMatchObject({
        status: 400,
        body: { error: 'invalid_request', code },
      });
    });

    if (other !== undefined)
      it('answers 422 when it is sent with another body', async () => {
        const { id } = await ready();
        const how = { idempotencyKey: randomUUID() };
        await ask(id, how);
        expect(await ask(id, how, other)).toMatchObject({
          status: 422,
          body: { error: 'unprocessable', code: 'idempotency_key_reused' },
        });
      });

    it('answers 422 when it is sent to another path or with another method', async () => {
      const { id } = await ready();
      const how = { idempotencyKey: randomUUID() };
      const made = (await ask(id, how)).body.id;
      const before = await read(host(), made);
      for (const [to, elsewhere, sent] of otherRequests(made)) {
        if (elsewhere === path(made)) continue;
        expect(await host().call(to, elsewhere, sent, how), elsewhere).toMatchObject({
          status: 422,
          body: { code: 'idempotency_key_reused' },
        });
      }
      expect(await read(host(), made)).toEqual(before);
    });

    it('is not used up by a request that is refused before it', async () => {
      const { id } = await ready();
      const how = { idempotencyKey: randomUUID() };
      expect((await ask(id, { ...how, key: await keyWith(host(), ['payments:read']) })).status).toBe(403);
      expect((await ask(id, how, { ...body, colour: 'red' })).status).toBe(400);
      expect((await ask(id, how)).status).toBe(success);
    });

    if (slow === undefined) return;
    it('answers 409 while the first request runs, with a Retry-After', async () => {
      const { id } = await ready();
      const how = { idempotencyKey: randomUUID() };
      await arrange(host(), 'slow:300', { match: { operation: slow } });
      const first = await begin(host(), slow, () => ask(id, how));
      const second = await ask(id, how);
      expect(second).toMatchObject({
        status: 409,
        body: { error: 'conflict', code: 'idempotency_in_progress', retry_after: expect.any(Number) },
      });
      expect(second.headers.get('retry-after')).toBe(String(second.body.retry_after));
      const answer = await first.answer;
      expect([answer.status, (await ask(id, how)).text]).toEqual([success, answer.text]);
    });
  });
}

/** Requests of every other kind, each of them valid on its own. */
const otherRequests = (id: string): readonly (readonly ['POST' | 'DELETE', string, Body?])[] => [
  ['POST', '/v1/payments', aPaymentBody()],
  ['POST', '/v1/payments/intents', aPaymentBody()],
  ['POST', `/v1/payments/${id}/confirm`],
  ['POST', `/v1/payments/${id}/cancel`],
  ['POST', `/v1/payments/${id}/refund`],
  ['POST', `/v1/payments/${id}/retry`],
  ['POST', '/v1/webhooks/config', { url: 'https://shop.example/hook', events: ['*'] }],
  ['DELETE', '/v1/api-keys/key_none'],
];
