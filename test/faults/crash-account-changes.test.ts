import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type CrashPoint, crashPointsOf, describePoint } from '#test/faults/crash-sweep.support.ts';
import { type ApiResponse, type Body, startHost, type TestHost } from '#test/support/host.ts';
import { mailedToken, type SignedInUser, signIn, verify } from '#test/support/people.ts';
import { aTotpUser } from '#test/support/totp-app.ts';

/** A process that crashes at any point of undoing a change or of recovering an account. */
let host: TestHost;
beforeAll(async () => {
  host = await startHost();
});
afterAll(() => host?.close());

const anyone = { key: null, idempotencyKey: null };
const outcome = ({ status, body }: ApiResponse): string => `${status}${body?.code ? ` ${body.code}` : ''}`;
const asksForCode = async ({ user }: SignedInUser): Promise<boolean> =>
  (await verify(host, await mailedToken(host, user.email))).body.code === 'totp_required';

async function tokenOf({ user }: SignedInUser, action: string): Promise<string> {
  const mails: Body[] = (await host.control('GET', `/mailbox?to=${encodeURIComponent(user.email)}`)).body;
  const found = mails.flatMap(({ text }) => new RegExp(`action=${action}&token=(\\S+)`).exec(text)?.[1] ?? []);
  return found.at(-1) ?? '';
}

async function crashAt({ point, nth, when }: CrashPoint, act: () => Promise<ApiResponse>): Promise<void> {
  await host.control('POST', '/faults', { point, nth, kind: 'crash', when, handler: 'auth' });
  expect((await act()).status).toBe(503);
  expect(host.faults.waiting).toEqual([]);
}

/** No fault hits the mailer itself, only the calls around it. */
const pointsOf = async (work: () => Promise<unknown>) =>
  (await crashPointsOf(host, 'auth', work)).filter(({ point }) => point !== 'mail');

const undo = (token: string) => host.call('POST', '/v1/auth/undo', { token }, anyone);
const finish = (token: string) => host.call('POST', '/v1/auth/recovery/finish', { token }, anyone);

describe.each<[string, (name: string) => Promise<{ person: SignedInUser; act: () => Promise<ApiResponse> }>, string]>([
  [
    'undoing a change',
    async (name) => {
      const person = await aTotpUser(host, `undo-${name}@example.com`);
      const token = await tokenOf(person, 'undo');
      return { person, act: () => undo(token) };
    },
    '401 invalid_link',
  ],
  [
    'finishing a recovery',
    async (name) => {
      const person = await aTotpUser(host, `recover-${name}@example.com`);
      await host.call('POST', '/v1/auth/recovery', { token: await mailedToken(host, person.user.email) }, anyone);
      const owner = await signIn(host, host.info.owner_email);
      const { recoveries } = (await owner.call('GET', '/v1/platform/recoveries')).body;
      const { requested_at } = recoveries.find(({ id }: Body) => id === person.user.id);
      await owner.call('POST', `/v1/platform/recoveries/${person.user.id}/approve`, { requested_at });
      await host.control('POST', '/clock', { advance: '73h' });
      const token = await tokenOf(person, 'finish-recovery');
      return { person, act: () => finish(token) };
    },
    '409 recovery_not_open',
  ],
])('a crash at any point of %s', (_, prepare, done) => {
  it('leaves it undone or done, and no session once it is done', async () => {
    const points = await pointsOf((await prepare('probe')).act);
    expect(points.length).toBeGreaterThanOrEqual(4);
    const repeats: string[] = [];
    for (const [nth, point] of points.entries()) {
      const { person, act } = await prepare(String(nth));
      await crashAt(point, act);
      const isDone = !(await asksForCode(person));
      const session = (await person.call('GET', '/v1/auth/session')).status;
      if (isDone) expect(session, describePoint(point)).toBe(401);
      const repeat = outcome(await act());
      expect([repeat, await asksForCode(person)], describePoint(point)).toEqual([isDone ? done : '200', false]);
      repeats.push(repeat);
    }
    expect(new Set(repeats)).toEqual(new Set(['200', done]));
  }, 120_000);
});
