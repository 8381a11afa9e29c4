import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { MINUTE, plus } from '#shared/kernel/clock.ts';
import {
  type ApiResponse,
  anOrganization,
  aPaymentBody,
  startHost,
  type TestHost,
  type TestOrganization,
} from '#test/support/host.ts';

let host: TestHost;
let org: TestOrganization;
let other: TestOrganization;
beforeAll(async () => {
  host = await startHost({ rateLimits: true });
  [org, other] = [await anOrganization(host), await anOrganization(host)];
});
afterAll(() => host?.close());

type Request = {
  readonly path: string;
  readonly key: string;
  readonly form: Form;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: unknown;
};
type Form = 'service' | 'bearer';

const credential = (key: string, form: Form): Record<string, string> =>
  form === 'service' ? { 'x-service-key': key } : { authorization: `Bearer ${key}` };
const send = ({ path, key, form, headers, body }: Request): Promise<ApiResponse> =>
  host.call('POST', path, body, { key: null, idempotencyKey: null, headers: { ...credential(key, form), ...headers } });
const ask = (headers: Readonly<Record<string, string>>, path = '/v1/payments') =>
  host.call('GET', path, undefined, { key: null, headers });
const verdict = ({ status, body }: ApiResponse) => [status, body.error, body.code];
const keyWith = async (...scopes: string[]) =>
  (await host.call('POST', '/v1/api-keys', { name: 'Key', scopes }, { key: org.key })).body;

/** Fills the window of payments. The clock must be stopped meanwhile. */
async function exhaust(key: string): Promise<void> {
  await Promise.all(Array.from({ length: 100 }, () => host.call('POST', '/v1/payments', {}, { key })));
}

const JUNK = `{"amount":${'x'.repeat(300 * 1024)}`;

describe.each(['service', 'bearer'] as const)('a request with its key as %s', (form) => {
  it('is rejected for the first of its errors, in the order of the middleware', async () => {
    const [wide, narrow] = [(await keyWith('payments:write')).key, (await keyWith('payments:read')).key];
    const minute = new Date(Math.ceil(host.clock.now().getTime() / MINUTE + 1) * MINUTE);
    await host.clock.stand(minute);
    await exhaust(wide);
    await exhaust(narrow);
    const used = randomUUID();

    const worst: Request = {
      path: '/v1/nothing',
      key: `${narrow}x`,
      form,
      headers: { 'x-org-id': other.org_id, 'content-type': 'text/plain' },
      body: JUNK,
    };
    const steps: readonly (readonly [
      expected: readonly unknown[],
      repair: Partial<Request> | (() => Promise<unknown>),
    ])[] = [
      [[404, 'not_found', 'route_not_found'], { path: '/v1/payments/intents' }],
      [[413, 'invalid_request', 'body_too_large'], { body: JUNK.slice(0, 100) }],
      [[401, 'unauthorized', 'invalid_api_key'], { key: narrow }],
      [[403, 'forbidden', 'org_mismatch'], { headers: { 'x-org-id': org.org_id, 'content-type': 'text/plain' } }],
      [[403, 'forbidden', 'missing_scope'], { key: wide }],
      [[429, 'rate_limited', 'rate_limited'], () => host.clock.stand(plus(minute, MINUTE))],
      [[400, 'invalid_request', 'unsupported_content_type'], { headers: { 'x-org-id': org.org_id } }],
      [[400, 'invalid_request', 'malformed_json'], { body: { amount: 0 } }],
      [[400, 'invalid_request', 'invalid_request'], { body: aPaymentBody() }],
      [
        [400, 'invalid_request', 'idempotency_key_required'],
        () => host.call('POST', '/v1/payments/intents', aPaymentBody('pending'), { key: wide, idempotencyKey: used }),
      ],
    ];
    let request = worst;
    for (const [expected, repair] of steps) {
      expect(verdict(await send(request))).toEqual(expected);
      if (typeof repair === 'function') await repair();
      else request = { ...request, ...repair };
    }
    const keyed = (key: string): Request => ({ ...request, headers: { ...request.headers, 'idempotency-key': key } });
    expect(verdict(await send(keyed(used)))).toEqual([422, 'unprocessable', 'idempotency_key_reused']);
    expect((await send(keyed(randomUUID()))).status).toBe(201);
  });

  it('is rejected for the first of its errors at a public endpoint too, which requires no scope', async () => {
    const makePublic = async () =>
      (await host.call('POST', '/v1/api-keys', { name: 'Page', kind: 'public', scopes: [] }, { key: org.key })).body
        .key;
    const key = await makePublic();
    const intent = (await host.call('POST', '/v1/payments/intents', aPaymentBody(), { key: org.key })).body;
    const path = `/v1/payments/${intent.id}/confirm-intent`;
    const minute = new Date(Math.ceil(host.clock.now().getTime() / MINUTE + 1) * MINUTE);
    await host.clock.stand(minute);
    await Promise.all(Array.from({ length: 100 }, () => host.call('POST', path, {}, { key })));
    const used = randomUUID();

    const worst: Request = {
      path: `${path}/x`,
      key: `${key}x`,
      form,
      headers: { 'x-org-id': other.org_id, 'content-type': 'text/plain' },
      body: JUNK,
    };
    const own = { 'x-org-id': org.org_id };
    const secret = { client_secret: intent.client_secret };
    const steps: readonly (readonly [
      expected: readonly unknown[],
      repair: Partial<Request> | (() => Promise<unknown>),
    ])[] = [
      [[404, 'not_found', 'route_not_found'], { path }],
      [[413, 'invalid_request', 'body_too_large'], { body: JUNK.slice(0, 100) }],
      [[401, 'unauthorized', 'invalid_api_key'], { key }],
      [[403, 'forbidden', 'org_mismatch'], { headers: { ...own, 'content-type': 'text/plain' } }],
      [[429, 'rate_limited', 'rate_limited'], () => host.clock.stand(plus(minute, MINUTE))],
      [[400, 'invalid_request', 'unsupported_content_type'], { headers: own }],
      [[400, 'invalid_request', 'malformed_json'], { body: {} }],
      [[400, 'invalid_request', 'invalid_request'], { body: { ...secret, input: { otp: '1' } } }],
    ];
    let request = worst;
    for (const [expected, repair] of steps) {
      expect(verdict(await send(request))).toEqual(expected);
      if (typeof repair === 'function') await repair();
      else request = { ...request, ...repair };
    }
    const keyed = (id: string): Request => ({ ...request, headers: { ...own, 'idempotency-key': id } });
    expect(verdict(await send({ ...keyed(used), body: { client_secret: 'wrong' } }))).toEqual([
      404,
      'not_found',
      'not_found',
    ]);
    expect(verdict(await send(keyed(used)))).toEqual([422, 'unprocessable', 'idempotency_key_reused']);
    expect((await send({ ...request, body: secret })).status).toBe(200);
  });

  it.each(['service', 'secret'] as const)('is accepted with a %s key', async (kind) => {
    expect((await ask({ ...credential(host.info.keys[kind], form), 'x-org-id': host.info.org_id })).status).toBe(200);
  });

  it('has no rights with a public key', async () => {
    expect(verdict(await ask({ ...credential(host.info.keys.public, form), 'x-org-id': host.info.org_id }))).toEqual([
      403,
      'forbidden',
      'missing_scope',
    ]);
  });

  it.each([
    ['another organization', () => other.org_id],
    ['an unknown organization', () => 'org_01jzzzzzzzfz0a1b2c3d4e5f6g'],
    ['text', () => "' or 1=1"],
  ])('is rejected where X-Org-Id is %s', async (_, named) => {
    expect(verdict(await ask({ ...credential(org.key, form), 'x-org-id': named() }))).toEqual([
      403,
      'forbidden',
      'org_mismatch',
    ]);
  });

  it('gets an error with the missing scope', async () => {
    const { key } = await keyWith('connections:read');
    const { body } = await ask({ ...credential(key, form), 'x-org-id': org.org_id });
    expect(body).toEqual({
      error: 'forbidden',
      code: 'missing_scope',
      message: expect.stringContaining('payments:read'),
      doc_url: `${host.info.api}/docs/errors#missing_scope`,
    });
  });

  it('is rejected as soon as its key is revoked', async () => {
    const { id, key } = await keyWith('payments:read');
    const headers = { ...credential(key, form), 'x-org-id': org.org_id };
    expect((await ask(headers)).status).toBe(200);
    expect((await host.call('DELETE', `/v1/api-keys/${id}`, undefined, { key: org.key })).status).toBe(200);
    expect(verdict(await ask(headers))).toEqual([401, 'unauthorized', 'invalid_api_key']);
  });

  it.each([
    ['of the other stage', (key: string) => key.replace('pfk_test_', 'pfk_live_'), 'wrong_stage'],
    ['with one letter changed', (key: string) => key.slice(0, -1) + (key.endsWith('a') ? 'b' : 'a'), 'invalid_api_key'],
    ['with its kind changed', (key: string) => key.replace('pfk_test_', 'sk_sandbox_'), 'invalid_api_key'],
    ['in capitals', (key: string) => key.toUpperCase(), 'invalid_api_key'],
    ['cut off', (key: string) => key.slice(0, 40), 'invalid_api_key'],
  ])('is unauthorized with a key %s, whatever else is wrong', async (_, change, code) => {
    expect(verdict(await ask(credential(change(org.key), form)))).toEqual([401, 'unauthorized', code]);
  });
});

describe('X-Org-Id', () => {
  it.each([
    ['missing', {}],
    ['empty', { 'x-org-id': '' }],
    ['blank', { 'x-org-id': ' ' }],
  ])('is required with X-Service-Key, before the scope is checked: %s', async (_, named) => {
    const { key } = await keyWith();
    expect(verdict(await ask({ 'x-service-key': key, ...named }))).toEqual([400, 'invalid_request', 'org_id_required']);
  });

  it('that is empty does not match the organization of a Bearer key', async () => {
    expect(verdict(await ask({ authorization: `Bearer ${org.key}`, 'x-org-id': '' }))).toEqual([
      403,
      'forbidden',
      'org_mismatch',
    ]);
  });

  it('can be omitted with a Bearer key, which belongs to one organization', async () => {
    expect((await ask({ authorization: `bearer  ${org.key}` })).status).toBe(200);
  });
});

it.each([
  ['no credential', {}],
  ['an empty key', { 'x-service-key': '' }],
  ['another scheme', { authorization: 'Basic cGZrOng=' }],
  ['an empty Bearer token', { authorization: 'Bearer' }],
])('%s is not a credential', async (_, headers) => {
  expect(verdict(await ask({ ...headers, 'x-org-id': org.org_id }))).toEqual([401, 'unauthorized', 'invalid_api_key']);
});

describe('a key of the other stage', () => {
  it('gets an error with the URL of its stage', async () => {
    const live = await startHost({ stage: 'live' });
    const strangers = [
      await ask({ authorization: `Bearer ${live.info.keys.secret}` }),
      await live.call('GET', '/v1/payments', undefined, { key: org.key }),
    ];
    await live.close();
    for (const [n, { deps }] of [host, live].entries()) {
      expect(strangers[n]).toMatchObject({
        status: 401,
        body: {
          error: 'unauthorized',
          code: 'wrong_stage',
          message: expect.stringContaining(deps.config.otherStageUrl),
        },
      });
    }
  });
});
