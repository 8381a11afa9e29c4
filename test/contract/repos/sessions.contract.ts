import { describe, expect, it } from 'vitest';
import type { Session, SignInLink } from '#shared/domain/accounts/sign-in.model.ts';
import type { User } from '#shared/domain/accounts/user.model.ts';
import { HOUR, MINUTE } from '#shared/kernel/clock.ts';
import { keys } from '#shared/store/keys.ts';
import { SessionRepo } from '#shared/store/repos/accounts/session.repo.ts';
import { SignInLinkRepo } from '#shared/store/repos/accounts/sign-in-link.repo.ts';
import { UserRepo } from '#shared/store/repos/accounts/user.repo.ts';
import { memoryStore } from '#test/support/memory-store.ts';
import { later, START } from '#test/support/stopped-clock.ts';

const created_at = START.toISOString();
const USER: User = {
  id: 'usr_00000000000000000000000001',
  email: 'holder@example.com',
  totp: null,
  created_at,
  version: 1,
};
const SESSION: Session = {
  id: 'sess_1',
  user_id: USER.id,
  email: USER.email,
  created_at,
  ends_at: later(24 * HOUR).toISOString(),
  proved_at: created_at,
  proved_by: 'mail',
};
const LINK: SignInLink = {
  hash: 'link',
  email: USER.email,
  expires_at: later(15 * MINUTE).toISOString(),
  wrong_codes: 0,
};

async function aSession() {
  const { table } = memoryStore();
  const [users, sessions, links] = [
    new UserRepo(table, { hashSecret: 'secret' }),
    new SessionRepo(table, false),
    new SignInLinkRepo(table),
  ];
  await users.recordSignIn({
    session: { ...SESSION, hash: 'first' },
    user: USER,
    isNew: true,
    newMemberships: [],
    acceptedInvitations: [],
  });
  const read = async (hash = 'first') => (await sessions.authenticate(hash, 'reads', later(MINUTE)))?.session;
  return { table, users, sessions, links, read };
}

export function sessions(): void {
  describe('a session', () => {
    it('of the release before, which has no proof, counts as proved when it began', async () => {
      const { table, read } = await aSession();
      await table.update(keys.session('first'), { remove: ['proved_at', 'proved_by'] });
      expect(await read()).toEqual({ ...SESSION, proved_at: created_at, proved_by: null });
    });

    it('keeps a new proof, and uses up what proved it in the same write', async () => {
      const { sessions, links, users, read } = await aSession();
      await links.create(LINK);
      const at = later(MINUTE);
      const proof = { proved_at: at.toISOString(), proved_by: 'mail' } as const;
      const changed = { ...USER, version: 2 };
      expect(
        await sessions.recordProof({ user_id: USER.id, hash: 'first', proof, link: LINK, user: changed }, at),
      ).toBe(true);
      expect([await read(), await links.get('link', at), (await users.get(USER.id))?.version]).toEqual([
        { ...SESSION, ...proof },
        undefined,
        2,
      ]);
    });

    it('gets no proof with an expired link, of a changed user, of another user, or once it has ended', async () => {
      const { sessions, links, read } = await aSession();
      const at = later(MINUTE);
      const proof = { proved_at: at.toISOString(), proved_by: 'totp' } as const;
      const prove = (more: object, when = at) =>
        sessions.recordProof({ user_id: USER.id, hash: 'first', proof, ...more }, when);
      await links.create(LINK);
      expect(await prove({ link: LINK }, later(16 * MINUTE))).toBe(false);
      expect(await prove({ link: { ...LINK, hash: 'another' } })).toBe(false);
      expect(await prove({ user: { ...USER, version: 3 } })).toBe(false);
      expect(await prove({ user_id: 'usr_2' })).toBe(false);
      expect(await prove({}, later(25 * HOUR))).toBe(false);
      expect(await prove({ hash: 'second' })).toBe(false);
      expect([await read(), await read('second')]).toEqual([SESSION, undefined]);
    });

    it('is replaced together with a change of its user, or not at all', async () => {
      const { sessions, users, read } = await aSession();
      const renewed = { ...SESSION, id: 'sess_2', proved_by: 'totp' as const };
      const change = { ...USER, version: 2 };
      expect(await sessions.renew({ ...change, version: 7 }, { ...renewed, hash: 'second' }, 'first')).toBe(false);
      expect([await read(), await read('second')]).toEqual([SESSION, undefined]);
      expect(await sessions.renew(change, { ...renewed, hash: 'second' }, 'first')).toBe(true);
      expect([await read(), await read('second')]).toEqual([undefined, renewed]);
      expect((await users.get(USER.id))?.version).toBe(2);
      await sessions.endAll(USER.id);
      expect(await read('second')).toBe(undefined);
    });
  });
}
