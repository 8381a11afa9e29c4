import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type CrashPoint, crashPointsOf, describePoint } from '#test/faults/crash-sweep.support.ts';
import { type ApiResponse, startHost, type TestHost } from '#test/support/host.ts';
import { mailedToken, signIn, verify } from '#test/support/people.ts';
import { aTotpUser, codeAt, skipSteps, type TotpUser } from '#test/support/totp-app.ts';

/**
 * A process that crashes at any point: a code and the sign-in link it was sent with are used up together or not at
 * all.
 */
let host: TestHost;
beforeAll(async () => {
  host = await startHost();
});
afterAll(() => host?.close());

const outcome = ({ status, body }: ApiResponse): string => `${status}${body?.code ? ` ${body.code}` : ''}`;

async function crashAt({ point, nth, when }: CrashPoint, act: () => Promise<ApiResponse>): Promise<void> {
  await host.control('POST', '/faults', { point, nth, kind: 'crash', when, handler: 'auth' });
  expect((await act()).status).toBe(503);
  expect(host.faults.waiting).toEqual([]);
}

describe.each<[string, (person: TotpUser, nth: number) => string]>([
  ['a code from the app', (person) => person.code()],
  ['a recovery code', ({ recoveryCodes }, nth) => recoveryCodes[nth % 10]!],
])('a crash at any point of signing in with %s', (what, codeFor) => {
  it('leaves both the code and the link used, or both usable', async () => {
    const someone = (name: string | number) => aTotpUser(host, `${name}-${what.replaceAll(' ', '-')}@example.com`);
    const probe = await someone('probe');
    const link = await mailedToken(host, probe.user.email);
    const points = await crashPointsOf(host, 'auth', () => verify(host, link, codeFor(probe, 0)));
    expect(points.length).toBeGreaterThanOrEqual(3);

    const again: string[] = [];
    let person = await someone('first');
    for (const [nth, point] of points.entries()) {
      if (nth % 10 === 9) person = await someone(nth);
      await skipSteps(host);
      const [code, token] = [codeFor(person, nth), await mailedToken(host, person.user.email)];
      await crashAt(point, () => verify(host, token, code));
      const repeat = outcome(await verify(host, token, code));
      expect(['200', '401 invalid_link'], describePoint(point)).toContain(repeat);
      expect(outcome(await verify(host, await mailedToken(host, person.user.email), code)), describePoint(point)).toBe(
        '401 invalid_code',
      );
      again.push(repeat);
    }
    // Both occur: it depends on whether the one write of the sign-in was made.
    expect(new Set(again)).toEqual(new Set(['200', '401 invalid_link']));
  }, 120_000);
});

/** Whether a sign-in with a mailed link needs a code. */
const asksForCode = async (email: string): Promise<boolean> => {
  const { body } = await host.call('GET', `/v1/auth/verify?token=${await mailedToken(host, email)}`, undefined, {
    key: null,
  });
  return body.code === 'totp_required';
};

/** No fault hits the mailer itself, only the calls around it. */
const pointsOf = async (work: () => Promise<unknown>) =>
  (await crashPointsOf(host, 'auth', work)).filter(({ point }) => point !== 'mail');

describe('a crash at any point of enabling or disabling two-factor authentication', () => {
  it('leaves no session without a second factor once it is enabled', async () => {
    const setUp = async (email: string) => {
      const [person, elsewhere] = [await signIn(host, email), await signIn(host, email)];
      const { secret } = (await person.call('POST', '/v1/auth/2fa/setup')).body;
      const enable = () => person.call('POST', '/v1/auth/2fa/enable', { code: codeAt(secret, host.clock.now()) });
      return {
        enable,
        isOn: () => asksForCode(email),
        here: async () => (await person.call('GET', '/v1/auth/session')).status,
        elsewhere: async () => (await elsewhere.call('GET', '/v1/auth/session')).status,
      };
    };
    const probe = await setUp('probe-on@example.com');
    const points = await pointsOf(probe.enable);
    expect(points.length).toBeGreaterThanOrEqual(4);
    const left: string[] = [];
    for (const [nth, point] of points.entries()) {
      const { enable, isOn, here, elsewhere } = await setUp(`on-${nth}@example.com`);
      await crashAt(point, enable);
      const [on, other] = [await isOn(), await elsewhere()];
      // The session that enabled it has a new cookie by then, which the response would have brought.
      if (on) expect([other, await here()], describePoint(point)).toEqual([401, 401]);
      left.push(`${on} ${other}`);
      await enable();
      expect([await isOn(), await elsewhere()], describePoint(point)).toEqual([true, 401]);
    }
    // Crashes before any write, between the two, and after both.
    expect(new Set(left)).toEqual(new Set(['false 200', 'false 401', 'true 401']));
  }, 120_000);

  it('leaves it disabled or not, and a repeat completes the change', async () => {
    const aPerson = async (email: string) => {
      const person = await aTotpUser(host, email);
      return { person, disable: () => person.call('POST', '/v1/auth/2fa/disable', { code: person.code() }) };
    };
    const points = await pointsOf((await aPerson('probe-off@example.com')).disable);
    for (const [nth, point] of points.entries()) {
      const { person, disable } = await aPerson(`off-${nth}@example.com`);
      await crashAt(point, disable);
      await skipSteps(host);
      const repeat = outcome(await disable());
      expect([repeat, await asksForCode(person.user.email)], describePoint(point)).toEqual([
        repeat === '409 totp_not_enabled' ? repeat : '200',
        false,
      ]);
    }
  }, 120_000);

  it('leaves it enabled or not, and a repeat, or a sign-in with a code, continues', async () => {
    const aPerson = async (email: string) => {
      const person = await signIn(host, email);
      const { secret } = (await person.call('POST', '/v1/auth/2fa/setup')).body;
      const code = () => codeAt(secret, host.clock.now());
      return { code, email, enable: () => person.call('POST', '/v1/auth/2fa/enable', { code: code() }) };
    };
    const points = await pointsOf((await aPerson('probe-enable@example.com')).enable);
    const repeats: string[] = [];
    for (const [nth, point] of points.entries()) {
      const { code, email, enable } = await aPerson(`enable-${nth}@example.com`);
      await crashAt(point, enable);
      repeats.push(outcome(await enable()));
      await skipSteps(host);
      const signedIn = outcome(await verify(host, await mailedToken(host, email), code()));
      expect([signedIn, await asksForCode(email)], describePoint(point)).toEqual(['200', true]);
    }
    // After the one write the cookie is an old one, and the new one was in the lost response.
    expect(new Set(repeats)).toEqual(new Set(['200', '401 invalid_session']));
  }, 120_000);

  it('of setting it up leaves it open to another setup', async () => {
    const [probe, person] = [await signIn(host, 'probe-setup@example.com'), await signIn(host, 'setup@example.com')];
    const points = await crashPointsOf(host, 'auth', () => probe.call('POST', '/v1/auth/2fa/setup'));
    for (const point of points) {
      await crashAt(point, () => person.call('POST', '/v1/auth/2fa/setup'));
      expect((await person.call('GET', '/v1/auth/session')).body.user.totp_enabled, describePoint(point)).toBe(false);
    }
    const { secret } = (await person.call('POST', '/v1/auth/2fa/setup')).body;
    expect((await person.call('POST', '/v1/auth/2fa/enable', { code: codeAt(secret, host.clock.now()) })).status).toBe(
      200,
    );
  });
});
