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

/** No fault hits the mailer itself, only the calls around it. */
const pointsOf = async (work: () => Promise<unknown>) =>
  (await crashPointsOf(host, 'auth', work)).filter(({ point }) => point !== 'mail');

describe('a crash at any point of enabling or disabling two-factor authentication', () => {
  it('leaves no session without a second factor once it is enabled', async () => {
    const setUp = async (email: string) => {
      const [person, elsewhere] = [await signIn(host, email), await signIn(host, email)];
      const { secret } = (await person.call('POST', '/v1/auth/2fa/setup')).body;
      const enable = () => person.call('POST', '/v1/auth/2fa/enable', { code: codeAt(secret, host.clock.now()) });
      const isOn = async () => (await person.call('GET', '/v1/auth/session')).body.user.totp_enabled;
      return { enable, isOn, elsewhere: async () => (await elsewhere.call('GET', '/v1/auth/session')).status };
    };
    const probe = await setUp('probe-on@example.com');
    const points = await pointsOf(probe.enable);
    expect(points.length).toBeGreaterThanOrEqual(4);
    const left: string[] = [];
    for (const [nth, point] of points.entries()) {
      const { enable, isOn, elsewhere } = await setUp(`on-${nth}@example.com`);
      await crashAt(point, enable);
      const [on, other] = [await isOn(), await elsewhere()];
      if (on) expect(other, describePoint(point)).toBe(401);
      left.push(`${on} ${other}`);
      await enable();
      expect([await isOn(), await elsewhere()], describePoint(point)).toEqual([true, 401]);
    }
    // Crashes before any write, between the two, and after both.
    expect(new Set(left)).toEqual(new Set(['false 200', 'false 401', 'true 401']));
  }, 120_000);

  it('leaves it enabled or disabled, and a repeat completes the change', async () => {
    const on = (person: TotpUser) => person.call('GET', '/v1/auth/session').then(({ body }) => body.user.totp_enabled);
    const probe = await aTotpUser(host, 'probe-off@example.com');
    const points = await pointsOf(() => probe.call('POST', '/v1/auth/2fa/disable', { code: probe.code() }));
    const person = await aTotpUser(host, 'off@example.com');
    for (const point of points) {
      const act = (code: string) => person.call('POST', '/v1/auth/2fa/disable', { code });
      await skipSteps(host);
      await crashAt(point, () => act(person.code()));
      const repeat = outcome(await act(person.code()));
      expect([repeat, await on(person)], describePoint(point)).toEqual([
        repeat === '409 totp_not_enabled' ? repeat : '200',
        false,
      ]);
      const { secret } = (await person.call('POST', '/v1/auth/2fa/setup')).body;
      const code = codeAt(secret, host.clock.now());
      await crashAt(point, () => person.call('POST', '/v1/auth/2fa/enable', { code }));
      const enabled = outcome(await person.call('POST', '/v1/auth/2fa/enable', { code }));
      expect([enabled, await on(person)], describePoint(point)).toEqual([
        enabled === '409 totp_enabled' ? enabled : '200',
        true,
      ]);
      Object.assign(person, { code: () => codeAt(secret, host.clock.now()) });
    }
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
