import { describe, expect, it } from 'vitest';
import { AccessTokens, accountKey } from '#shared/psp/kit/access-token.ts';

const NOW = () => new Date('2026-01-01T00:00:00Z');
const never = () => new Promise<never>(() => {});

/** Gives out `token-1`, `token-2` … */
const counting = () => {
  let count = 0;
  return async () => {
    count += 1;
    return { text: `token-${count}`, seconds: 3_600 };
  };
};

describe('AccessTokens', () => {
  it('keeps one token per account', async () => {
    const tokens = new AccessTokens();
    const fetch = counting();
    expect([
      await tokens.get('a', NOW, fetch),
      await tokens.get('b', NOW, fetch),
      await tokens.get('a', NOW, fetch),
    ]).toEqual(['token-1', 'token-2', 'token-1']);
  });

  it('fetches a token again a minute before it expires, and at once if it lives shorter than that', async () => {
    const tokens = new AccessTokens();
    const fetch = counting();
    await tokens.get('a', NOW, fetch);
    expect(await tokens.get('a', () => new Date('2026-01-01T00:58:59Z'), fetch)).toBe('token-1');
    expect(await tokens.get('a', () => new Date('2026-01-01T00:59:00Z'), fetch)).toBe('token-2');
    const brief = async () => ({ text: 'brief', seconds: 30 });
    expect([await tokens.get('b', NOW, brief), await tokens.get('b', NOW, fetch)]).toEqual(['brief', 'token-3']);
  });

  it('drops a refused token, but not one fetched since then', async () => {
    const tokens = new AccessTokens();
    const fetch = counting();
    const first = await tokens.get('a', NOW, fetch);
    tokens.drop('a', first);
    expect(await tokens.get('a', NOW, fetch)).toBe('token-2');
    tokens.drop('a', first);
    expect(await tokens.get('a', NOW, fetch)).toBe('token-2');
  });

  it('shares a pending fetch and its failure, and fetches again after it', async () => {
    const tokens = new AccessTokens();
    const failing = async () => {
      throw new Error('no');
    };
    const both = await Promise.allSettled([tokens.get('a', NOW, failing), tokens.get('a', NOW, counting())]);
    expect(both.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect(await tokens.get('a', NOW, counting())).toBe('token-1');
  });

  it('waits a limited time for a fetch that never ends', async () => {
    const tokens = new AccessTokens(5);
    void tokens.get('a', NOW, never);
    expect(await tokens.get('a', NOW, counting())).toBe('token-1');
  });

  it('keeps tokens of a limited number of accounts, and drops the oldest first', async () => {
    const tokens = new AccessTokens();
    for (let account = 0; account <= 1_000; account += 1)
      await tokens.get(`${account}`, NOW, async () => ({ text: 'old', seconds: 3_600 }));
    const fetch = async () => ({ text: 'new', seconds: 3_600 });
    expect([await tokens.get('1000', NOW, fetch), await tokens.get('0', NOW, fetch)]).toEqual(['old', 'new']);
  });

  it('identifies accounts by a hash that differs for each and reveals no credential', () => {
    expect(accountKey('ab', 'c')).not.toBe(accountKey('a', 'bc'));
    expect(accountKey('client', 'secret')).toMatch(/^[0-9a-f]{64}$/);
  });
});
