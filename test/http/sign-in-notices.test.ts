import { afterAll, beforeAll, expect, it } from 'vitest';
import { MailError } from '#shared/ports/mail.port.ts';
import { Authenticator } from '#test/support/authenticator.ts';
import { type Body, startHost, type TestHost } from '#test/support/host.ts';
import { type SignedInUser, signIn } from '#test/support/people.ts';
import { codeAt, skipSteps } from '#test/support/totp-app.ts';

let host: TestHost;
beforeAll(async () => {
  host = await startHost();
});
afterAll(() => host?.close());

const noticesTo = async ({ user }: SignedInUser): Promise<Body[]> =>
  (await host.control('GET', `/mailbox?to=${encodeURIComponent(user.email)}`)).body.filter(
    ({ subject }: Body) => subject !== 'Your sign-in link',
  );

const begin = async ({ call }: SignedInUser): Promise<Body> =>
  (await call('POST', '/v1/auth/webauthn/register/begin')).body;

/** Makes every change that sends a security notice, and returns the statuses. */
async function changeAll(person: SignedInUser): Promise<readonly number[]> {
  const { call } = person;
  const device = new Authenticator();
  const added = await call('POST', '/v1/auth/webauthn/register/finish', device.create(await begin(person)));
  const removed = await call('DELETE', `/v1/auth/webauthn/credentials/${device.id}`);
  const { secret } = (await call('POST', '/v1/auth/2fa/setup')).body;
  const on = await call('POST', '/v1/auth/2fa/enable', { code: codeAt(secret, host.clock.now()) });
  await skipSteps(host);
  const off = await call('POST', '/v1/auth/2fa/disable', { code: codeAt(secret, host.clock.now()) });
  return [added, removed, on, off].map(({ status }) => status);
}

it('sends a security notice for each change of how a user signs in', async () => {
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
    expect(text).toContain(`${subject} for the account with this email address.`);
    expect(text).toContain('If you did not, someone else is signed in as you');
    const { pagesUrl } = host.deps.config;
    expect(text.match(/http\S+/g)).toEqual([
      expect.stringMatching(new RegExp(`^${pagesUrl}/account-link\\?action=undo&token=[A-Za-z0-9]{43}$`)),
      `${pagesUrl}/sign-in`,
    ]);
  }
});

it('sends no security notice for a refused change', async () => {
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

it('makes the change even if the security notice cannot be sent, and logs that', async () => {
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
