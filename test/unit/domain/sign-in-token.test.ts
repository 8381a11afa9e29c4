import { describe, expect, it } from 'vitest';
import { isSignInToken, newSignInToken } from '#shared/domain/accounts/sign-in.model.ts';
import { hasTag, randomText } from '#shared/kernel/ids.ts';

const SECRET = 'a secret of hashes';

describe('a token of a mailed link or a session', () => {
  it('has the form that earlier releases take, too', () => {
    expect(newSignInToken(SECRET)).toMatch(/^[A-Za-z0-9]{43}$/);
    expect(isSignInToken(newSignInToken(SECRET))).toBe(true);
  });

  it('differs each time', () => {
    expect(new Set(Array.from({ length: 100 }, () => newSignInToken(SECRET))).size).toBe(100);
  });

  it('has a tag that nobody makes without the secret', () => {
    const token = newSignInToken(SECRET);
    expect(hasTag(token, SECRET)).toBe(true);
    expect(hasTag(token, 'another secret')).toBe(false);
    expect(hasTag(`${token.slice(0, -1)}${token.endsWith('a') ? 'b' : 'a'}`, SECRET)).toBe(false);
    expect(hasTag(randomText(43), SECRET)).toBe(false);
  });
});
