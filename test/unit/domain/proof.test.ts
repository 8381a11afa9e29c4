import { describe, expect, it } from 'vitest';
import { freshProofRequired, isFresh, proofEnd, proofMethods } from '#shared/domain/accounts/proof.rules.ts';
import type { Totp, User } from '#shared/domain/accounts/user.model.ts';

const AT = new Date('2026-03-01T12:00:00.000Z');
const TOTP: Totp = { secret: 'sealed', enabled_at: AT.toISOString(), last_step: 0, recovery_hashes: [] };
const user = (totp: Totp | null): User => ({
  id: 'usr_1',
  email: 'a@example.com',
  totp,
  created_at: AT.toISOString(),
  version: 1,
});

describe('what a user can prove themselves with', () => {
  it.each<[string, Totp | null, readonly string[], readonly string[]]>([
    ['mail, if there is nothing stronger', null, [], ['mail']],
    ['mail, while the second factor is not confirmed', { ...TOTP, enabled_at: null }, [], ['mail']],
    ['the second factor, and no longer mail', TOTP, [], ['totp']],
    ['a passkey, and no longer mail', null, ['key'], ['passkey']],
    ['both', TOTP, ['key'], ['passkey', 'totp']],
  ])('is %s', (_, totp, passkeys, methods) => expect(proofMethods(user(totp), passkeys)).toEqual(methods));
});

it('a proof is fresh for less than ten minutes', () => {
  const proof = { proved_at: AT.toISOString(), proved_by: 'mail' } as const;
  expect(proofEnd(proof)).toBe('2026-03-01T12:10:00.000Z');
  expect(isFresh(proof, new Date('2026-03-01T12:09:59.999Z'))).toBe(true);
  expect(isFresh(proof, new Date('2026-03-01T12:10:00.000Z'))).toBe(false);
});

it('the error says what can be used', () => {
  const error = freshProofRequired(['passkey', 'totp']);
  expect([error.code, error.status, error.details]).toEqual([
    'fresh_proof_required',
    401,
    { methods: ['passkey', 'totp'] },
  ]);
  expect(error.message).toBe(
    'This needs a proof of identity that is less than 10 minutes old. Send a passkey or a code of the authenticator ' +
      'app or a recovery code to POST /v1/auth/prove, or sign in again.',
  );
});
