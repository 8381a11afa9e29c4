import { createHash } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { showSignIn } from '#functions/hosted-pages/sign-in/show-sign-in.usecase.ts';
import { type ApiResponse, startHost, type TestHost } from '#test/support/host.ts';
import { mailedToken, verify } from '#test/support/people.ts';

let host: TestHost;
beforeAll(async () => {
  host = await startHost();
});
afterAll(() => host?.close());

const openPage = (query = ''): Promise<ApiResponse> => host.call('GET', `/sign-in${query}`, undefined, { key: null });

it('the sign-in page is not cached, framed, indexed or sent as a referrer', async () => {
  const { status, headers, text } = await openPage(`?token=${'a'.repeat(43)}`);
  expect(status).toBe(200);
  expect(Object.fromEntries(headers)).toMatchObject({
    'content-type': 'text/html; charset=utf-8',
    'cache-control': 'no-store',
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
    'x-robots-tag': 'noindex',
  });
  const hashOf = (tag: string) =>
    createHash('sha256')
      .update(new RegExp(`<${tag}>([^]*?)</${tag}>`).exec(text)?.[1] ?? '')
      .digest('base64');
  expect(headers.get('content-security-policy')).toBe(
    `default-src 'none'; style-src 'sha256-${hashOf('style')}'; script-src 'sha256-${hashOf('script')}'; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'`,
  );
});

it('the sign-in page uses up no link, however often it is opened', async () => {
  const token = await mailedToken(host, 'scanned@example.com');
  for (let times = 0; times < 3; times += 1)
    expect((await openPage(`?token=${token}`)).text).toContain(`value="${token}"`);
  for (const path of ['/sign-in', '/v1/auth/verify']) {
    expect((await fetch(`${host.info.api}${path}?token=${token}`, { method: 'HEAD' })).headers.getSetCookie()).toEqual(
      [],
    );
  }
  expect((await verify(host, token)).status).toBe(200);
});

it('the sign-in page says whose account a link opens before it is used, and nothing about one that opens none', async () => {
  const shown = async (token: string) =>
    /<p id="link-intro" class="muted">(.*)<\/p>/.exec((await openPage(`?token=${token}`)).text)?.[1];
  const token = await mailedToken(host, 'whose&account@example.com');
  expect(await shown(token)).toBe(
    'This link opens the account <b><bdi>whose&amp;account@example.com</bdi></b>. The link works once: press the button to use it.',
  );
  await verify(host, token);
  for (const closed of [token, 'a'.repeat(43)])
    expect(await shown(closed)).toBe('The link works once: press the button to use it.');
});

it.each([
  ['markup', `?token=${encodeURIComponent('"><script>alert(1)</script>')}`],
  ['a token and more', `?token=${'a'.repeat(43)}'`],
  ['two tokens', `?token=${'a'.repeat(43)}&token=${'b'.repeat(43)}`],
  ['half a token', '?token=aaaa'],
  ['none', '?token='],
])('the sign-in page says that a link with %s is incomplete, and repeats nothing of it', async (_, query) => {
  const { status, text } = await openPage(query);
  expect([status, text.includes('This sign-in link is incomplete.'), /aaa|bbb|alert\(/.test(text)]).toEqual([
    200,
    true,
    false,
  ]);
});

it('the sign-in page asks for the email address if there is no link, and ignores other parameters', async () => {
  const plain = await openPage();
  expect(plain.text).toContain('type="email"');
  expect((await openPage('?email=a%40example.com&next=https%3A%2F%2Fevil.example')).text).toBe(plain.text);
});

it('the sign-in page continues to the dashboard of the settings, or to our own', async () => {
  const shown = async (dashboardUrl: string | undefined) => {
    const request = {
      method: 'GET',
      headers: {},
      rawBody: Buffer.alloc(0),
      query: {},
      params: {},
      cookies: {},
      ip: '',
    };
    return (await showSignIn(request, { ...host.deps, config: { ...host.deps.config, dashboardUrl } })).body;
  };
  expect(await shown('https://dash.example/?a=1&b="')).toContain('data-next="https://dash.example/?a=1&amp;b=&quot;"');
  expect(await shown(undefined)).toContain('data-next="/dashboard"');
});

it.each([
  ['/dashboard/payments/pay_1', '/dashboard/payments/pay_1'],
  ['/dashboard?status=failed&from=2027-01-01', '/dashboard?status=failed&amp;from=2027-01-01'],
  ['/dashboard/payments?q=%22%3E', '/dashboard/payments?q=%22%3E'],
  ['/docs/errors', '/docs/errors'],
  ['/docs/../v1/auth/verify?token=abc', '/dashboard'],
  ['/docsx', '/dashboard'],
  ['https://evil.example', '/dashboard'],
  ['//evil.example/dashboard', '/dashboard'],
  ['/\\evil.example', '/dashboard'],
  ['/dashboard.evil.example', '/dashboard'],
  ['/dashboard@evil.example', '/dashboard'],
  ['/dashboard\\evil.example', '/dashboard'],
  ['/dashboard/\njavascript:alert(1)', '/dashboard'],
  ['javascript:alert(1)//dashboard', '/dashboard'],
  ['/v1/auth/logout', '/dashboard'],
  ['/dashboard/../v1/auth/verify?token=abc', '/dashboard'],
  ['/dashboard/%2e%2E/v1/auth/verify?token=abc', '/dashboard'],
  ['/dashboard/payments/../../sign-in', '/dashboard'],
  ['/dashboard?search=../..', '/dashboard?search=../..'],
  [`/dashboard/${'a'.repeat(2_000)}`, '/dashboard'],
])('after a visit of %j the sign-in page continues to %j', async (next, shown) => {
  const { text } = await openPage(`?next=${encodeURIComponent(next)}`);
  expect(text).toContain(` data-next="${shown}"`);
});

it('the sign-in page shows errors as a page', async () => {
  const limited = await startHost({ rateLimits: true });
  try {
    let response = await fetch(`${limited.info.api}/sign-in`);
    for (let times = 0; times < 501 && response.status === 200; times += 1)
      response = await fetch(`${limited.info.api}/sign-in`);
    const text = await response.text();
    expect([response.status, response.headers.get('content-type'), /Too many requests/.test(text)]).toEqual([
      429,
      'text/html; charset=utf-8',
      true,
    ]);
  } finally {
    await limited.close();
  }
});
