import { describe, expect, it } from 'vitest';
import { MAX_PASSKEYS, type Passkey } from '#shared/domain/accounts/passkey.model.ts';
import { undoing } from '#shared/domain/accounts/undo.rules.ts';
import type { Totp, User } from '#shared/domain/accounts/user.model.ts';

const totpOf = (enabled_at: string | null): Totp => ({
  secret: 'sealed',
  enabled_at,
  last_step: 7,
  recovery_hashes: [],
});
const [EARLY, ON, LATE] = ['2026-03-01T10:00:00.000Z', '2026-03-01T12:00:00.000Z', '2026-03-01T14:00:00.000Z'];
const user = (totp: Totp | null): User => ({
  id: 'usr_1',
  email: 'a@example.com',
  totp,
  created_at: EARLY,
  version: 1,
});
const passkey = (id: string) => ({ id, user_id: 'usr_1' }) as Passkey;
const full = Array.from({ length: MAX_PASSKEYS }, (_, n) => passkey(`key ${n}`));

describe('undoing that the second factor was turned on', () => {
  it.each<[string, Totp | null, Totp | null]>([
    ['turns it off', totpOf(ON), null],
    ['turns off what was set up later', totpOf(LATE), null],
    ['leaves what was set up before, and restored since', totpOf(EARLY), totpOf(EARLY)],
    ['leaves it off', null, null],
    ['leaves a setup that was never confirmed', totpOf(null), totpOf(null)],
  ])('%s', (_, now, after) =>
    expect(undoing({ kind: 'totp_on', enabled_at: ON }, user(now), [])).toEqual({ totp: after }),
  );
});

describe('undoing that the second factor was turned off', () => {
  const change = { kind: 'totp_off', totp: totpOf(EARLY) } as const;

  it('restores it, also over a setup that was never confirmed', () => {
    for (const now of [null, totpOf(null)]) expect(undoing(change, user(now), [])).toEqual({ totp: totpOf(EARLY) });
  });

  it('is refused while another one is on', () => {
    expect(() => undoing(change, user(totpOf(LATE)), [])).toThrow('Undo that first');
  });
});

describe('undoing a change of passkeys', () => {
  it('removes an added one', () => {
    expect(undoing({ kind: 'passkey_added', passkey_id: 'new' }, user(totpOf(ON)), full)).toEqual({
      totp: totpOf(ON),
      removedPasskeyId: 'new',
    });
  });

  it('restores a removed one, unless it is there or there is no room', () => {
    const change = { kind: 'passkey_removed', passkey: passkey('old') } as const;
    expect(undoing(change, user(null), full.slice(1))).toEqual({ totp: null, addedPasskey: passkey('old') });
    expect(undoing(change, user(null), [...full.slice(1), passkey('old')])).toEqual({ totp: null });
    expect(() => undoing(change, user(null), full)).toThrow(`at most ${MAX_PASSKEYS} passkeys`);
  });
});
