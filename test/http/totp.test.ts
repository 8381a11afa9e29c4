import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ApiResponse, startHost, type TestHost } from '#test/support/host.ts';
import { mailedToken, type SignedInUser, signIn, verify } from '#test/support/people.ts';
import { aTotpUser, codeAt, skipSteps, wrongCodeAt } from '#test/support/totp-app.ts';

let host: TestHost;
beforeAll(async () => {
  host = await startHost();
  await skipSteps(host);
});
afterAll(() => host?.close());

let count = 0;
const someone = (): string => `someone-${++count}@example.com`;
const outcome = ({ status, body }: ApiResponse) => [status, body.code];
const setup = (person: SignedInUser) => person.call('POST', '/v1/auth/2fa/setup');
const enable = (person: SignedInUser, code: string) => person.call('POST', '/v1/auth/2fa/enable', { code });
const disable = (person: SignedInUser, code: string) => person.call('POST', '/v1/auth/2fa/disable', { code });
const isOn = async (person: SignedInUser): Promise<boolean> =>
  (await person.call('GET', '/v1/auth/session')).body.user.totp_enabled;
/** Signs in with a new sign-in link. */
const signInWithCode = async ({ user }: SignedInUser, code?: string): Promise<ApiResponse> =>
  verify(host, await mailedToken(host, user.email), code);
const WRONG = [401, 'invalid_code'];

describe('setting up', () => {
  it('returns the secret, its otpauth URL and ten recovery codes, and requires no code yet', async () => {
    const person = await signIn(host, someone());
    const { status, body, headers } = await setup(person);
    expect([status, headers.get('cache-control')]).toEqual([200, 'no-store']);
    expect(body).toEqual({
      secret: expect.stringMatching(/^[A-Z2-7]{32}$/),
      otpauth_url: expect.stringContaining(
        `:${encodeURIComponent(person.user.email)}?issuer=Payfork%20(sandbox)&secret=${body.secret}&`,
      ),
      recovery_codes: Array(10).fill(expect.stringMatching(/^([A-Z2-7]{4}-){3}[A-Z2-7]{4}$/)),
    });
    expect(new Set(body.recovery_codes).size).toBe(10);
    expect([await isOn(person), (await signInWithCode(person)).status]).toEqual([false, 200]);
  });

  it('ends the user’s other sessions, which began without a code, once it is enabled', async () => {
    const person = await signIn(host, someone());
    const elsewhere = await signIn(host, person.user.email);
    const { secret } = (await setup(person)).body;
    expect((await enable(person, codeAt(secret, host.clock.now()))).status).toBe(200);
    expect([await isOn(person), (await elsewhere.call('GET', '/v1/auth/session')).status]).toEqual([true, 401]);
  });

  it('replaces an earlier setup that was never confirmed', async () => {
    const person = await signIn(host, someone());
    const [first, second] = [(await setup(person)).body, (await setup(person)).body];
    const now = host.clock.now();
    expect(outcome(await enable(person, codeAt(first.secret, now)))).toEqual(WRONG);
    expect((await enable(person, codeAt(second.secret, now))).body).toEqual({ totp_enabled: true });
    expect(outcome(await signInWithCode(person, first.recovery_codes[0]))).toEqual(WRONG);
    expect((await signInWithCode(person, second.recovery_codes[0])).status).toBe(200);
  });

  it('leaves one valid secret if several setups run at once', async () => {
    const person = await signIn(host, someone());
    const answers = await Promise.all(Array.from({ length: 4 }, () => setup(person)));
    expect(answers.filter(({ status }) => status !== 200 && status !== 409)).toEqual([]);
    const secrets = answers.flatMap(({ status, body }) => (status === 200 ? [body.secret] : []));
    const enabled: number[] = [];
    for (const secret of secrets) enabled.push((await enable(person, codeAt(secret, host.clock.now()))).status);
    expect(enabled.filter((status) => status === 200)).toHaveLength(1);
  });

  it('is refused while two-factor authentication is on', async () => {
    const person = await aTotpUser(host, someone());
    expect(outcome(await setup(person))).toEqual([409, 'totp_enabled']);
    expect((await signInWithCode(person, person.code())).status).toBe(200);
  });
});

describe('turning on', () => {
  it('needs a code of the app', async () => {
    const person = await signIn(host, someone());
    expect(outcome(await enable(person, '123456'))).toEqual([409, 'totp_not_set_up']);
    const { secret, recovery_codes } = (await setup(person)).body;
    for (const code of [wrongCodeAt(secret, host.clock.now()), recovery_codes[0]])
      expect(outcome(await enable(person, code))).toEqual(WRONG);
    expect([await isOn(person), (await signInWithCode(person)).status]).toEqual([false, 200]);
    const code = codeAt(secret, host.clock.now());
    expect((await enable(person, `${code.slice(0, 3)} ${code.slice(3)}`)).body).toEqual({ totp_enabled: true });
    expect(outcome(await enable(person, codeAt(secret, host.clock.now(), 1)))).toEqual([409, 'totp_enabled']);
    expect([await isOn(person), outcome(await signInWithCode(person))]).toEqual([true, [401, 'totp_required']]);
  });

  it('uses the code up', async () => {
    const person = await signIn(host, someone());
    const code = codeAt((await setup(person)).body.secret, host.clock.now());
    await enable(person, code);
    expect([outcome(await signInWithCode(person, code)), outcome(await disable(person, code))]).toEqual([WRONG, WRONG]);
  });
});

describe('signing in', () => {
  it('asks for a code until one is sent, and leaves the link usable', async () => {
    const person = await aTotpUser(host, someone());
    const token = await mailedToken(host, person.user.email);
    for (let n = 0; n < 7; n += 1) expect(outcome(await verify(host, token))).toEqual([401, 'totp_required']);
    const { status, body } = await verify(host, token, person.code());
    expect([status, body.user]).toEqual([200, { ...person.user, totp_enabled: true }]);
    expect(outcome(await verify(host, token))).toEqual([401, 'invalid_link']);
  });

  it.each<[string, number, unknown]>([
    ['60 s behind', -2, WRONG],
    ['30 s behind', -1, [200, undefined]],
    ['30 s ahead', 1, [200, undefined]],
    ['60 s ahead', 2, WRONG],
  ])('with an app whose clock is %s', async (_, ahead, expected) => {
    const person = await aTotpUser(host, someone());
    expect(outcome(await signInWithCode(person, person.code(ahead)))).toEqual(expected);
  });

  it('accepts a code until 30 s after the app stops showing it', async () => {
    const person = await aTotpUser(host, someone());
    const next = person.code(2);
    expect(outcome(await signInWithCode(person, next))).toEqual(WRONG);
    await skipSteps(host, 1);
    const [early, late] = [person.code(1), await mailedToken(host, person.user.email)];
    expect(early).toBe(next);
    await skipSteps(host, 2);
    expect((await verify(host, late, next)).status).toBe(200);
    const expiredCode = person.code();
    await skipSteps(host, 2);
    expect(outcome(await signInWithCode(person, expiredCode))).toEqual(WRONG);
  });

  it('accepts a code once, and no earlier one afterwards', async () => {
    const person = await aTotpUser(host, someone());
    const [before, now, after] = [person.code(-1), person.code(), person.code(1)];
    expect((await signInWithCode(person, now)).status).toBe(200);
    for (const code of [now, before]) expect(outcome(await signInWithCode(person, code))).toEqual(WRONG);
    expect((await signInWithCode(person, after)).status).toBe(200);
  });

  it.each([1, 2, 3])('signs in one of several requests with the same code and different links (%d)', async () => {
    const person = await aTotpUser(host, someone());
    const tokens: string[] = [];
    for (let n = 0; n < 3; n += 1) tokens.push(await mailedToken(host, person.user.email));
    const answers = await Promise.all(tokens.map((token) => verify(host, token, person.code())));
    expect(answers.map(outcome).sort()).toEqual([[200, undefined], WRONG, WRONG]);
  });

  it('signs in both requests with different codes and different links', async () => {
    const person = await aTotpUser(host, someone());
    const tokens = [await mailedToken(host, person.user.email), await mailedToken(host, person.user.email)];
    const answers = await Promise.all(tokens.map((token, n) => verify(host, token, person.recoveryCodes[n])));
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    for (const code of person.recoveryCodes.slice(0, 2))
      expect(outcome(await signInWithCode(person, code))).toEqual(WRONG);
  });

  it.each([
    ['Arabic', '٠١٢٣٤٥٦٧٨٩'],
    ['Persian', '۰۱۲۳۴۵۶۷۸۹'],
    ['Devanagari', '०१२३४५६७८९'],
    ['full-width', '０１２３４５６７８９'],
  ])('accepts a code and a recovery code in %s digits, with blanks', async (_, digits) => {
    const person = await aTotpUser(host, someone());
    const typed = (code: string) =>
      [...code].map((character) => (/\d/.test(character) ? digits.charAt(Number(character)) : character)).join(' ');
    expect((await signInWithCode(person, typed(person.code()))).status).toBe(200);
    expect((await signInWithCode(person, typed(person.recoveryCodes[0] ?? ''))).status).toBe(200);
    expect(outcome(await signInWithCode(person, typed(person.recoveryCodes[0] ?? '')))).toEqual(WRONG);
  });

  it('accepts each recovery code once, however it is typed', async () => {
    const person = await aTotpUser(host, someone());
    const [first, second, third] = person.recoveryCodes as [string, string, string];
    expect((await signInWithCode(person, first)).status).toBe(200);
    expect(outcome(await signInWithCode(person, first))).toEqual(WRONG);
    expect((await signInWithCode(person, second.toLowerCase().replaceAll('-', ''))).status).toBe(200);
    expect((await signInWithCode(person, ` ${third.replaceAll('-', '   ')} `)).status).toBe(200);
    for (const code of [second, third])
      expect(outcome(await signInWithCode(person, code.toLowerCase()))).toEqual(WRONG);
  });

  it('invalidates the link after five wrong codes; a new link works', async () => {
    const person = await aTotpUser(host, someone());
    const token = await mailedToken(host, person.user.email);
    const wrong = wrongCodeAt(person.secret, host.clock.now());
    for (const code of [wrong, 'no code at all', wrong, `${person.code()}0`, wrong])
      expect(outcome(await verify(host, token, code))).toEqual(WRONG);
    expect(outcome(await verify(host, token, person.code()))).toEqual([401, 'invalid_link']);
    expect((await signInWithCode(person, person.code())).status).toBe(200);
  });

  it.each([
    ['codes of the app', (secret: string) => wrongCodeAt(secret, host.clock.now())],
    ['recovery codes', () => 'AAAA-BBBB-CCCC-DDDD'],
  ])('tries five of thirty %s that are sent at once with one link', async (_, wrongCode) => {
    const person = await aTotpUser(host, someone());
    const token = await mailedToken(host, person.user.email);
    const answers = await Promise.all(Array.from({ length: 30 }, () => verify(host, token, wrongCode(person.secret))));
    const counted = (code: string) => answers.filter(({ body }) => body.code === code).length;
    expect([counted('invalid_code'), counted('invalid_link')]).toEqual([5, 25]);
  });

  it('accepts a right code as the last try of a link', async () => {
    const person = await aTotpUser(host, someone());
    const token = await mailedToken(host, person.user.email);
    const wrong = wrongCodeAt(person.secret, host.clock.now());
    for (let n = 0; n < 4; n += 1) expect(outcome(await verify(host, token, wrong))).toEqual(WRONG);
    expect((await verify(host, token, person.code())).status).toBe(200);
  });

  it('refuses the codes of another user', async () => {
    const [person, other] = [await aTotpUser(host, someone()), await aTotpUser(host, someone())];
    for (const code of [other.code(), other.recoveryCodes[0]])
      expect(outcome(await signInWithCode(person, code))).toEqual(WRONG);
    expect((await signInWithCode(other, other.recoveryCodes[0])).status).toBe(200);
  });
});

describe('turning off', () => {
  it('needs a code of the app or a recovery code, and turns two-factor authentication off', async () => {
    for (const codeOf of [
      (person: Awaited<ReturnType<typeof aTotpUser>>) => person.code(),
      ({ recoveryCodes }: { recoveryCodes: readonly string[] }) => recoveryCodes[3]!,
    ]) {
      const person = await aTotpUser(host, someone());
      expect(outcome(await disable(person, wrongCodeAt(person.secret, host.clock.now())))).toEqual(WRONG);
      expect(await isOn(person)).toBe(true);
      expect((await disable(person, codeOf(person))).body).toEqual({ totp_enabled: false });
      expect([await isOn(person), (await signInWithCode(person)).status]).toEqual([false, 200]);
    }
  });

  it('is refused while two-factor authentication is off', async () => {
    const person = await signIn(host, someone());
    expect(outcome(await disable(person, '123456'))).toEqual([409, 'totp_not_enabled']);
    const { recovery_codes } = (await setup(person)).body;
    expect(outcome(await disable(person, recovery_codes[0]))).toEqual([409, 'totp_not_enabled']);
  });

  it('deletes the secret and the recovery codes: the next setup has new ones', async () => {
    const person = await aTotpUser(host, someone());
    await disable(person, person.code());
    const { secret } = (await setup(person)).body;
    expect(outcome(await enable(person, person.code(1)))).toEqual(WRONG);
    expect((await enable(person, codeAt(secret, host.clock.now()))).status).toBe(200);
    for (const code of person.recoveryCodes) expect(outcome(await signInWithCode(person, code))).toEqual(WRONG);
  });
});
