import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Authenticator } from '#test/support/authenticator.ts';
import { type ApiResponse, type Body, startHost, type TestHost } from '#test/support/host.ts';
import { mailedToken, type SignedInUser, signIn, verify } from '#test/support/people.ts';
import { aTotpUser, codeAt, skipSteps } from '#test/support/totp-app.ts';

let host: TestHost;
beforeAll(async () => {
  host = await startHost();
  await skipSteps(host);
});
afterAll(() => host?.close());

let count = 0;
const someone = (): string => `someone-${++count}@example.com`;
const outcome = ({ status, body }: ApiResponse) => [status, body.code];
const pass = (time: string) => host.control('POST', '/clock', { advance: time });

const mailsTo = async (email: string): Promise<Body[]> =>
  (await host.control('GET', `/mailbox?to=${encodeURIComponent(email)}`)).body;
/** The token of the newest mail about this change. */
async function undoToken({ user }: SignedInUser, subject: string): Promise<string> {
  const mail = (await mailsTo(user.email)).findLast((each) => each.subject === subject);
  return /account-link\?action=undo&token=([A-Za-z0-9]{43})/.exec(mail?.text ?? '')?.[1] ?? '';
}
const undo = (token: string) => host.call('POST', '/v1/auth/undo', { token }, { key: null, idempotencyKey: null });
const signInByMail = async ({ user }: SignedInUser, code?: string) =>
  verify(host, await mailedToken(host, user.email), code);

async function addPasskey({ call }: SignedInUser): Promise<Authenticator> {
  const device = new Authenticator();
  const begun = await call('POST', '/v1/auth/webauthn/register/begin');
  expect((await call('POST', '/v1/auth/webauthn/register/finish', device.create(begun.body))).status).toBe(201);
  return device;
}
const passkeySignIn = async (device: Authenticator): Promise<ApiResponse> => {
  const anyone = { key: null, idempotencyKey: null };
  const options = await host.call('POST', '/v1/auth/webauthn/authenticate/begin', {}, anyone);
  return host.call('POST', '/v1/auth/webauthn/authenticate/finish', device.get(options.body), anyone);
};
const removePasskey = ({ call }: SignedInUser, { id }: Authenticator) =>
  call('DELETE', `/v1/auth/webauthn/credentials/${id}`);
const isSignedIn = async ({ call }: SignedInUser) => (await call('GET', '/v1/auth/session')).status === 200;

const ON = 'Two-factor authentication was turned on';
const OFF = 'Two-factor authentication was turned off';

describe('the link in the mail about a change', () => {
  it('turns a second factor off that a thief turned on, and lets the owner in again', async () => {
    const thief = await aTotpUser(host, someone());
    expect(outcome(await signInByMail(thief))).toEqual([401, 'totp_required']);
    const undone = await undo(await undoToken(thief, ON));
    expect([undone.status, undone.body]).toEqual([200, { undone: 'totp_on' }]);
    expect([await isSignedIn(thief), (await signInByMail(thief)).status]).toEqual([false, 200]);
  });

  it('turns off what was set up again since, too', async () => {
    const thief = await aTotpUser(host, someone());
    const token = await undoToken(thief, ON);
    await thief.call('POST', '/v1/auth/2fa/disable', { code: thief.code() });
    const { secret } = (await thief.call('POST', '/v1/auth/2fa/setup')).body;
    await thief.call('POST', '/v1/auth/2fa/enable', { code: codeAt(secret, host.clock.now()) });
    expect((await undo(token)).status).toBe(200);
    expect((await signInByMail(thief)).status).toBe(200);
  });

  it('turns a second factor on again as it was, without the codes that were used', async () => {
    const person = await aTotpUser(host, someone());
    const [used, unused] = person.recoveryCodes;
    expect((await person.call('POST', '/v1/auth/2fa/disable', { code: used })).status).toBe(200);
    expect((await undo(await undoToken(person, OFF))).body).toEqual({ undone: 'totp_off' });
    expect(outcome(await signInByMail(person))).toEqual([401, 'totp_required']);
    expect(outcome(await signInByMail(person, used))).toEqual([401, 'invalid_code']);
    expect((await signInByMail(person, unused)).status).toBe(200);
    expect((await signInByMail(person, person.code())).status).toBe(200);
  });

  it('is refused while another second factor is on, and works once that one is undone', async () => {
    const person = await aTotpUser(host, someone());
    await person.call('POST', '/v1/auth/2fa/disable', { code: person.code() });
    const token = await undoToken(person, OFF);
    const { secret } = (await person.call('POST', '/v1/auth/2fa/setup')).body;
    await person.call('POST', '/v1/auth/2fa/enable', { code: codeAt(secret, host.clock.now()) });
    expect(outcome(await undo(token))).toEqual([409, 'totp_enabled']);
    expect(await isSignedIn(person)).toBe(true);
    expect((await undo(await undoToken(person, ON))).status).toBe(200);
    expect((await undo(token)).status).toBe(200);
    await skipSteps(host);
    expect((await signInByMail(person, person.code())).status).toBe(200);
  });

  it('removes a passkey that a thief added', async () => {
    const thief = await signIn(host, someone());
    const device = await addPasskey(thief);
    expect((await undo(await undoToken(thief, 'A passkey was added'))).body).toEqual({ undone: 'passkey_added' });
    expect([await isSignedIn(thief), outcome(await passkeySignIn(device))]).toEqual([false, [401, 'invalid_passkey']]);
    const owner = await signIn(host, thief.user.email);
    expect((await owner.call('GET', '/v1/auth/webauthn/credentials')).body.credentials).toEqual([]);
  });

  it('brings a removed passkey back', async () => {
    const person = await signIn(host, someone());
    const device = await addPasskey(person);
    expect((await removePasskey(person, device)).status).toBe(200);
    expect((await undo(await undoToken(person, 'A passkey was removed'))).body).toEqual({ undone: 'passkey_removed' });
    expect([await isSignedIn(person), (await passkeySignIn(device)).status]).toEqual([false, 200]);
  });

  it('brings nothing back that is there already, and is refused where there is no room', async () => {
    const person = await signIn(host, someone());
    const device = await addPasskey(person);
    await removePasskey(person, device);
    const first = await undoToken(person, 'A passkey was removed');
    for (let n = 0; n < 20; n += 1) await addPasskey(person);
    expect(outcome(await undo(first))).toEqual([409, 'passkey_limit']);
    expect(await isSignedIn(person)).toBe(true);
    const { credentials } = (await person.call('GET', '/v1/auth/webauthn/credentials')).body;
    await person.call('DELETE', `/v1/auth/webauthn/credentials/${credentials[0].id}`);
    expect((await undo(first)).status).toBe(200);
    const back = await passkeySignIn(device);
    expect(back.status).toBe(200);
  });

  it('signs out every session of the user, and no other user', async () => {
    const [person, other] = [await signIn(host, someone()), await signIn(host, someone())];
    const elsewhere = await signIn(host, person.user.email);
    await addPasskey(person);
    await undo(await undoToken(person, 'A passkey was added'));
    expect([await isSignedIn(person), await isSignedIn(elsewhere), await isSignedIn(other)]).toEqual([
      false,
      false,
      true,
    ]);
  });

  it('is answered by a mail without a link that undoes it', async () => {
    const person = await signIn(host, someone());
    await addPasskey(person);
    await undo(await undoToken(person, 'A passkey was added'));
    const last = (await mailsTo(person.user.email)).at(-1);
    expect(last.subject).toBe('Undone: a passkey was added');
    expect(last.text.match(/http\S+/g)).toEqual([`${host.deps.config.pagesUrl}/sign-in`]);
  });

  it('works once, also if it is used twice at the same time', async () => {
    const person = await signIn(host, someone());
    await addPasskey(person);
    const token = await undoToken(person, 'A passkey was added');
    const answers = await Promise.all([undo(token), undo(token), undo(token)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 401, 401]);
    expect(outcome(await undo(token))).toEqual([401, 'invalid_link']);
  });

  it('works for 72 hours', async () => {
    const [early, late] = [await signIn(host, someone()), await signIn(host, someone())];
    await Promise.all([addPasskey(early), addPasskey(late)]);
    const tokens = [await undoToken(early, 'A passkey was added'), await undoToken(late, 'A passkey was added')];
    await pass('71h');
    expect((await undo(tokens[0] ?? '')).status).toBe(200);
    await pass('61m');
    expect(outcome(await undo(tokens[1] ?? ''))).toEqual([401, 'invalid_link']);
  });

  it('cannot be used from a page of another site, nor with another token', async () => {
    const person = await signIn(host, someone());
    const device = await addPasskey(person);
    const token = await undoToken(person, 'A passkey was added');
    const foreign = await host.call(
      'POST',
      '/v1/auth/undo',
      { token },
      { key: null, idempotencyKey: null, headers: { origin: 'https://evil.example' } },
    );
    expect(outcome(foreign)).toEqual([403, 'bad_origin']);
    for (const wrong of ['a'.repeat(43), await mailedToken(host, person.user.email), 'none'])
      expect(outcome(await undo(wrong))).toEqual([401, 'invalid_link']);
    expect((await passkeySignIn(device)).status).toBe(200);
  });

  it('signs nobody in', async () => {
    const person = await signIn(host, someone());
    await addPasskey(person);
    const token = await undoToken(person, 'A passkey was added');
    expect(outcome(await verify(host, token))).toEqual([401, 'invalid_link']);
    expect((await undo(token)).headers.getSetCookie()).toEqual([]);
  });
});
