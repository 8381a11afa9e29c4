import { describe, expect, it } from 'vitest';
import type { PlatformAdmin } from '#shared/domain/accounts/platform.model.ts';
import type { Recovery } from '#shared/domain/accounts/recovery.model.ts';
import {
  approvedRecovery,
  assertUsable,
  ended,
  isOpen,
  parseRecoveryToken,
  recoveryToken,
  rejectedRecovery,
  requestedRecovery,
} from '#shared/domain/accounts/recovery.rules.ts';
import type { User } from '#shared/domain/accounts/user.model.ts';
import { DAY, HOUR } from '#shared/kernel/clock.ts';

const AT = new Date('2026-03-01T12:00:00.000Z');
const later = (ms: number) => new Date(AT.getTime() + ms);
const USER: User = {
  id: 'usr_1',
  email: 'a@example.com',
  totp: null,
  created_at: AT.toISOString(),
  version: 1,
};
const REQUESTED = requestedRecovery(USER, undefined, 'hash', AT);
const admin = (user_id: string): PlatformAdmin => ({
  user_id,
  email: `${user_id}@example.com`,
  role: 'platform_admin',
  created_at: AT.toISOString(),
});
const approver = (user_id: string) => ({ user_id, email: `${user_id}@example.com` });
const approve = (recovery: Recovery, by: string, admins: readonly string[], at = AT) =>
  approvedRecovery(recovery, approver(by), admins.map(admin), at);

describe('an approval', () => {
  it.each<[string, readonly string[], Recovery['status']]>([
    ['is enough where there is one administrator', ['a'], 'approved'],
    ['is enough where there is one beside the user', ['a', USER.id], 'approved'],
    ['needs another where there are two', ['a', 'b'], 'requested'],
    ['needs one other where there are three', ['a', 'b', 'c'], 'requested'],
  ])('%s', (_, admins, status) => expect(approve(REQUESTED, 'a', admins)?.status).toBe(status));

  it('begins the waiting time when it is the last one', () => {
    const first = approve(REQUESTED, 'a', ['a', 'b', 'c']);
    expect(first).toMatchObject({ usable_from: null, expires_at: REQUESTED.expires_at, version: 2 });
    expect(approve(first!, 'b', ['a', 'b', 'c'], later(HOUR))).toMatchObject({
      status: 'approved',
      usable_from: later(73 * HOUR).toISOString(),
      expires_at: later(73 * HOUR + 7 * DAY).toISOString(),
      approvals: [approver('a'), approver('b')],
      version: 3,
    });
  });

  it('of the same person counts once', () => {
    const first = approve(REQUESTED, 'a', ['a', 'b']);
    expect(approve(first!, 'a', ['a', 'b'])).toBe(undefined);
  });

  it('is refused for the own account, and for a request that is decided or expired', () => {
    expect(() => approve(REQUESTED, USER.id, ['a', USER.id])).toThrow('your own account');
    expect(() => rejectedRecovery(REQUESTED, USER.id, AT)).toThrow('your own account');
    expect(() => approve(ended(REQUESTED, 'canceled', AT), 'a', ['a'])).toThrow('not open');
    expect(() => approve(REQUESTED, 'a', ['a'], later(14 * DAY))).toThrow('not open');
    expect(approve(REQUESTED, 'a', ['a'], later(14 * DAY - 1))?.status).toBe('approved');
  });
});

describe('a recovery', () => {
  const approved = approve(REQUESTED, 'a', ['a'])!;

  it('can be used from the end of the waiting time until it expires', () => {
    expect(() => assertUsable(REQUESTED, AT)).toThrow('not approved yet');
    expect(() => assertUsable(approved, later(72 * HOUR - 1))).toThrow(later(72 * HOUR).toISOString());
    expect(() => assertUsable(approved, later(72 * HOUR))).not.toThrow();
    expect(() => assertUsable(approved, later(72 * HOUR + 7 * DAY))).toThrow('not open');
    expect(() => assertUsable(ended(approved, 'finished', AT), later(72 * HOUR))).toThrow('not open');
  });

  it.each(['rejected', 'canceled', 'finished'] as const)('that is %s is not open, and ends once', (status) => {
    const over = ended(approved, status, AT);
    expect([over.status, over.version, isOpen(over, AT)]).toEqual([status, approved.version + 1, false]);
    expect(() => ended(over, status, AT)).toThrow('not open');
  });

  it('is rejected before and after its approval', () => {
    for (const each of [REQUESTED, approved]) expect(rejectedRecovery(each, 'b', AT).status).toBe('rejected');
  });

  it('that is requested again keeps its approvals while it is open, and begins anew after that', () => {
    expect(requestedRecovery(USER, approved, 'new', later(HOUR))).toEqual({
      ...approved,
      token_hash: 'new',
      version: approved.version + 1,
    });
    const over = ended(approved, 'canceled', AT);
    expect(requestedRecovery(USER, over, 'new', later(HOUR))).toEqual({
      ...REQUESTED,
      requested_at: later(HOUR).toISOString(),
      expires_at: later(HOUR + 14 * DAY).toISOString(),
      token_hash: 'new',
      version: over.version + 1,
    });
  });
});

it('a token names its user and its secret', () => {
  const [user, secret] = ['usr_0000000000fqqspcfcnah2w30m', 'a'.repeat(43)];
  expect(parseRecoveryToken(recoveryToken(user, secret))).toEqual({ userId: user, secret });
  for (const wrong of ['', secret, `${user}.${secret}x`, `${user}.`, `org_0000000000fqqspcfcnah2w30m.${secret}`])
    expect(parseRecoveryToken(wrong)).toBe(undefined);
});
