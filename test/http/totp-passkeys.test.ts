import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Authenticator } from '#test/support/authenticator.ts';
import { type ApiResponse, type Body, startHost, type TestHost } from '#test/support/host.ts';
import { mailedToken, type SignedInUser, signIn, verify } from '#test/support/people.ts';
import { aTotpUser, skipSteps, withTotp, wrongCodeAt } from '#test/support/totp-app.ts';

let host: TestHost;
beforeAll(async () => {
  host = await startHost();
  await skipSteps(host);
});
afterAll(() => host?.close());

let count = 0;
const someone = (): string => `someone-${++count}@example.com`;
const outcome = ({ status, body }: ApiResponse) => [status, body.code];
const WRONG = [401, 'invalid_code'];

const begin = (person: SignedInUser, body?: Body) => person.call('POST', '/v1/auth/webauthn/register/begin', body);
const finish = (person: SignedInUser, options: Body) =>
  person.call('POST', '/v1/auth/webauthn/register/finish', new Authenticator().create(options));

describe('adding a passkey with two-factor authentication on', () => {
  it('needs a code of the app, and uses it up', async () => {
    const person = await aTotpUser(host, someone());
    for (const body of [undefined, {}]) expect(outcome(await begin(person, body))).toEqual([401, 'totp_required']);
    const code = person.code();
    expect(outcome(await begin(person, { code: wrongCodeAt(person.secret, host.clock.now()) }))).toEqual(WRONG);
    const begun = await begin(person, { code });
    expect([begun.status, (await finish(person, begun.body)).status]).toEqual([200, 201]);
    expect(outcome(await begin(person, { code }))).toEqual(WRONG);
    expect(outcome(await verify(host, await mailedToken(host, person.user.email), code))).toEqual(WRONG);
  });

  it('accepts a recovery code once', async () => {
    const person = await aTotpUser(host, someone());
    const [code] = person.recoveryCodes;
    expect((await begin(person, { code })).status).toBe(200);
    expect(outcome(await begin(person, { code }))).toEqual(WRONG);
  });

  it('succeeds for one of two requests with the same code', async () => {
    const person = await aTotpUser(host, someone());
    const answers = await Promise.all([1, 2].map(() => begin(person, { code: person.code() })));
    // The other request lost the race, or came after the code was used.
    expect(answers.map(({ status }) => status).sort()).toEqual([
      200,
      expect.toSatisfy((status: number) => status === 409 || status === 401),
    ]);
  });

  it('does not use the code up if the user has too many passkeys', async () => {
    const person = await signIn(host, someone());
    for (let n = 0; n < 20; n += 1) expect((await finish(person, (await begin(person)).body)).status).toBe(201);
    const full = await withTotp(host, person);
    expect(outcome(await begin(full, { code: full.code() }))).toEqual([409, 'passkey_limit']);
    expect((await verify(host, await mailedToken(host, person.user.email), full.code())).status).toBe(200);
  });

  it('needs no code to delete a passkey', async () => {
    const person = await aTotpUser(host, someone());
    const { body } = await finish(person, (await begin(person, { code: person.code() })).body);
    expect((await person.call('DELETE', `/v1/auth/webauthn/credentials/${body.id}`)).status).toBe(200);
  });
});

it('adding a passkey ignores the code while two-factor authentication is off, but checks its format', async () => {
  const person = await signIn(host, someone());
  expect((await begin(person, { code: '123456' })).status).toBe(200);
  expect(outcome(await begin(person, { code: '12' }))).toEqual([400, 'invalid_request']);
});
