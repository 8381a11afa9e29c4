import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { crashPointsOf, describePoint } from '#test/faults/crash-sweep.support.ts';
import { startHost, type TestHost } from '#test/support/host.ts';
import { mailedToken, signIn, verify } from '#test/support/people.ts';

/**
 * A process that crashes during a sign-in: it happens completely or not at all, and never creates a second
 * organization.
 */
let host: TestHost;
beforeAll(async () => {
  host = await startHost();
});
afterAll(() => host?.close());

let count = 0;
const someone = (): string => `somebody-${++count}@example.com`;

describe('a crash at any point of signing in', () => {
  it.each([
    ['for the first time', async () => someone()],
    ['again', async () => (await signIn(host, someone())).user.email],
  ])(
    '%s leaves one user with one organization, who can sign in with the same link or the next',
    async (_, anAddress) => {
      const probe = await mailedToken(host, await anAddress());
      const points = await crashPointsOf(host, 'auth', () => verify(host, probe));
      expect(points.length).toBeGreaterThanOrEqual(3);
      for (const { point, nth, when, method } of points) {
        const [email, where] = [await anAddress(), describePoint({ point, nth, when, method })];
        const token = await mailedToken(host, email);
        await host.control('POST', '/faults', { point, nth, kind: 'crash', when, handler: 'auth' });
        expect((await verify(host, token)).status, where).toBe(503);
        const again = await verify(host, token);
        expect([200, 401], where).toContain(again.status);
        const [first, second] = [await signIn(host, email), await signIn(host, email)];
        expect(first.organizations.length, where).toBe(1);
        expect([second.user, second.organizations], where).toEqual([first.user, first.organizations]);
        if (again.status === 200) expect(again.body.organizations, where).toEqual(first.organizations);
        await host.control('POST', '/clock', { advance: '1m' });
      }
    },
    60_000,
  );

  it('leaves the session active, or ended', async () => {
    const probe = await signIn(host, someone());
    const points = await crashPointsOf(host, 'auth', () => probe.call('POST', '/v1/auth/logout'));
    for (const { point, nth, when, method } of points) {
      const { call } = await signIn(host, someone());
      await host.control('POST', '/faults', { point, nth, kind: 'crash', when, handler: 'auth' });
      expect((await call('POST', '/v1/auth/logout')).status, describePoint({ point, nth, when, method })).toBe(503);
      expect([200, 401]).toContain((await call('POST', '/v1/auth/logout')).status);
      expect((await call('GET', '/v1/auth/session')).status, describePoint({ point, nth, when, method })).toBe(401);
    }
  }, 60_000);

  it('while a link is requested lets the next request send one', async () => {
    const points = (await crashPointsOf(host, 'auth', () => mailedToken(host, someone()))).filter(
      ({ point }) => point === 'table',
    );
    for (const { point, nth, when, method } of points) {
      const email = someone();
      await host.control('POST', '/faults', { point, nth, kind: 'crash', when, handler: 'auth' });
      await expect(mailedToken(host, email), describePoint({ point, nth, when, method })).rejects.toThrow();
      expect((await signIn(host, email)).user.email, describePoint({ point, nth, when, method })).toBe(email);
    }
  }, 60_000);
});
