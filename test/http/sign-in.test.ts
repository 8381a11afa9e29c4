import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { scopesOf } from '#shared/domain/reference/access.catalog.ts';
import { startHost, type TestHost } from '#test/support/host.ts';
import { browserWithCookie, cookieOf, DASHBOARD, mailedToken, signIn, verify } from '#test/support/people.ts';

let host: TestHost;
beforeAll(async () => {
  host = await startHost();
});
afterAll(() => host?.close());

let count = 0;
const someone = (): string => `someone-${++count}@example.com`;

describe('a sign-in link', () => {
  it('creates a user and an organization for a new address, and signs in', async () => {
    const email = someone();
    const answer = await verify(host, await mailedToken(host, email));
    expect([answer.status, answer.body]).toEqual([
      200,
      {
        user: { id: expect.stringMatching(/^usr_/), email, totp_enabled: false },
        stage: 'sandbox',
        organizations: [
          { id: expect.stringMatching(/^org_/), name: 'My organization', role: 'owner', scopes: scopesOf('owner') },
        ],
        expires_at: expect.any(String),
        server_time: expect.any(String),
      },
    ]);
    expect(answer.headers.getSetCookie()).toEqual([
      expect.stringMatching(
        /^service_session=[A-Za-z0-9]{43}; Max-Age=604800; Path=\/; HttpOnly; Secure; SameSite=Lax$/,
      ),
      expect.stringMatching(
        /^service_browser=[A-Za-z0-9]{22}\.[0-9a-f]{32}; Max-Age=34560000; Path=\/; HttpOnly; Secure; SameSite=Lax$/,
      ),
    ]);
  });

  it('signs in to the same user and organization the next time', async () => {
    const email = someone();
    const [first, second] = [await signIn(host, email), await signIn(host, email.toUpperCase())];
    expect([second.user, second.organizations]).toEqual([first.user, first.organizations]);
    expect(second.cookie).not.toBe(first.cookie);
  });

  it('makes the bootstrapped owner the owner of the organization and of the platform', async () => {
    const { organizations } = await signIn(host, host.info.owner_email);
    expect(organizations).toEqual([
      { id: host.info.org_id, name: 'Demo Shop', role: 'owner', scopes: scopesOf('owner') },
    ]);
  });

  it('works once, even if it is used twice at the same time', async () => {
    const token = await mailedToken(host, someone());
    const answers = await Promise.all([verify(host, token), verify(host, token), verify(host, token)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 401, 401]);
    expect((await verify(host, token)).body.code).toBe('invalid_link');
  });

  it('creates one user if two links for the same new address are used at once', async () => {
    const email = someone();
    const [a, b] = [await mailedToken(host, email), await mailedToken(host, email)];
    const answers = await Promise.all([verify(host, a), verify(host, b)]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    expect(answers[0].body.organizations).toEqual(answers[1].body.organizations);
  });

  it('signs in everyone who uses a different link for the same user at once', async () => {
    const email = someone();
    for (const round of ['as a new user', 'as one who was here before']) {
      const tokens: string[] = [];
      for (let n = 0; n < 5; n += 1) tokens.push(await mailedToken(host, email));
      const answers = await Promise.all(tokens.map((token) => verify(host, token)));
      expect([round, answers.map(({ status }) => status)]).toEqual([round, Array(5).fill(200)]);
      expect(new Set(answers.map(({ body }) => JSON.stringify(body.organizations))).size).toBe(1);
    }
  });

  it('expires after 15 minutes', async () => {
    const [late, early] = [await mailedToken(host, someone()), await mailedToken(host, someone())];
    await host.control('POST', '/clock', { advance: '14m' });
    expect((await verify(host, early)).status).toBe(200);
    await host.control('POST', '/clock', { advance: '61s' });
    expect((await verify(host, late)).body.code).toBe('invalid_link');
  });
});

it.each([
  ['a link of another site', { 'sec-fetch-site': 'cross-site' }],
  ['a page of another origin', { origin: 'https://evil.example' }],
  [
    'a page of another origin that calls itself this site',
    { origin: 'https://evil.example', 'sec-fetch-site': 'same-origin' },
  ],
  ['a page without an origin of its own', { origin: 'null' }],
])('%s cannot sign a visitor in with a mailed link, nor use it up', async (_, headers: Record<string, string>) => {
  const token = await mailedToken(host, someone());
  const verifyWith = (sent: Record<string, string>) =>
    host.call('GET', `/v1/auth/verify?token=${token}`, undefined, { key: null, headers: sent });
  const refused = await verifyWith(headers);
  expect([refused.status, refused.body.code, refused.headers.getSetCookie()]).toEqual([403, 'bad_origin', []]);
  expect((await verifyWith({ 'sec-fetch-site': 'same-origin' })).status).toBe(200);
});

it('a page of the dashboard may use a mailed link, from whichever site it is', async () => {
  const token = await mailedToken(host, someone());
  const headers = { origin: DASHBOARD, 'sec-fetch-site': 'cross-site' };
  const used = await host.call('GET', `/v1/auth/verify?token=${token}`, undefined, { key: null, headers });
  expect([used.status, used.headers.get('access-control-allow-origin')]).toEqual([200, DASHBOARD]);
});

describe('a session', () => {
  it('gives the access of the user’s role', async () => {
    const { call, org } = await signIn(host, someone());
    expect((await call('GET', '/v1/connections', undefined, { org })).status).toBe(200);
    expect((await call('GET', '/v1/connections')).body.code).toBe('org_id_required');
    expect((await call('GET', '/v1/connections', undefined, { org: '' })).body.code).toBe('org_id_required');
    expect((await call('GET', '/v1/connections', undefined, { org: host.info.org_id })).body.code).toBe('org_mismatch');
    const made = await call('POST', '/v1/api-keys', { name: 'Key', scopes: ['payments:read'] }, { org });
    expect(made.status).toBe(201);
  });

  it('refuses changes from a page of another origin', async () => {
    const { call, org } = await signIn(host, someone());
    for (const origin of [
      'https://evil.example',
      'null',
      'http://localhost.evil.example',
      'http://localhost:5173.evil.example',
    ]) {
      const answer = await call('POST', '/v1/api-keys', { name: 'Key', scopes: [] }, { org, headers: { origin } });
      expect([answer.status, answer.body.code, answer.headers.get('access-control-allow-origin')]).toEqual([
        403,
        'bad_origin',
        null,
      ]);
    }
    expect((await call('GET', '/v1/api-keys', undefined, { org })).body.api_keys).toEqual([]);
  });

  it('ends when the user signs out, also for copies of the cookie', async () => {
    const { call, cookie } = await signIn(host, someone());
    expect((await call('GET', '/v1/auth/session')).status).toBe(200);
    const out = await call('POST', '/v1/auth/logout');
    expect([out.status, out.headers.getSetCookie()]).toEqual([
      200,
      [expect.stringContaining('service_session=; Max-Age=0')],
    ]);
    expect((await browserWithCookie(host, cookie).call('GET', '/v1/auth/session')).body.code).toBe('invalid_session');
  });

  it('ends with all other sessions of the user who signs out everywhere, and of no other user', async () => {
    const email = someone();
    const [one, two, other] = [await signIn(host, email), await signIn(host, email), await signIn(host, someone())];
    expect((await one.call('POST', '/v1/auth/logout', { everywhere: true })).status).toBe(200);
    const left = await Promise.all(
      [one, two, other].map(async ({ call }) => (await call('GET', '/v1/auth/session')).status),
    );
    expect(left).toEqual([401, 401, 200]);
  });

  it('ends after 12 hours without a request, and after 7 days in any case', async () => {
    const [idle, busy] = [await signIn(host, someone()), await signIn(host, someone())];
    const alive = async ({ call }: typeof idle) => (await call('GET', '/v1/auth/session')).status;
    await host.control('POST', '/clock', { advance: '11h' });
    expect([await alive(idle), await alive(busy)]).toEqual([200, 200]);
    for (let passed = 11; passed < 7 * 24 - 11; passed += 11) {
      await host.control('POST', '/clock', { advance: '11h' });
      expect(await alive(busy)).toBe(200);
    }
    expect(await alive(idle)).toBe(401);
    await host.control('POST', '/clock', { advance: '11h' });
    await host.control('POST', '/clock', { advance: '11h' });
    expect(await alive(busy)).toBe(401);
  });
});

it('has a new cookie at each sign-in, whatever cookie the browser sent', async () => {
  const plantedCookie = `service_session=${'a'.repeat(43)}`;
  const token = await mailedToken(host, someone());
  const answer = await host.call('GET', `/v1/auth/verify?token=${token}`, undefined, {
    key: null,
    headers: { cookie: plantedCookie },
  });
  expect(cookieOf(answer)).not.toBe(plantedCookie);
  expect((await browserWithCookie(host, plantedCookie).call('GET', '/v1/auth/session')).status).toBe(401);
});
