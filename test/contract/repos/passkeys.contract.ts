import { describe, expect, it } from 'vitest';
import type { Passkey } from '#shared/domain/accounts/passkey.model.ts';
import type { User } from '#shared/domain/accounts/user.model.ts';
import { MINUTE } from '#shared/kernel/clock.ts';
import { PasskeyRepo } from '#shared/store/repos/accounts/passkey.repo.ts';
import { SessionRepo } from '#shared/store/repos/accounts/session.repo.ts';
import { UserRepo } from '#shared/store/repos/accounts/user.repo.ts';
import type { TablePort } from '#shared/store/table/table.port.ts';
import { losingResponses, memoryStore } from '#test/support/memory-store.ts';
import { later, START } from '#test/support/stopped-clock.ts';

const USER_CHALLENGE = { text: 'c'.repeat(44), user_id: 'usr_1' };
const SIGN_IN_CHALLENGE = { text: 'd'.repeat(44), user_id: null };
const created_at = START.toISOString();
const USER: User = {
  id: 'usr_00000000000000000000000001',
  email: 'holder@example.com',
  totp: null,
  created_at,
  version: 1,
};
const PASSKEY: Passkey = {
  id: 'AAAA',
  user_id: USER.id,
  name: null,
  public_key: 'BBBB',
  counter: 0,
  transports: [],
  created_at,
  created_by: null,
  last_used_at: null,
};

/** A user with a passkey, and sign-ins with it by the counter of the signature. */
async function aHolder() {
  const { table } = memoryStore();
  const [users, passkeys, sessions] = [
    new UserRepo(table, { hashSecret: 'secret' }),
    new PasskeyRepo(table),
    new SessionRepo(table, false),
  ];
  const session = {
    id: 'sess_1',
    user_id: USER.id,
    email: USER.email,
    created_at,
    ends_at: later(MINUTE).toISOString(),
    proved_at: created_at,
    proved_by: 'mail' as const,
  };
  await users.recordSignIn({
    session: { ...session, hash: 'first' },
    user: USER,
    isNew: true,
    newMemberships: [],
    acceptedInvitations: [],
  });
  expect(await passkeys.add(PASSKEY, USER)).toBe('done');
  let version = USER.version + 1;
  const enter = async (counter: number, hash = `with ${counter}`) => {
    const user = { ...USER, version: version + 1 };
    const entered = await users.recordSignIn({
      session: { ...session, hash },
      user,
      isNew: false,
      newMemberships: [],
      acceptedInvitations: [],
      passkey: { id: PASSKEY.id, user_id: USER.id, counter },
    });
    if (entered === 'done') version += 1;
    return entered;
  };
  return {
    passkeys,
    enter,
    isIn: async (hash: string) => (await sessions.authenticate(hash, 'reads', START)) !== undefined,
  };
}

export function passkeys(): void {
  describe("a passkey's challenge", () => {
    const challenges = (through: (table: TablePort) => TablePort = (table) => table) => {
      const { table } = memoryStore();
      return [new PasskeyRepo(table), new PasskeyRepo(through(table))] as const;
    };

    it('is consumed once, by the user it was issued to, before it expires', async () => {
      const [repo] = challenges();
      for (const challenge of [USER_CHALLENGE, SIGN_IN_CHALLENGE]) await repo.saveChallenge(challenge, START);
      expect(await repo.consumeChallenge({ ...USER_CHALLENGE, user_id: 'usr_2' }, START)).toBe(false);
      expect(await repo.consumeChallenge({ ...USER_CHALLENGE, user_id: null }, START)).toBe(false);
      expect(await repo.consumeChallenge(USER_CHALLENGE, later(5 * MINUTE))).toBe(false);
      expect(await repo.consumeChallenge(USER_CHALLENGE, later(5 * MINUTE - 1))).toBe(true);
      expect(await repo.consumeChallenge(USER_CHALLENGE, START)).toBe(false);
      expect(await repo.consumeChallenge(SIGN_IN_CHALLENGE, START)).toBe(true);
    });

    it('is consumed by a request whose response from the store was lost, and by no other after it', async () => {
      const [repo, unlucky] = challenges(losingResponses(1));
      await repo.saveChallenge(USER_CHALLENGE, START);
      expect(await unlucky.consumeChallenge(USER_CHALLENGE, START)).toBe(true);
      expect(await repo.consumeChallenge(USER_CHALLENGE, START)).toBe(false);
    });
  });

  describe('a passkey', () => {
    it('signs in with a counter that was never used, and with no other', async () => {
      const { passkeys, enter, isIn } = await aHolder();
      expect(await enter(5)).toBe('done');
      expect([await enter(5, 'again'), await enter(4), await enter(0), await isIn('again')]).toEqual([
        'conflict',
        'conflict',
        'conflict',
        false,
      ]);
      expect([await enter(6), await isIn('with 6')]).toEqual(['done', true]);
      expect(await passkeys.find(PASSKEY.id)).toEqual({ ...PASSKEY, counter: 6, last_used_at: created_at });
    });

    it('signs in with 0 repeatedly if its device has no counter', async () => {
      const { enter } = await aHolder();
      expect([await enter(0, 'one'), await enter(0, 'two')]).toEqual(['done', 'done']);
    });

    it('is added once, and only if the user has not changed', async () => {
      const { passkeys } = await aHolder();
      expect(await passkeys.add(PASSKEY, { ...USER, version: 2 })).toBe('taken');
      expect(await passkeys.add({ ...PASSKEY, id: 'CCCC' }, USER)).toBe('conflict');
      expect(await passkeys.find('CCCC')).toBeUndefined();
    });

    it('no longer signs in once its own user has deleted it', async () => {
      const { passkeys, enter, isIn } = await aHolder();
      expect(await passkeys.remove('usr_00000000000000000000000002', PASSKEY.id)).toBe(false);
      expect(await passkeys.find(PASSKEY.id)).toEqual(PASSKEY);
      expect(await passkeys.remove(USER.id, PASSKEY.id)).toBe(true);
      expect([await enter(1), await isIn('with 1'), await passkeys.listByUser(USER.id)]).toEqual([
        'conflict',
        false,
        [],
      ]);
    });
  });
}
