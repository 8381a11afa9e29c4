import { afterAll, beforeAll, expect, it } from 'vitest';
import { type ApiResponse, startHost, type TestHost } from '#test/support/host.ts';
import { mailedToken, verify } from '#test/support/people.ts';
import { aTotpUser, skipSteps, type TotpUser, wrongCodeAt } from '#test/support/totp-app.ts';

let host: TestHost;
beforeAll(async () => {
  host = await startHost({ rateLimits: true });
});
afterAll(() => host?.close());

const guesses = (person: TotpUser, times: number): Promise<ApiResponse[]> => {
  const code = wrongCodeAt(person.secret, host.clock.now());
  return Promise.all(Array.from({ length: times }, () => person.call('POST', '/v1/auth/2fa/disable', { code })));
};
const counted = (answers: readonly ApiResponse[], wanted: string): number =>
  answers.filter(({ body }) => body.code === wanted).length;

it('allows 50 codes a day per user, however many come at once; recovery codes still work', async () => {
  await host.clock.stand(new Date('2031-05-05T12:00:00Z'));
  const [person, other] = [await aTotpUser(host, 'guessed@example.com'), await aTotpUser(host, 'other@example.com')];
  await skipSteps(host);
  // Turning two-factor authentication on has tried one code.
  const answers = await guesses(person, 60);
  expect([counted(answers, 'invalid_code'), counted(answers, 'rate_limited')]).toEqual([49, 11]);

  const token = await mailedToken(host, person.user.email);
  const refused = await verify(host, token, person.code());
  const rest = Math.ceil((Date.parse('2031-05-06T00:00:00Z') - host.clock.now().getTime()) / 1_000);
  expect([refused.status, refused.headers.get('retry-after'), refused.headers.getSetCookie()]).toEqual([
    429,
    String(rest),
    [],
  ]);
  const begin = (code: string | undefined) => person.call('POST', '/v1/auth/webauthn/register/begin', { code });
  expect([(await begin(person.code())).body.code, (await begin(person.recoveryCodes[1])).status]).toEqual([
    'rate_limited',
    200,
  ]);
  expect((await verify(host, token, person.recoveryCodes[0])).status).toBe(200);
  expect((await other.call('POST', '/v1/auth/2fa/disable', { code: other.code() })).status).toBe(200);

  await host.clock.stand(new Date('2031-05-06T00:00:15Z'));
  expect((await verify(host, await mailedToken(host, person.user.email), person.code())).status).toBe(200);
});

it('allows 50 recovery codes a day per user, however many come at once; codes of the app still work', async () => {
  await host.clock.stand(new Date('2031-06-05T12:00:00Z'));
  const person = await aTotpUser(host, 'guessed-recovery@example.com');
  await skipSteps(host);
  const disable = (code: string | undefined) => person.call('POST', '/v1/auth/2fa/disable', { code });
  const answers = await Promise.all(Array.from({ length: 60 }, () => disable('AAAA-BBBB-CCCC-DDDD')));
  expect([counted(answers, 'invalid_code'), counted(answers, 'rate_limited')]).toEqual([50, 10]);
  expect((await disable(person.recoveryCodes[0])).body.code).toBe('rate_limited');
  expect((await disable(person.code())).status).toBe(200);
});
