import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Authenticator } from '#test/support/authenticator.ts';
import { type ApiResponse, startHost, type TestHost } from '#test/support/host.ts';
import { browserWithCookie, mailedToken, signIn, verify } from '#test/support/people.ts';
import { codeAt } from '#test/support/totp-app.ts';

/** What a thief reaches with a copy of a session's cookie, and what a proof under ten minutes old prevents. */
let host: TestHost;
beforeAll(async () => {
  host = await startHost();
});
afterAll(() => host?.close());

const outcome = ({ status, body }: ApiResponse) => [status, body.code];
const STALE = [401, 'fresh_proof_required'];
const pass = (time: string) => host.control('POST', '/clock', { advance: time });

/** The victim, and a thief with a copy of the cookie. */
async function aStolenSession(email: string) {
  const victim = await signIn(host, email);
  return { victim, thief: browserWithCookie(host, victim.cookie) };
}

describe('a thief with an old session', () => {
  it('adds no passkey that would sign in after the victim has signed out everywhere', async () => {
    const { victim, thief } = await aStolenSession('passkey-victim@example.com');
    const [begin, finish] = ['/v1/auth/webauthn/register/begin', '/v1/auth/webauthn/register/finish'];
    await pass('8m');
    const options = (await thief.call('POST', begin)).body;
    await pass('3m');
    expect(outcome(await thief.call('POST', begin))).toEqual(STALE);
    expect(outcome(await thief.call('POST', finish, new Authenticator().create(options)))).toEqual(STALE);
    await victim.call('POST', '/v1/auth/logout', { everywhere: true });
    const again = await signIn(host, victim.user.email);
    expect((await again.call('GET', '/v1/auth/webauthn/credentials')).body.credentials).toEqual([]);
  });

  it('turns on no second factor that would lock the victim out', async () => {
    const { victim, thief } = await aStolenSession('locked-out@example.com');
    await pass('8m');
    const { secret } = (await thief.call('POST', '/v1/auth/2fa/setup')).body;
    await pass('3m');
    expect(outcome(await thief.call('POST', '/v1/auth/2fa/setup'))).toEqual(STALE);
    const code = codeAt(secret, host.clock.now());
    expect(outcome(await thief.call('POST', '/v1/auth/2fa/enable', { code }))).toEqual(STALE);
    expect((await verify(host, await mailedToken(host, victim.user.email))).status).toBe(200);
  });

  it('creates and revokes no API key', async () => {
    const { victim, thief } = await aStolenSession('keys-victim@example.com');
    const { org } = victim;
    const key = (await victim.call('POST', '/v1/api-keys', { name: 'Mine', scopes: [] }, { org })).body;
    await pass('11m');
    expect(outcome(await thief.call('POST', '/v1/api-keys', { name: 'Theirs', scopes: [] }, { org }))).toEqual(STALE);
    expect(outcome(await thief.call('DELETE', `/v1/api-keys/${key.id}`, undefined, { org }))).toEqual(STALE);
    const { api_keys } = (await victim.call('GET', '/v1/api-keys', undefined, { org })).body;
    expect(api_keys.map(({ name }: { name: string }) => name)).toEqual(['Mine']);
  });
});

it('turning on the second factor gives the session a new cookie, and a copy of the old one opens nothing', async () => {
  const { victim, thief } = await aStolenSession('renewed@example.com');
  const { secret } = (await victim.call('POST', '/v1/auth/2fa/setup')).body;
  const ends = (await victim.call('GET', '/v1/auth/session')).body.expires_at;
  await pass('1m');
  const enabled = await victim.call('POST', '/v1/auth/2fa/enable', { code: codeAt(secret, host.clock.now()) });
  expect(enabled.headers.getSetCookie()).toEqual([
    expect.stringMatching(/^service_session=[A-Za-z0-9]{43}; Max-Age=\d+; Path=\/; HttpOnly; Secure; SameSite=Lax$/),
  ]);
  expect(enabled.body).toEqual({ totp_enabled: true });
  expect(outcome(await thief.call('GET', '/v1/auth/session'))).toEqual([401, 'invalid_session']);
  const session = (await victim.call('GET', '/v1/auth/session')).body;
  expect([session.user.totp_enabled, session.expires_at]).toEqual([true, ends]);
});
