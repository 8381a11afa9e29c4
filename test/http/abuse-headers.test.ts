import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { rawRequest, startWatchedHost, type WatchedHost } from '#test/http/watched-host.support.ts';
import { type ApiResponse, aPaymentBody, type CallOptions } from '#test/support/host.ts';
import { DASHBOARD, mailedToken, type SignedInUser, signIn } from '#test/support/people.ts';

let host: WatchedHost;
let owner: SignedInUser;
let org: string;
beforeAll(async () => {
  host = await startWatchedHost();
  owner = await signIn(host, 'owner@headers.example');
  org = owner.organizations[0]?.id ?? '';
});
afterAll(() => host?.close());

const NOBODY: CallOptions = { key: null, idempotencyKey: null };
const EVIL = 'evil.example';
const asked = (method: string, path: string, body?: unknown): Promise<ApiResponse> =>
  owner.call(method, path, body, { org });

/** Sends bytes unchanged and returns the raw response, for requests that no client sends. */
function bytes(text: string): Promise<string> {
  const { hostname, port } = new URL(host.info.api);
  return new Promise((resolve, reject) => {
    const parts: Buffer[] = [];
    const socket = connect(Number(port), hostname, () => void socket.write(text));
    socket
      .on('data', (part) => void parts.push(part))
      .on('error', reject)
      .on('close', () => resolve(Buffer.concat(parts).toString()));
  });
}

const PRETENDED: readonly (readonly [string, readonly (readonly [string, string])[]])[] = [
  ['Host', [['Host', EVIL]]],
  [
    'X-Forwarded-Host',
    [
      ['X-Forwarded-Host', EVIL],
      ['X-Forwarded-Proto', 'https'],
      ['X-Forwarded-Port', '666'],
    ],
  ],
  ['Forwarded', [['Forwarded', `host=${EVIL};proto=https`]]],
  [
    'X-Original-Host',
    [
      ['X-Original-Host', EVIL],
      ['X-Host', EVIL],
      ['X-Forwarded-Server', EVIL],
      ['X-Rewrite-URL', `//${EVIL}`],
    ],
  ],
  ['Referer', [['Referer', `https://${EVIL}/`]]],
];

describe.each(PRETENDED)('the request header %s', (_, pretended) => {
  const headersWith = (more: Readonly<Record<string, string>>) => {
    const { host: own } = new URL(host.info.api);
    return [
      ...(pretended.some(([name]) => name === 'Host') ? [] : [['Host', own] as const]),
      ...pretended,
      ...Object.entries(more),
    ];
  };
  const send = (method: string, path: string, body?: unknown, more: Readonly<Record<string, string>> = {}) =>
    bytes(
      [
        `${method} ${path} HTTP/1.1`,
        ...headersWith({
          ...(body !== undefined && { 'Content-Type': 'application/json' }),
          ...more,
          Connection: 'close',
        }).map(([name, value]) => `${name}: ${value}`),
        `Content-Length: ${body === undefined ? 0 : Buffer.byteLength(JSON.stringify(body))}`,
        '',
        body === undefined ? '' : JSON.stringify(body),
      ].join('\r\n'),
    );

  it('does not change the host of a mailed sign-in link', async () => {
    const email = `host-${pretended[0]?.[0].toLowerCase()}@headers.example`;
    expect(await send('POST', '/v1/auth/magic-link', { email })).toContain('HTTP/1.1 202');
    const text = host.mailbox.to(email).at(-1)?.text ?? '';
    expect([text.includes(`${host.deps.config.pagesUrl}/sign-in?token=`), text.includes(EVIL)]).toEqual([true, false]);
    expect(host.deps.config.pagesUrl).toBe(host.info.api.replace('127.0.0.1', 'localhost'));
  });

  it('does not change the host of an invitation or of any URL in a response', async () => {
    const how = {
      Authorization: `Bearer ${host.info.keys.service}`,
      'Idempotency-Key': `host ${pretended[0]?.[0]}`.replaceAll(' ', '-'),
    };
    const answers = [
      await send('POST', '/v1/payments', aPaymentBody(), how),
      await send(
        'POST',
        '/v1/payment-links',
        { amount: 1, currency: 'EUR' },
        { ...how, 'Idempotency-Key': `${how['Idempotency-Key']}-link` },
      ),
      await send('GET', '/v1/connections?limit=1', undefined, how),
      await send('GET', '/sign-in'),
      await send('GET', '/openapi.json'),
    ];
    expect(answers.map((text) => text.slice(0, 12))).toEqual([
      'HTTP/1.1 201',
      'HTTP/1.1 201',
      'HTTP/1.1 200',
      'HTTP/1.1 200',
      'HTTP/1.1 200',
    ]);
    expect(answers.filter((text) => text.includes(EVIL))).toEqual([]);
  });
});

it('invitation mails have the configured host', async () => {
  const email = 'invited@headers.example';
  const headers = { 'x-forwarded-host': EVIL, forwarded: `host=${EVIL}` };
  expect((await owner.call('POST', '/v1/members', { email, role: 'viewer' }, { org, headers })).status).toBe(201);
  const { text = '' } = host.mailbox.to(email)[0] ?? {};
  expect([text.includes(`${host.deps.config.pagesUrl}/sign-in?token=`), text.includes(EVIL)]).toEqual([true, false]);
});

describe('a redirect to a foreign site is impossible', () => {
  const NAMES = ['next', 'url', 'return_url', 'return_to', 'redirect', 'redirect_uri', 'continue', 'dashboard', 'to'];
  const query = new URLSearchParams(Object.fromEntries(NAMES.map((name) => [name, `https://${EVIL}/`])));

  it.each(['/sign-in', '/sign-in?token=bad'])('from %s', async (path) => {
    const reply = await fetch(`${host.info.api}${path}${path.includes('?') ? '&' : '?'}${query}`, {
      redirect: 'manual',
    });
    expect([reply.status, reply.headers.get('location'), (await reply.text()).includes(EVIL)]).toEqual([
      200,
      null,
      false,
    ]);
  });

  it('with further parameters in a sign-in link', async () => {
    const token = await mailedToken(host, 'redirect@headers.example');
    const answer = await host.call('GET', `/v1/auth/verify?token=${token}&${query}`, undefined, NOBODY);
    expect([answer.status, answer.headers.get('location'), answer.headers.getSetCookie()]).toEqual([400, null, []]);
    const page = await fetch(`${host.info.api}/sign-in?token=${token}&${query}`, { redirect: 'manual' });
    expect([page.status, (await page.text()).includes(EVIL)]).toEqual([200, false]);
  });

  it('on the return page of a provider', async () => {
    const method = { type: 'card', return_url: 'https://shop.example/thanks' };
    const { next_action } = (
      await host.call('POST', '/v1/payments', { amount: 5_000, currency: 'EUR', payment_method: method })
    ).body;
    const chosen = await fetch(next_action.url, {
      method: 'POST',
      body: new URLSearchParams({ do: 'pay' }),
      redirect: 'manual',
    });
    const back = await fetch(`${chosen.headers.get('location')}&${query}`, { redirect: 'manual' });
    expect([back.status, new URL(back.headers.get('location') ?? '').origin]).toEqual([303, 'https://shop.example']);
    expect(back.headers.get('location')).not.toContain(EVIL);
  });

  it.each([
    `//${EVIL}`,
    `/%2f%2f${EVIL}`,
    `/\\${EVIL}`,
    `/pay//${EVIL}`,
    `/pay/%2f%2f${EVIL}`,
    `/sign-in/..//${EVIL}`,
    `/v1/..;/${EVIL}`,
  ])('with the path %s', async (path) => {
    const answer = await rawRequest({ method: 'GET', url: host.info.api + path, headers: [] });
    expect([answer.status, answer.headers.get('location')]).toEqual([404, null]);
  });
});

describe('request data cannot inject a response or mail header', () => {
  const BREAKS = [
    '\r\nBcc: victim@example.com',
    '\nBcc: victim@example.com',
    '\r\n\r\n<b>hello</b>',
    '%0d%0aBcc: victim@example.com',
    '\u2028Bcc: victim@example.com',
    '\0',
    '\u0085x',
    ', victim@example.com',
    ' <victim@example.com>',
  ];

  it.each(BREAKS)('in an email address: %j', async (tail) => {
    for (const email of [`a@headers.example${tail}`, `${tail}a@headers.example`, `a${tail}@headers.example`]) {
      const before = host.mailbox.to(undefined).length;
      const answers = [
        await host.call('POST', '/v1/auth/magic-link', { email }, NOBODY),
        await asked('POST', '/v1/members', { email, role: 'viewer' }),
      ];
      expect(answers.map(({ status, body }) => [status, body.code])).toEqual([
        [400, 'invalid_request'],
        [400, 'invalid_request'],
      ]);
      expect(host.mailbox.to(undefined)).toHaveLength(before);
    }
  });

  it.each(BREAKS.filter((tail) => !tail.includes('\0')))('in the name of an organization: %j', async (tail) => {
    expect((await asked('PATCH', '/v1/organization', { name: `Shop${tail}` })).status).toBe(200);
    const email = `named-${Buffer.from(tail).toString('hex')}@headers.example`;
    expect((await asked('POST', '/v1/members', { email, role: 'viewer' })).status).toBe(201);
    const mails = host.mailbox.to(email);
    expect(mails.map(({ to }) => to)).toEqual([email]);
    expect(mails[0]?.subject).toMatch(/^You are invited to Shop[^\p{Cc}\u2028\u2029]*$/u);
    expect(mails[0]?.text).not.toMatch(/^Bcc:/m);
  });

  it('in the Link to the next page', async () => {
    const customer_id = 'c\r\nX-Evil: 1\r\nSet-Cookie: service_session=x';
    for (const token of ['ok', 'ok'])
      expect((await host.call('POST', '/v1/payments', aPaymentBody(token, { customer_id }))).status).toBe(201);
    const { status, headers } = await host.call(
      'GET',
      `/v1/payments?${new URLSearchParams({ limit: '1', customer_id })}`,
    );
    expect([status, headers.get('x-evil'), headers.getSetCookie()]).toEqual([200, null, []]);
    expect(headers.get('link')).toMatch(/^<http:\/\/127\.0\.0\.1:\d+\/v1\/payments\?[\w=&%.+-]+>; rel="next"$/);
  });

  it.each([
    '/v1/payments/',
    '/v1/connections/',
    '/pay/',
    '/pay/return/',
    '/sign-in',
    '/v1/auth/verify?token=',
    '/v1/payments?cursor=',
  ])('in the path %s', async (path) => {
    const text = await bytes(
      `GET ${path}%0d%0aX-Evil:%201%0d%0aSet-Cookie:%20service_session=x HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`,
    );
    const [head = ''] = text.split('\r\n\r\n');
    expect(head).toMatch(/^HTTP\/1\.1 (400|401|404) /);
    expect(head).not.toMatch(/^(x-evil|set-cookie):/im);
  });

  const FOLDED = ['X-Actor-Id', 'X-Org-Id', 'Idempotency-Key', 'Origin', 'Cookie'];
  it.each(FOLDED)('in %s, folded or broken', async (name) => {
    const before = await host.stored();
    for (const value of ['a\r\n folded: 1', 'a\nX-Evil: 1', 'a\rX-Evil: 1', 'a\0b']) {
      const text = await bytes(
        `POST /v1/webhooks/test HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: 0\r\nAuthorization: Bearer ${host.info.keys.public}\r\n${name}: ${value}\r\n\r\n`,
      );
      expect(text).toMatch(/^HTTP\/1\.1 4\d\d /);
      expect(text.split('\r\n\r\n')[0]).not.toMatch(/^(x-evil|folded):/im);
    }
    expect(await host.stored()).toEqual(before);
  });

  it('in X-Actor-Id', async () => {
    const actor = 'a; Set-Cookie: x=1 \u00e9<script>';
    const { id } = (
      await asked('POST', '/v1/connections', {
        provider: 'stripe',
        credentials: { secret_key: 'sk_test_1', webhook_secret: 'whsec_1' },
      })
    ).body;
    const key = (
      await asked('POST', '/v1/api-keys', { name: 'Key', scopes: ['connections:write', 'connections:read'] })
    ).body.key;
    const change = { key, headers: { 'x-actor-id': actor } };
    for (const wrong of ['a\tb', 'x'.repeat(201)]) {
      const refused = await host.call(
        'PATCH',
        `/v1/connections/${id}/labels`,
        { labels: ['eu'] },
        { key, headers: { 'x-actor-id': wrong } },
      );
      expect([refused.status, refused.body.details.fields[0].path]).toEqual([400, 'X-Actor-Id']);
    }
    const answer = await host.call('PATCH', `/v1/connections/${id}/labels`, { labels: ['eu'] }, change);
    expect([answer.status, answer.headers.getSetCookie()]).toEqual([200, []]);
    const [newest] = (await host.call('GET', `/v1/connections/${id}/audit`, undefined, { key })).body;
    expect([newest.action, newest.actor_id]).toEqual(['labels_changed', actor]);
    const own = await owner.call(
      'PATCH',
      `/v1/connections/${id}/labels`,
      { labels: ['us'] },
      { org, headers: { 'x-actor-id': 'usr_somebody_else', origin: DASHBOARD } },
    );
    expect(own.status).toBe(200);
    expect((await asked('GET', `/v1/connections/${id}/audit`)).body[0].actor_id).toBe(owner.user.id);
  });
});
