import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { MINUTE } from '#shared/kernel/clock.ts';
import { type ApiResponse, startHost, type TestHost } from '#test/support/host.ts';
import { mailedToken, verify } from '#test/support/people.ts';

let host: TestHost;
let day = 0;
beforeAll(async () => {
  host = await startHost({ rateLimits: true });
});
afterAll(() => host?.close());
// Each test has a day of its own, as the windows begin at midnight.
beforeEach(() => host.clock.stand(new Date(Date.UTC(2032, 0, 1 + 2 * ++day, 1))));

const later = (minutes: number): Promise<void> =>
  host.clock.stand(new Date(host.clock.now().getTime() + minutes * MINUTE));

const request = (email: string, cookie?: string): Promise<ApiResponse> =>
  host.call(
    'POST',
    '/v1/auth/magic-link',
    { email },
    { key: null, idempotencyKey: null, headers: cookie === undefined ? {} : { cookie } },
  );

/** How many links these requests sent. */
async function sent(times: number, email: string, cookie?: string): Promise<number> {
  const statuses: number[] = [];
  for (let n = 0; n < times; n += 1) statuses.push((await request(email, cookie)).status);
  return statuses.filter((status) => status === 202).length;
}

/** Signs in, and returns the cookie that remembers the browser. */
async function rememberedBrowser(email: string, cookie?: string): Promise<string> {
  const token = await mailedToken(host, email);
  const headers: Record<string, string> = cookie === undefined ? {} : { cookie };
  const signedIn = await host.call('GET', `/v1/auth/verify?token=${token}`, undefined, { key: null, headers });
  return (
    signedIn.headers
      .getSetCookie()
      .find((each) => each.startsWith('service_browser='))
      ?.split(';')[0] ?? ''
  );
}

it('sends 20 sign-in mails a day to an address for browsers that never signed in to it', async () => {
  const email = 'flooded@mails.example';
  const counts: number[] = [];
  for (let quarter = 0; quarter < 5; quarter += 1, await later(15)) counts.push(await sent(6, email));
  expect(counts).toEqual([5, 5, 5, 5, 0]);
  const refused = await request(email);
  const rest = (24 - 1) * 3_600 - 5 * 15 * 60;
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, String(rest)]);
  expect(refused.body.message).toContain('a browser in which you have signed in before');
  await later(rest / 60);
  expect((await request(email)).status).toBe(202);
});

it('sends the owner of an address a link in a browser that signed in before, whatever strangers have used up', async () => {
  const email = 'owner@mails.example';
  const cookie = await rememberedBrowser(email);
  for (let quarter = 0; quarter < 5; quarter += 1, await later(15)) await sent(6, email);
  expect([(await request(email)).status, await sent(6, email.toUpperCase(), cookie)]).toEqual([429, 5]);
  const counts: number[] = [];
  for (let quarter = 0; quarter < 4; quarter += 1) {
    await later(15);
    counts.push(await sent(6, email, cookie));
  }
  expect(counts).toEqual([5, 5, 5, 0]);
});

it.each([
  ['that signed in to another address', async () => rememberedBrowser('other@mails.example')],
  ['that claims to have signed in', async () => `service_browser=${'a'.repeat(22)}.${'0'.repeat(32)}`],
  ['with an unreadable cookie', async () => 'service_browser=.'],
])('gives a browser %s no allowance of its own', async (name, cookieOf) => {
  const email = `victim-${name.length}@mails.example`;
  const cookie = await cookieOf();
  expect([await sent(5, email), await sent(1, email, cookie)]).toEqual([5, 0]);
});

it('remembers all of the accounts that a browser signs in to', async () => {
  const [one, two] = ['one@mails.example', 'two@mails.example'];
  const cookie = await rememberedBrowser(two, await rememberedBrowser(one));
  await sent(6, one);
  await sent(6, two);
  expect([await sent(1, one, cookie), await sent(1, two, cookie), await sent(1, one)]).toEqual([1, 1, 0]);
});

it('tells the reader of a sign-in mail from where and when it was requested', async () => {
  const email = 'curious@mails.example';
  expect((await verify(host, await mailedToken(host, email))).status).toBe(200);
  const at = host.clock.now().toISOString();
  const text = host.mailbox.to(email).at(-1)?.text.replaceAll(/\s+/g, ' ');
  expect(text).toContain(`from the IP address 127.0.0.1 on ${at.slice(0, 10)} at ${at.slice(11, 16)} UTC.`);
});

it.each([
  ['de-AT,de;q=0.9,en;q=0.5', 'Ihr Anmeldelink', 'Anmelden|anzumelden'],
  ['fr', 'Votre lien de connexion', 'vous connecter'],
  ['es-MX', 'Su enlace de inicio de sesión', 'iniciar sesión'],
  ['nl', 'Uw inloglink', 'in te loggen'],
  ['pt-BR', 'O seu link de início de sessão', 'iniciar sessão'],
  ['ja,en;q=0.1', 'Your sign-in link', 'sign in'],
  [undefined, 'Your sign-in link', 'sign in'],
])('writes in the language that the browser asks for: %s', async (accepted, subject, words) => {
  const email = `reader-${subject.length}-${accepted ?? 'none'}@mails.example`.replaceAll(/[^\w@.-]/g, '');
  const headers: Record<string, string> = accepted === undefined ? {} : { 'accept-language': accepted };
  const how = { key: null, idempotencyKey: null, headers };
  expect((await host.call('POST', '/v1/auth/magic-link', { email }, how)).status).toBe(202);
  const mail = host.mailbox.to(email).at(-1);
  expect(mail?.subject).toBe(subject);
  expect(mail?.text).toMatch(new RegExp(words));
  expect(mail?.text).toMatch(/127\.0\.0\.1 .*\d{4}-\d\d-\d\d.*\d\d:\d\d UTC/);
  const token = /\/sign-in\?token=(\w+)/.exec(mail?.text ?? '')?.[1] ?? '';
  expect((await verify(host, token)).status).toBe(200);
});
