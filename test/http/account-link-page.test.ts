import { createHash } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { authRoutes } from '#functions/auth/auth.routes.ts';
import { ACCOUNT_LINK_ACTIONS } from '#functions/hosted-pages/account-links/account-link.model.ts';
import { ACCOUNT_LINK_MESSAGES } from '#functions/hosted-pages/account-links/messages.catalog.ts';
import { CUSTOMER_LANGUAGES } from '#shared/domain/accounts/organization.model.ts';
import { type ApiResponse, startHost, type TestHost } from '#test/support/host.ts';

let host: TestHost;
beforeAll(async () => {
  host = await startHost();
});
afterAll(() => host?.close());

const TOKEN = 'a'.repeat(43);
const openPage = (query: string, language = 'en'): Promise<ApiResponse> =>
  host.call('GET', `/account-link${query}`, undefined, { key: null, headers: { 'accept-language': language } });
const actions = Object.entries(ACCOUNT_LINK_ACTIONS);

it.each(actions)('the page of %s has a button that calls an endpoint of the API', async (action, path) => {
  const { status, text } = await openPage(`?action=${action}&token=${TOKEN}`);
  expect([status, text.includes(`action="${path}"`), text.includes(`value="${TOKEN}"`)]).toEqual([200, true, true]);
  expect(authRoutes.map(({ method, path: known }) => `${method} ${known}`)).toContain(`POST /${path}`);
});

it('speaks the languages of the payment pages', async () => {
  for (const language of CUSTOMER_LANGUAGES) {
    const { text, headers } = await openPage(`?action=undo&token=${TOKEN}`, language);
    const { heading } = ACCOUNT_LINK_MESSAGES[language].actions.undo;
    expect([headers.get('content-language'), text.includes(`<title>${heading} – Payfork</title>`)]).toEqual([
      language,
      true,
    ]);
  }
});

it('is not cached, framed, indexed or sent as a referrer, and runs one script only', async () => {
  const { headers, text } = await openPage(`?action=recover&token=${TOKEN}`);
  const hashOf = (tag: string) =>
    createHash('sha256')
      .update(new RegExp(`<${tag}>([^]*?)</${tag}>`).exec(text)?.[1] ?? '')
      .digest('base64');
  expect(Object.fromEntries(headers)).toMatchObject({
    'cache-control': 'no-store',
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
    'x-robots-tag': 'noindex',
    'content-security-policy': `default-src 'none'; style-src 'sha256-${hashOf('style')}'; script-src 'sha256-${hashOf('script')}'; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'`,
  });
});

it('accepts the token of a recovery, which names its user', async () => {
  const token = `usr_0000000000fqqspcfcnah2w30m.${TOKEN}`;
  expect((await openPage(`?action=finish-recovery&token=${token}`)).text).toContain(`value="${token}"`);
});

it.each([
  ['no action', `?token=${TOKEN}`],
  ['an unknown action', `?action=delete&token=${TOKEN}`],
  ['the name of a built-in property', `?action=constructor&token=${TOKEN}`],
  ['markup', `?action=undo&token=${encodeURIComponent('"><script>alert(1)</script>')}`],
  ['half a token', '?action=undo&token=aaaa'],
  ['two tokens', `?action=undo&token=${TOKEN}&token=${TOKEN}`],
])('says that a link with %s is incomplete, and repeats nothing of it', async (_, query) => {
  const { status, text } = await openPage(query);
  expect([status, text.includes('This link is incomplete.'), /aaaa|alert\(|delete/.test(text)]).toEqual([
    200,
    true,
    false,
  ]);
});
