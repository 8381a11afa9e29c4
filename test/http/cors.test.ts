import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ROUTES } from '#functions/route-table.ts';
import { isRaw } from '#shared/http/route.ts';
import { addressOf, NEVER, OURS } from '#test/http/bad-input.support.ts';
import { fillWindow } from '#test/http/payments.support.ts';
import { rawRequest } from '#test/http/watched-host.support.ts';
import { type ApiResponse, type Body, type CallOptions, startHost, type TestHost } from '#test/support/host.ts';
import { anIntent, arrange, begin } from '#test/support/payment-steps.ts';
import { DASHBOARD, signIn } from '#test/support/people.ts';

let host: TestHost;
beforeAll(async () => {
  host = await startHost({ rateLimits: true });
});
afterAll(() => host?.close());

const ORIGIN = 'https://shop.example';
const PUBLIC = `/v1/payments/pay_${NEVER}/confirm-intent`;
const corsOf = ({ headers }: ApiResponse) => [...headers.keys()].filter((name) => name.startsWith('access-control-'));

describe('a response of a public endpoint', () => {
  const confirm = (body: Body, how: CallOptions = {}, path = PUBLIC) =>
    host.call('POST', path, body, {
      key: host.info.keys.public,
      idempotencyKey: null,
      ...how,
      headers: { origin: ORIGIN, ...how.headers },
    });
  const wrong = { client_secret: 'wrong' };
  const own = async (token = 'ok') => {
    const { id, client_secret } = await anIntent(host, token);
    return [{ client_secret }, `/v1/payments/${id}/confirm-intent`] as const;
  };

  async function confirmed(how: CallOptions = {}): Promise<ApiResponse> {
    const [secret, path] = await own();
    return confirm(secret, how, path);
  }

  async function again(): Promise<ApiResponse> {
    const [[secret, path], how] = [await own(), { idempotencyKey: randomUUID() }];
    await confirm(secret, how, path);
    return confirm(secret, how, path);
  }

  async function whileRunning(): Promise<ApiResponse> {
    const [[secret, path], how] = [await own(), { idempotencyKey: randomUUID() }];
    await arrange(host, 'slow:1000');
    const first = await begin(host, 'create', () => confirm(secret, how, path));
    const second = await confirm(secret, how, path);
    await first.answer;
    return second;
  }

  async function reused(): Promise<ApiResponse> {
    const how = { idempotencyKey: randomUUID() };
    await confirm(wrong, how);
    return confirm({ client_secret: 'wronger' }, how);
  }

  async function withFault(): Promise<ApiResponse> {
    await host.control('POST', '/faults', {
      point: 'table',
      nth: 1,
      kind: 'error',
      when: 'before',
      handler: 'payments',
    });
    return confirm(wrong);
  }

  async function overLimit(): Promise<ApiResponse> {
    await fillWindow(host, 100, () => confirm(wrong));
    return confirm(wrong);
  }

  it.each<readonly [string, number, () => Promise<ApiResponse>]>([
    ['a confirmation', 200, () => confirmed()],
    ['a repeated confirmation', 200, again],
    ['an invalid request', 400, () => confirm({})],
    ['broken JSON', 400, () => confirm('{')],
    ['no key', 401, () => confirm(wrong, { key: null })],
    ['a wrong key', 401, () => confirm(wrong, { key: 'pk_sandbox_wrong' })],
    ['another organization', 403, () => confirm(wrong, { headers: { 'x-org-id': 'org_other' } })],
    ['a wrong secret', 404, () => confirm(wrong)],
    ['a request that is still running', 409, whileRunning],
    ['a large body', 413, () => confirm('x'.repeat(300 * 1024))],
    ['a key used for something else', 422, reused],
    ['an internal error', 500, withFault],
    ['a full rate limit window', 429, overLimit],
  ])('can be read by any page: %s', async (_, status, ask) => {
    const answer = await ask();
    expect(answer.status).toBe(status);
    expect(answer.headers.get('access-control-allow-origin')).toBe('*');
    expect(corsOf(answer)).toEqual(['access-control-allow-origin', 'access-control-expose-headers']);
    const exposed = (answer.headers.get('access-control-expose-headers') ?? '').toLowerCase().split(', ');
    const telling = [...answer.headers.keys()].filter((name) => /^(x-r|x-should|retry|idempotency)/.test(name));
    expect(exposed).toEqual(
      expect.arrayContaining([
        'x-request-id',
        'x-ratelimit-limit',
        'x-ratelimit-remaining',
        'x-ratelimit-reset',
        ...telling,
      ]),
    );
  });

  it('has the CORS headers without an Origin too, so that no cache stores it without them', async () => {
    await host.control('POST', '/clock', { advance: '1m' });
    const answer = await host.call('POST', PUBLIC, wrong, { key: host.info.keys.public, idempotencyKey: null });
    expect([answer.headers.get('access-control-allow-origin'), answer.headers.get('vary')]).toEqual(['*', null]);
  });
});

it.each<readonly [string, string, number, CallOptions]>([
  ['a list', '/v1/payments', 200, {}],
  ['a list for a public key', '/v1/payments', 403, { key: 'public' }],
  ['a list without credentials', '/v1/payments', 401, { key: null }],
  ['a payment', `/v1/payments/pay_${NEVER}`, 404, {}],
  ['an unknown endpoint', '/v1/nothing', 404, {}],
])('no page can read %s', async (_, path, status, { key, ...how }) => {
  const asked = key === undefined ? how : { ...how, key: key && host.info.keys.public };
  const answer = await host.call('GET', path, undefined, { ...asked, headers: { origin: ORIGIN } });
  expect([answer.status, corsOf(answer)]).toEqual([status, []]);
});

describe('a preflight', () => {
  const ask = (path: string, headers: Readonly<Record<string, string>> = {}): Promise<ApiResponse> =>
    rawRequest({
      method: 'OPTIONS',
      url: host.info.api + path,
      headers: [['Origin', ORIGIN], ...Object.entries(headers)],
    });
  const preflight = (path: string, method = 'POST', asked = 'authorization,content-type') =>
    ask(path, { 'Access-Control-Request-Method': method, 'Access-Control-Request-Headers': asked });

  it('lets any page call a public endpoint, with every header that the endpoint accepts', async () => {
    const answer = await preflight(PUBLIC);
    expect([
      answer.status,
      answer.text,
      Object.fromEntries(corsOf(answer).map((name) => [name, answer.headers.get(name)])),
    ]).toEqual([
      204,
      '',
      {
        'access-control-allow-origin': '*',
        'access-control-allow-methods': 'POST',
        'access-control-allow-headers':
          'Authorization, X-Service-Key, Content-Type, Content-Encoding, X-Org-Id, Idempotency-Key, X-Idempotency-Key, ' +
          'X-Request-Id, Traceparent',
        'access-control-max-age': '7200',
      },
    ]);
    expect([answer.headers.get('content-length'), answer.headers.get('x-request-id')]).toEqual([
      null,
      expect.stringMatching(/^req_/),
    ]);
    expect(Number(answer.headers.get('x-ratelimit-limit'))).toBeGreaterThan(0);
  });

  it('needs no key, is not rate-limited, and causes no provider call and no warning', async () => {
    const before = (await preflight(PUBLIC)).headers.get('x-ratelimit-remaining');
    await Promise.all(Array.from({ length: 5 }, () => preflight(PUBLIC)));
    expect((await preflight(PUBLIC)).headers.get('x-ratelimit-remaining')).toBe(before);
  });

  // Addresses that browsers go to by themselves are no endpoints of the document: a script's question about them is 404.
  const others = Object.values(ROUTES)
    .flat()
    .filter(({ method, path }) => method !== 'OPTIONS' && !path.endsWith('+}'))
    .filter((route) => isRaw(route) || route.access !== 'public');
  it.each(others)('lets no page call $method $path', async (route) => {
    const answer = await preflight(addressOf(route), route.method);
    expect([answer.status, answer.text, corsOf(answer)]).toEqual([204, '', []]);
  });

  it.each<readonly [string, () => Promise<ApiResponse>]>([
    ['another method', () => preflight(PUBLIC, 'DELETE')],
    ['a method in lower case, which is a different one', () => preflight(PUBLIC, 'post')],
    ['no method', () => ask(PUBLIC)],
  ])('lets no page call a public endpoint with %s', async (_, send) => {
    const answer = await send();
    expect([answer.status, corsOf(answer)]).toEqual([204, []]);
  });

  it.each([
    '/v1/nothing',
    '/',
    '/v1/payments/',
    `${PUBLIC}/`,
    `/v1/payments//confirm-intent`,
    '/v1/payments/a%2Fb/confirm-intent',
    `/x${PUBLIC}`,
    '/{proxy+}',
    '/%E0%A4%A',
  ])('gets 404 for the unknown endpoint %s', async (path) => {
    const answer = await preflight(path);
    expect([answer.status, answer.body.code, corsOf(answer)]).toEqual([404, 'route_not_found', []]);
  });

  it('gets no response at the function URL, which providers call', async () => {
    const answer = await fetch(`${host.info.function_url}/webhooks/stripe`, { method: 'OPTIONS' });
    expect([answer.status, answer.headers.get('access-control-allow-origin')]).toEqual([405, null]);
    await answer.text();
  });
});

describe('a page of the dashboard', () => {
  const ours = OURS.filter((route) => route.access !== 'public');
  const asking = (path: string, method: string, origin: string) =>
    rawRequest({
      method: 'OPTIONS',
      url: host.info.api + path,
      headers: [
        ['Origin', origin],
        ['Access-Control-Request-Method', method],
      ],
    });

  it.each(ours)('can call $method $path, with the cookie', async (route) => {
    const { status, headers } = await asking(addressOf(route), route.method, DASHBOARD);
    expect([
      status,
      headers.get('access-control-allow-origin'),
      headers.get('access-control-allow-credentials'),
      headers.get('vary'),
    ]).toEqual([204, DASHBOARD, 'true', 'origin']);
    expect(headers.get('access-control-allow-methods')?.split(', ')).toContain(route.method);
  });

  it('can read the response, also of errors, and the Link of a list', async () => {
    const { call, org } = await signIn(host, 'reader@example.com');
    const answers = [
      await call('GET', '/v1/members?limit=1', undefined, { org }),
      await call('GET', '/v1/members'),
      await call('GET', '/v1/platform/audit'),
    ];
    expect(answers.map(({ status }) => status)).toEqual([200, 400, 403]);
    for (const { headers } of answers) {
      expect([
        headers.get('access-control-allow-origin'),
        headers.get('access-control-allow-credentials'),
        headers.get('vary'),
      ]).toEqual([DASHBOARD, 'true', 'origin']);
      expect(headers.get('access-control-expose-headers')).toContain('Link');
    }
  });

  it.each(['http://localhost.evil.example', 'http://localhost:5173.evil.example', 'https://localhost:5173', 'null'])(
    'is not one of %s',
    async (origin) => {
      expect(corsOf(await asking('/v1/members', 'GET', origin))).toEqual([]);
    },
  );

  it('cannot call callbacks, pages or the document by script', async () => {
    for (const path of ['/webhooks/stripe', '/pay/plink_1', '/openapi.json', '/sign-in'])
      expect(corsOf(await asking(path, 'GET', DASHBOARD)), path).toEqual([]);
  });
});
