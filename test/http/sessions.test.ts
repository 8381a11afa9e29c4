import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Body, startHost, type TestHost } from '#test/support/host.ts';
import { newEmail } from '#test/support/members.ts';
import { type SignedInUser, signIn } from '#test/support/people.ts';

let host: TestHost;
beforeAll(async () => {
  host = await startHost();
});
afterAll(() => host?.close());

const sessionsOf = async ({ call }: SignedInUser): Promise<Body[]> =>
  (await call('GET', '/v1/auth/sessions')).body.sessions;
const isSignedIn = async ({ call }: SignedInUser) => (await call('GET', '/v1/auth/session')).status === 200;

describe('GET /v1/auth/sessions', () => {
  it('shows where the user is signed in, newest first, and marks the session that asks', async () => {
    const email = newEmail();
    const phone = await signIn(host, email);
    await host.control('POST', '/clock', { advance: '5m' });
    const laptop = await signIn(host, email);
    await host.control('POST', '/clock', { advance: '5m' });
    const found = (await laptop.call('GET', '/v1/auth/sessions')).body;
    const session = {
      id: expect.stringMatching(/^sess_/),
      created_at: expect.stringMatching(/Z$/),
      last_used_at: expect.stringMatching(/Z$/),
      expires_at: expect.stringMatching(/Z$/),
      proved_by: 'mail',
    };
    expect(found).toEqual({
      sessions: [
        { ...session, current: true },
        { ...session, current: false },
      ],
      pagination: { limit: 50, offset: 0, total: 2, next_cursor: null },
    });
    const [newer, older] = found.sessions;
    expect(newer.last_used_at > newer.created_at).toBe(true);
    expect(newer.created_at > older.created_at).toBe(true);
    expect((await sessionsOf(phone)).map(({ current }) => current)).toEqual([false, true]);
  });

  it('shows neither cookies nor anything to find a session by', async () => {
    const user = await signIn(host, newEmail());
    const text = JSON.stringify(await sessionsOf(user));
    expect(text).not.toContain(user.cookie.split('=')[1]);
    expect(text).not.toMatch(/[0-9a-f]{64}/);
  });

  it('leaves out sessions that have ended, by sign-out or because nobody used them', async () => {
    const email = newEmail();
    const [gone, idle] = [await signIn(host, email), await signIn(host, email)];
    await gone.call('POST', '/v1/auth/logout', {});
    await host.control('POST', '/clock', { advance: '13h' });
    const now = await signIn(host, email);
    expect((await sessionsOf(now)).map(({ current }) => current)).toEqual([true]);
    expect(await isSignedIn(idle)).toBe(false);
  });

  it('is refused to API keys and strangers', async () => {
    expect((await host.call('GET', '/v1/auth/sessions')).status).toBe(401);
    expect((await host.call('GET', '/v1/auth/sessions', undefined, { key: null })).status).toBe(401);
  });
});

describe('DELETE /v1/auth/sessions/{id}', () => {
  it('ends one session and leaves the others, without a fresh proof', async () => {
    const email = newEmail();
    const [lost, here] = [await signIn(host, email), await signIn(host, email)];
    await host.control('POST', '/clock', { advance: '20m' });
    const id = (await sessionsOf(here)).find(({ current }) => !current)?.id;
    expect((await here.call('DELETE', `/v1/auth/sessions/${id}`)).body).toEqual({ id, deleted: true });
    expect([await isSignedIn(lost), await isSignedIn(here)]).toEqual([false, true]);
    expect((await sessionsOf(here)).length).toBe(1);
    expect((await here.call('DELETE', `/v1/auth/sessions/${id}`)).status).toBe(404);
  });

  it("cannot end another user's session", async () => {
    const [one, other] = [await signIn(host, newEmail()), await signIn(host, newEmail())];
    const [theirs] = await sessionsOf(other);
    const refused = await one.call('DELETE', `/v1/auth/sessions/${theirs?.id}`);
    expect([refused.status, refused.body.code]).toEqual([404, 'not_found']);
    expect(await isSignedIn(other)).toBe(true);
  });

  it('is refused to a page of another origin', async () => {
    const user = await signIn(host, newEmail());
    const [mine] = await sessionsOf(user);
    const headers = { origin: 'https://evil.example' };
    const refused = await user.call('DELETE', `/v1/auth/sessions/${mine?.id}`, undefined, { headers });
    expect([refused.status, refused.body.code]).toEqual([403, 'bad_origin']);
    expect(await isSignedIn(user)).toBe(true);
  });
});
