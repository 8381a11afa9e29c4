import { afterAll, beforeAll, expect, it } from 'vitest';
import { MailError } from '#shared/ports/mail.port.ts';
import { Authenticator } from '#test/support/authenticator.ts';
import { type Body, startHost, type TestHost } from '#test/support/host.ts';
import { type SignedInPerson, signIn } from '#test/support/people.ts';
import { codeAt, passSteps } from '#test/support/totp-app.ts';

let host: TestHost;
beforeAll(async () => {
  host = await startHost();
});
afterAll(() => host?.close());

const noticesTo = async ({ user }: SignedInPerson): Promise<Body[]> =>
  (await host.control('GET', `/mailbox?to=${encodeURIComponent(user.email)}`)).body.filter(
    ({ subject }: Body) => subject !== 'Your sign-in link',
  );

const begin = async ({ call }: SignedInPerson): Promise<Body> =>
  (await call('POST', '/v1/auth/webauthn/register/begin')).body;

/** Each thing that changes how somebody signs in, and what was answered. */
async function changeAll(person: SignedInPerson): Promise<readonly number[]> {
  const { call } = person;
  const device = new Authenticator();
  const added = await call('POST', '/v1/auth/webauthn/register/finish', device.create(await begin(person)));
  const removed = await call('DELETE', `/v1/auth/webauthn/credentials/${device.id}`);
  const { secret } = (await call('POST', '/v1/auth/2fa/setup')).body;
  const on = await call('POST', '/v1/auth/2fa/enable', { code: codeAt(secret, host.clock.now()) });
  await passSteps(host);
  const off = await call('POST', '/v1/auth/2fa/disable', { code: codeAt(secret, host.clock.now()) });
  return [added, removed, on, off].map(({ status }) => status);
}

it('tells by mail of each change to how somebody signs in, and what to do if it was somebody else', async () => {
  const person = await signIn(host, 'told@example.com');
  expect(await changeAll(person)).toEqual([201, 200, 200, 200]);
  const mails = await noticesTo(person);
  expect(mails.map(({ subject }) => subject)).toEqual([
    'A passkey was added',
    'A passkey was removed',
    'Two-factor authentication was turned on',
    'Two-factor authentication was turned off',
  ]);
  for (const { subject, text } of mails) {
    expect(text).toContain(`${subject} where you sign in with this mail address.`);
    expect(text).toContain('If it was not you, somebody else is signed in as you');
    expect(text.match(/http\S+/g)).toEqual([`${host.deps.config.pagesUrl}/sign-in`]);
  }
});

it('tells nobody of what was refused', async () => {
  const person = await signIn(host, 'refused@example.com');
  const options = await begin(person);
  await person.call(
    'POST',
    '/v1/auth/webauthn/register/finish',
    new Authenticator().create(options, { unverified: true }),
  );
  await person.call('DELETE', '/v1/auth/webauthn/credentials/none');
  await person.call('POST', '/v1/auth/2fa/setup');
  await person.call('POST', '/v1/auth/2fa/enable', { code: '000000' });
  expect(await noticesTo(person)).toEqual([]);
});

it('changes all the same where the mail does not go, and says so in the log', async () => {
  const { mail } = host.deps;
  const person = await signIn(host, 'unmailed@example.com');
  Object.assign(host.deps, {
    mail: { send: () => Promise.reject(new MailError('unavailable', 'The post is closed.')) },
  });
  expect(await changeAll(person)).toEqual([201, 200, 200, 200]);
  Object.assign(host.deps, { mail });
  expect(await noticesTo(person)).toEqual([]);
  expect(host.logged.filter(({ event }) => event === 'notice_not_mailed')).toHaveLength(4);
});
