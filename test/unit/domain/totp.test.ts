import { describe, expect, it } from 'vitest';
import {
  acceptAppCode,
  acceptRecoveryCode,
  isAppCode,
  normalizeCode,
  otpauthUrl,
} from '#shared/domain/accounts/totp.rules.ts';
import type { Totp } from '#shared/domain/accounts/user.model.ts';
import { Secret } from '#shared/kernel/secret.ts';
import { codeAt } from '#test/support/totp-app.ts';

/** RFC 6238, appendix B: `12345678901234567890` in base 32. */
const TEXT = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ';
const secret = new Secret(TEXT);
const totp: Totp = {
  secret: 'sealed',
  enabled_at: '2026-03-01T12:00:00.000Z',
  last_step: 0,
  recovery_hashes: ['a', 'b'],
};
const second = (seconds: number): Date => new Date(seconds * 1_000);
const step = (seconds: number): number => Math.floor(seconds / 30);

/** The last six of the RFC's eight digits: the same number modulo a smaller power of ten. */
const VECTORS: readonly (readonly [seconds: number, code: string])[] = [
  [59, '287082'],
  [1_111_111_109, '081804'],
  [1_111_111_111, '050471'],
  [1_234_567_890, '005924'],
  [2_000_000_000, '279037'],
  [20_000_000_000, '353130'],
];

describe('a code of the app', () => {
  it.each(VECTORS)("is the RFC's at %d s", (seconds, code) => {
    expect(acceptAppCode(totp, secret, code, second(seconds))?.last_step).toBe(step(seconds));
    expect(codeAt(TEXT, second(seconds))).toBe(code);
  });

  it.each<[string, number, number | undefined]>([
    ['refuses a code that is 60 s behind', -2, undefined],
    ['accepts a code that is 30 s behind, as that step', -1, -1],
    ['accepts the current code', 0, 0],
    ['accepts a code that is 30 s ahead, as that step', 1, 1],
    ['refuses a code that is 60 s ahead', 2, undefined],
  ])('%s', (_, ahead, taken) => {
    const now = second(1_234_567_890);
    expect(acceptAppCode(totp, secret, codeAt(TEXT, now, ahead), now)?.last_step).toBe(
      taken === undefined ? undefined : step(1_234_567_890) + taken,
    );
  });

  it('uses up its time step and all earlier ones', () => {
    const now = second(1_234_567_890);
    const used = acceptAppCode(totp, secret, codeAt(TEXT, now), now)!;
    expect([-1, 0, 1].map((ahead) => acceptAppCode(used, secret, codeAt(TEXT, now, ahead), now)?.last_step)).toEqual([
      undefined,
      undefined,
      step(1_234_567_890) + 1,
    ]);
  });

  it.each(['', '28708', '2870821', '94287082', 'GEZDGNBV'])('is not %j', (code) =>
    expect(acceptAppCode(totp, secret, code, second(59))).toBeUndefined(),
  );
});

describe('a recovery code', () => {
  it('is removed when it is used, and nothing else changes', () => {
    const used = acceptRecoveryCode(totp, (stored) => stored === 'a')!;
    expect([
      used,
      acceptRecoveryCode(used, (stored) => stored === 'a'),
      acceptRecoveryCode(used, (stored) => stored === 'b')?.recovery_hashes,
    ]).toEqual([{ ...totp, recovery_hashes: ['b'] }, undefined, []]);
  });
});

describe('a typed code', () => {
  it.each([
    ['287 082', '287082', true],
    [' 287-082\t', '287082', true],
    ['287–082', '287082', true],
    ['287 082', '287082', true],
    ['abcd-EFGH ijkl–mnop', 'ABCDEFGHIJKLMNOP', false],
    ['287.082', '287.082', false],
    ['२८७०८२', '287082', true],
    ['٢٨٧ ٠٨٢', '287082', true],
    ['۲۸۷۰۸۲', '287082', true],
    ['２８７０８２', '287082', true],
    ['𝟚𝟠𝟟𝟘𝟠𝟚', '287082', true],
    ['2٨७０8२', '287082', true],
    ['\u200e287\u200b082\u2060', '287082', true],
    ['ＡＢＣＤ-efgh-２３４５-ijkl', 'ABCDEFGH2345IJKL', false],
    ['①②③④⑤⑥', '123456', true],
  ])('%j is normalized to %j', (typed, plain, ofApp) =>
    expect([normalizeCode(typed), isAppCode(normalizeCode(typed))]).toEqual([plain, ofApp]),
  );
});

it('the otpauth URL names the user, and the stage unless it is live', () => {
  expect(otpauthUrl(secret, 'a+b@example.com', 'sandbox')).toBe(
    `otpauth://totp/Payfork%20(sandbox):a%2Bb%40example.com?issuer=Payfork%20(sandbox)&secret=${TEXT}&algorithm=SHA1&digits=6&period=30`,
  );
  expect(otpauthUrl(secret, 'a@example.com', 'live')).toMatch(
    /^otpauth:\/\/totp\/Payfork:a%40example\.com\?issuer=Payfork&/,
  );
});
