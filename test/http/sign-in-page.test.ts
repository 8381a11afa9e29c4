import { createHash } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { showSignIn } from '#functions/hosted-pages/sign-in/show-sign-in.usecase.ts';
import { type Answer, startHost, type TestHost } from '#test/support/host.ts';
import { mailedToken, verify } from '#test/support/people.ts';

let host: TestHost;
beforeAll(async () => {
  host = await startHost();
});
afterAll(() => host?.close());

const look = (query = ''): Promise<Answer> => host.call('GET', `/sign-in${query}`, undefined, { key: null });

it('is a page that nobody keeps, frames or learns the address of', async () => {
  const { status, headers, text } = await look(`?token=${'a'.repeat(43)}`);
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

it('uses up no link, however often it is looked at', async () => {
  const token = await mailedToken(host, 'scanned@example.com');
  for (let times = 0; times < 3; times += 1) expect((await look(`?token=${token}`)).text).toContain(`value="${token}"`);
  for (const path of ['/sign-in', '/v1/auth/verify']) {
    expect((await fetch(`${host.info.api}${path}?token=${token}`, { method: 'HEAD' })).headers.getSetCookie()).toEqual(
      [],
    );
  }
  expect((await verify(host, token)).status).toBe(200);
});

it.each([
  ['markup', `?token=${encodeURIComponent('"><script>alert(1)</script>')}`],
  ['a token and more', `?token=${'a'.repeat(43)}'`],
  ['two tokens', `?token=${'a'.repeat(43)}&token=${'b'.repeat(43)}`],
  ['half a token', '?token=aaaa'],
  ['none', '?token='],
])('says of a link with %s that it is not whole, and repeats nothing of it', async (_, query) => {
  const { status, text } = await look(query);
  expect([status, text.includes('This sign-in link is not whole.'), /aaa|bbb|alert/.test(text)]).toEqual([
    200,
    true,
    false,
  ]);
});

it('asks for the address where there is no link, and ignores what else is asked', async () => {
  const plain = await look();
  expect(plain.text).toContain('type="email"');
  expect((await look('?email=a%40example.com&next=https%3A%2F%2Fevil.example')).text).toBe(plain.text);
});

it('goes on to the dashboard, where there is one', async () => {
  const shown = async (dashboardUrl: string | undefined) => {
    const request = { headers: {}, rawBody: Buffer.alloc(0), query: {}, params: {}, cookies: {}, ip: '' };
    return (await showSignIn(request, { config: { ...host.deps.config, dashboardUrl } })).body;
  };
  expect(await shown('https://dash.example/?a=1&b="')).toContain('data-next="https://dash.example/?a=1&amp;b=&quot;"');
  expect(await shown(undefined)).not.toContain('data-next=');
});

it('is a page also where it cannot be shown', async () => {
  const limited = await startHost({ rateLimits: true });
  try {
    let answer = await fetch(`${limited.info.api}/sign-in`);
    for (let times = 0; times < 501 && answer.status === 200; times += 1)
      answer = await fetch(`${limited.info.api}/sign-in`);
    const text = await answer.text();
    expect([answer.status, answer.headers.get('content-type'), /Too many requests/.test(text)]).toEqual([
      429,
      'text/html; charset=utf-8',
      true,
    ]);
  } finally {
    await limited.close();
  }
});
