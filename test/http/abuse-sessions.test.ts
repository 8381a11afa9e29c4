import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startWatchedHost, type WatchedHost } from '#test/http/watched-host.support.ts';
import { type ApiResponse, type CallOptions, startHost } from '#test/support/host.ts';
import {
  browserWithCookie,
  cookieOf,
  DASHBOARD,
  mailedToken,
  type SignedInUser,
  signIn,
  verify,
} from '#test/support/people.ts';

let host: WatchedHost;
beforeAll(async () => {
  host = await startWatchedHost();
});
afterAll(() => host?.close());

let count = 0;
const someone = (): string => `abuse-${++count}@example.com`;
const orgOf = ({ organizations: [first] }: SignedInUser): string => first?.id ?? '';
const NOBODY: CallOptions = { key: null, idempotencyKey: null };
const session = (cookie: string, headers: Readonly<Record<string, string>> = {}): Promise<ApiResponse> =>
  host.call('GET', '/v1/auth/session', undefined, { key: null, headers: { cookie, ...headers } });
const resultOf = ({ status, body }: ApiResponse) => [status, body.code];
const NO_SESSION = [401, 'invalid_session'];

describe('a page of another origin', () => {
  let owner: SignedInUser;
  let org: string;
  beforeAll(async () => {
    owner = await signIn(host, someone());
    org = orgOf(owner);
  });
  const LOOK_ALIKES = [
    'https://evil.example',
    'null',
    '',
    'https://localhost:5173',
    'http://localhost:5173.evil.example',
    'http://localhost.evil.example',
    'http://evil.example#http://localhost:5173',
    'http://localhost:5173@evil.example',
    'http://localhost:5173/',
    'http://localhost:5173, https://evil.example',
    'https://evil.example, http://localhost:5173',
    'http://LOCALHOST:5173',
    'http://notlocalhost:5173',
    'http://[::1]:5173',
    'http://localhost:',
    'http://localhost:123456',
  ];

  it.each(LOOK_ALIKES)('can neither change nor read anything: %j', async (origin) => {
    const before = await host.stored();
    const tries: readonly (readonly [string, string, unknown])[] = [
      ['POST', '/v1/api-keys', { name: 'Key', scopes: [] }],
      ['PATCH', '/v1/organization', { name: 'Taken over' }],
      ['DELETE', `/v1/members/${owner.user.id}`, undefined],
      ['POST', '/v1/auth/logout', undefined],
    ];
    for (const [method, path, body] of tries) {
      const answer = await owner.call(method, path, body, { org, headers: { origin } });
      expect([...resultOf(answer), answer.headers.get('access-control-allow-origin')]).toEqual([
        403,
        'bad_origin',
        null,
      ]);
    }
    expect(await host.stored()).toEqual(before);
    expect((await session(owner.cookie, { origin })).headers.get('access-control-allow-origin')).toBeNull();
  });

  it.each([
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'text/plain',
    'text/plain; application/json',
  ])('cannot send a form, which browsers allow to every page: %s', async (type) => {
    const send = (origin: string) =>
      owner.call('POST', '/v1/api-keys', '{"name":"Key","scopes":[]}', {
        org,
        headers: { 'content-type': type, origin },
      });
    expect(resultOf(await send('https://evil.example'))).toEqual([403, 'bad_origin']);
    expect(resultOf(await send(DASHBOARD))).toEqual([400, 'unsupported_content_type']);
    const logout = {
      method: 'POST',
      headers: { cookie: owner.cookie, 'content-type': type, origin: 'https://evil.example' },
    };
    expect((await fetch(`${host.info.api}/v1/auth/logout`, logout)).status).toBe(403);
    expect((await session(owner.cookie)).status).toBe(200);
  });

  it.each([
    ['a header', {}, { 'x-http-method-override': 'DELETE', 'x-method-override': 'DELETE' }],
    ['a parameter', { _method: 'DELETE' }, {}],
  ])('cannot turn a GET into a DELETE by %s', async (_, query, headers) => {
    const { id } = (await owner.call('POST', '/v1/api-keys', { name: 'Key', scopes: [] }, { org })).body;
    await owner.call('GET', `/v1/api-keys?${new URLSearchParams(query)}`, undefined, { org, headers });
    await owner.call('GET', `/v1/api-keys/${id}`, undefined, { org, headers });
    const { api_keys } = (await owner.call('GET', '/v1/api-keys', undefined, { org })).body;
    expect(api_keys).toContainEqual(expect.objectContaining({ id }));
  });
});

describe('a sign-in link', () => {
  it('gets the same error for every reason why it is invalid', async () => {
    const [used, late] = [await mailedToken(host, someone()), await mailedToken(host, someone())];
    await verify(host, used);
    await host.control('POST', '/clock', { advance: '16m' });
    const tokens = [used, late, 'x'.repeat(43), 'x', '', "' OR 1=1 --", '../../etc/passwd'];
    const answers = await Promise.all(tokens.map((token) => verify(host, encodeURIComponent(token))));
    expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
    expect(resultOf(answers[0] as ApiResponse)).toEqual([401, 'invalid_link']);
    expect(answers.flatMap(({ headers }) => headers.getSetCookie())).toEqual([]);
  });

  it('is not used up by mail scanners, HEAD or OPTIONS', async () => {
    const token = await mailedToken(host, someone());
    for (const path of ['/sign-in', '/v1/auth/verify']) {
      for (const method of ['HEAD', 'OPTIONS']) await fetch(`${host.info.api}${path}?token=${token}`, { method });
    }
    await fetch(`${host.info.api}/sign-in?token=${token}`);
    expect((await verify(host, token)).status).toBe(200);
  });

  it('signs in the first of two browsers only', async () => {
    const token = await mailedToken(host, someone());
    const [first, second] = [await verify(host, token), await verify(host, token)];
    expect([first.status, ...resultOf(second), second.headers.getSetCookie()]).toEqual([200, 401, 'invalid_link', []]);
    expect((await session(cookieOf(first))).status).toBe(200);
  });

  it('is not logged, and neither is the session cookie', async () => {
    const token = await mailedToken(host, someone());
    const cookie = cookieOf(await verify(host, token)).split('=')[1] ?? '';
    await verify(host, token);
    expect([token, cookie].filter((secret) => secret === '' || JSON.stringify(host.logged).includes(secret))).toEqual(
      [],
    );
    const stored = (await host.stored()).join();
    expect([token, cookie].filter((secret) => stored.includes(secret))).toEqual([]);
  });
});

describe('a cookie', () => {
  it('that was planted before the sign-in is replaced, and gets no rights', async () => {
    const [thief, email] = [await signIn(host, someone()), someone()];
    for (const planted of [thief.cookie, `service_session=${'a'.repeat(43)}`]) {
      const token = await mailedToken(host, email);
      const answer = await host.call('GET', `/v1/auth/verify?token=${token}`, undefined, {
        key: null,
        headers: { cookie: planted },
      });
      expect([answer.status, cookieOf(answer)]).toEqual([
        200,
        expect.stringMatching(/^service_session=[A-Za-z0-9]{43}$/),
      ]);
      expect([cookieOf(answer) === planted, (await session(cookieOf(answer))).body.user.email]).toEqual([false, email]);
    }
    expect((await session(thief.cookie)).body.user.email).toBe(thief.user.email);
    expect(resultOf(await session(`service_session=${'a'.repeat(43)}`))).toEqual(NO_SESSION);
  });

  it('that was stolen is invalid once its owner has signed out', async () => {
    const owner = await signIn(host, someone());
    await owner.call('POST', '/v1/auth/logout');
    const thief = browserWithCookie(host, owner.cookie);
    for (const [method, path] of [
      ['GET', '/v1/auth/session'],
      ['GET', '/v1/api-keys'],
      ['POST', '/v1/webhooks/test'],
      ['GET', '/v1/platform/me'],
      ['POST', '/v1/auth/logout'],
    ] as const) {
      expect([path, ...resultOf(await thief.call(method, path, undefined, { org: orgOf(owner) }))]).toEqual([
        path,
        ...NO_SESSION,
      ]);
    }
  });

  it.each<readonly [string, (value: string) => string]>([
    ['of another name', (value) => `session=${value}`],
    ['of a longer name', (value) => `service_session_2=${value}`],
    ['of a name with a prefix', (value) => `__Host-service_session=${value}`],
    ['of a name in capitals', (value) => `SERVICE_SESSION=${value}`],
    ['in quotes', (value) => `service_session="${value}"`],
    ['with something behind it', (value) => `service_session=${value}x`],
    ['without its last letter', (value) => `service_session=${value.slice(0, -1)}`],
    ['in capitals', (value) => `service_session=${value.toUpperCase()}`],
    ['without a name', (value) => value],
    ['that holds the hash', (value) => `service_session=${Buffer.from(value).toString('hex')}`],
    ['of 8,000 characters', (value) => `service_session=${value.padEnd(8_000, 'x')}`],
    [
      'behind one of the same name that is worthless',
      (value) => `service_session=${'a'.repeat(43)}; service_session=${value}`,
    ],
    ['behind an empty one', (value) => `service_session=; service_session=${value}`],
    ['called __proto__', (value) => `__proto__=${value}`],
  ])('%s is not a session', async (_, made) => {
    const { cookie } = await signIn(host, someone());
    expect(resultOf(await session(made(cookie.split('=')[1] ?? '')))).toEqual(NO_SESSION);
  });

  it('is the first one where there are two with the name', async () => {
    const [one, other] = [await signIn(host, someone()), await signIn(host, someone())];
    const { status, body } = await session(`theme=dark; ${one.cookie}; ${other.cookie}; __proto__=x`);
    expect([status, body.user.id]).toEqual([200, one.user.id]);
    const both = browserWithCookie(host, `${one.cookie}; ${other.cookie}`);
    expect(resultOf(await both.call('GET', '/v1/connections', undefined, { org: orgOf(other) }))).toEqual([
      403,
      'org_mismatch',
    ]);
  });

  it('that is too long is rejected, and the service keeps running', async () => {
    const { cookie } = await signIn(host, someone());
    const reply = await fetch(`${host.info.api}/v1/auth/session`, {
      headers: { cookie: `${cookie}; filler=${'x'.repeat(20_000)}` },
    });
    expect([reply.status, (await session(cookie)).status]).toEqual([431, 200]);
  });
});

describe('a key together with a cookie', () => {
  it('is the only credential used, valid or not', async () => {
    const owner = await signIn(host, someone());
    const org = orgOf(owner);
    const { key: weak } = (
      await owner.call('POST', '/v1/api-keys', { name: 'Weak', scopes: ['payments:read'] }, { org })
    ).body;
    const both = (key: string, path: string, method = 'GET') => owner.call(method, path, undefined, { org, key });
    expect(resultOf(await both(host.info.keys.service, '/v1/connections'))).toEqual([403, 'org_mismatch']);
    expect(resultOf(await both(`${weak.slice(0, -1)}_`, '/v1/connections'))).toEqual([401, 'invalid_api_key']);
    expect(resultOf(await both(weak, '/v1/connections'))).toEqual([403, 'missing_scope']);
    expect((await both(weak, '/v1/payments')).status).toBe(200);
    expect((await both(weak, '/v1/auth/session')).body.user).toMatchObject(owner.user);
  });

  it('does not make up for a wrong origin where only sessions are accepted', async () => {
    const owner = await signIn(host, someone());
    const answer = await owner.call('POST', '/v1/auth/logout', undefined, {
      key: host.info.keys.service,
      headers: { origin: 'https://evil.example' },
    });
    expect(resultOf(answer)).toEqual([403, 'bad_origin']);
  });
});

it('the number of mailed sign-in links is limited, whoever requests them', async () => {
  const limited = await startHost({ rateLimits: true });
  const ask = (email: string) => limited.call('POST', '/v1/auth/magic-link', { email }, NOBODY);
  try {
    for (let n = 1; n <= 5; n += 1)
      expect((await ask(n % 2 === 0 ? 'Flooded@example.com' : 'flooded@example.com')).status).toBe(202);
    const refused = await ask('flooded@example.com');
    expect([...resultOf(refused), Number(refused.headers.get('retry-after'))]).toEqual([
      429,
      'rate_limited',
      expect.toSatisfy((n: number) => n >= 1 && n <= 900),
    ]);
    expect(limited.mailbox.to('flooded@example.com')).toHaveLength(5);
    // Requests that were refused for the address do not count towards the 20 of this source.
    for (let n = 6; n <= 20; n += 1) expect((await ask(`flooded-${n}@example.com`)).status).toBe(202);
    expect(resultOf(await ask('flooded-21@example.com'))).toEqual([429, 'rate_limited']);
    await limited.control('POST', '/clock', { advance: '16m' });
    expect((await ask('flooded@example.com')).status).toBe(202);
  } finally {
    await limited.close();
  }
});
