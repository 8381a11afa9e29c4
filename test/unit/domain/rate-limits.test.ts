import { describe, expect, it } from 'vitest';
import {
  abandonedWindows,
  closestToLimit,
  DEFAULT_RATE,
  fullWindows,
  MAX_RATE,
  type OrganizationRate,
  RATE_CLASSES,
  type RateClass,
  rateShards,
  retryAfter,
  staleWindows,
  windowsFor,
} from '#shared/domain/accounts/rate-limits.rules.ts';
import { MINUTE, SECOND } from '#shared/kernel/clock.ts';
import { later, START } from '#test/support/stopped-clock.ts';

const MINUTE_NO = START.getTime() / MINUTE;
const TEN_NO = START.getTime() / (10 * SECOND);
const END = START.getTime() / SECOND;

describe('the rate limit', () => {
  it.each<[RateClass, string, number]>([
    ['payments', 'p', 100],
    ['writes', 'w', 100],
    ['reads', 'r', 500],
  ])('for %s counts a request in its minute and in the shared ten seconds', (rateClass, letter, limit) =>
    expect(windowsFor(rateClass, later(12_345))).toEqual([
      { attribute: `${letter}${MINUTE_NO}`, limit, total: limit, endsAt: END + 60 },
      { attribute: `t${TEN_NO + 1}`, limit: 200, total: 200, endsAt: END + 20 },
    ]),
  );

  it.each<[string, number, string, string]>([
    ['the first millisecond', 0, `r${MINUTE_NO}`, `t${TEN_NO}`],
    ['the last millisecond of ten seconds', 9_999, `r${MINUTE_NO}`, `t${TEN_NO}`],
    ['the last millisecond of a minute', 59_999, `r${MINUTE_NO}`, `t${TEN_NO + 5}`],
    ['the first of the next minute', 60_000, `r${MINUTE_NO + 1}`, `t${TEN_NO + 6}`],
  ])('at %s counts a request in the windows of the clock', (_, ms, minute, ten) =>
    expect(windowsFor('reads', later(ms)).map((w) => w.attribute)).toEqual([minute, ten]),
  );

  it('has a different letter for each class', () =>
    expect(new Set(Object.values(RATE_CLASSES).map(({ letter }) => letter)).size).toBe(3));
});

describe('the raised limits of an organization', () => {
  const RATE: OrganizationRate = { payments: 300_000, writes: 100, reads: 500 };
  const shards = rateShards(RATE);
  const windowsAt = (rateClass: RateClass, shard: number) =>
    windowsFor(rateClass, START, { rate: RATE, shards, shard });

  it('are those of everybody for an organization that has none', () =>
    expect(windowsFor('payments', START, { rate: DEFAULT_RATE, shards: 1, shard: 0 })).toEqual(
      windowsFor('payments', START),
    ));

  it.each<[string, OrganizationRate, number]>([
    ['the usual one', DEFAULT_RATE, 1],
    ['one of 500 requests a second', { payments: 16_500, writes: 500, reads: 500 }, 1],
    ['one of 5,000 payments a second', RATE, 18],
    ['the highest', { payments: MAX_RATE, writes: MAX_RATE, reads: MAX_RATE }, 62],
  ])('have as many counters as %s needs', (_, rate, counters) => expect(rateShards(rate)).toBe(counters));

  it('are shared out to the counters without a rest', () => {
    const all = Array.from({ length: shards }, (_, n) => windowsAt('payments', n));
    const sum = (window: number) => all.reduce((sum, windows) => sum + windows[window]!.limit, 0);
    expect([sum(0), sum(1)]).toEqual([300_000, all[0]![1]!.total]);
    expect(new Set(all.map(([minute]) => minute!.total))).toEqual(new Set([300_000]));
  });

  it('let at least 98 % pass before the first refusal, if requests choose two counters by chance', () => {
    // Xorshift: the same numbers in each run.
    let seed = 2_463_534_242;
    const chance = () => {
      seed ^= seed << 13;
      seed ^= seed >>> 17;
      seed ^= seed << 5;
      return (seed >>> 0) % shards;
    };
    const left = Array.from({ length: shards }, (_, n) => windowsAt('payments', n)[0]!.limit);
    let passed = 0;
    for (;;) {
      const counter = [chance(), chance()].find((n) => left[n]! > 0);
      if (counter === undefined) break;
      left[counter]! -= 1;
      passed += 1;
    }
    expect(passed / RATE.payments).toBeGreaterThan(0.98);
  });

  it('show what is left in all counters together', () => {
    const [minute, ten] = windowsAt('payments', 0);
    const half = { [minute!.attribute]: minute!.limit / 2, [ten!.attribute]: 0 };
    const state = closestToLimit([minute!, ten!], half);
    expect([state.limit, Math.round(state.remaining / 1_000)]).toEqual([300_000, 150]);
  });
});

describe('the rate limit headers', () => {
  const windows = windowsFor('payments', START);
  const [minute = '', ten = ''] = windows.map((w) => w.attribute);

  it.each<[string, Record<string, number>, object]>([
    ['an unused key', {}, { limit: 100, remaining: 100, resetAt: END + 60 }],
    [
      'shows the minute if it is closer to its limit',
      { [minute]: 60, [ten]: 60 },
      { limit: 100, remaining: 40, resetAt: END + 60 },
    ],
    [
      'shows the ten seconds if they are closer to their limit',
      { [minute]: 10, [ten]: 150 },
      { limit: 200, remaining: 50, resetAt: END + 10 },
    ],
    ['compares the remaining share, not the number', { [minute]: 51, [ten]: 101 }, { limit: 100, remaining: 49 }],
    ['shows the minute if both are equally close', { [minute]: 50, [ten]: 100 }, { limit: 100, remaining: 50 }],
    ['never shows a negative number', { [minute]: 130 }, { limit: 100, remaining: 0 }],
  ])('show %s', (_, counted, state) => expect(closestToLimit(windows, counted)).toMatchObject(state));

  it('ignores other windows', () =>
    expect(closestToLimit(windows, { [`p${MINUTE_NO - 1}`]: 100, [`r${MINUTE_NO}`]: 500 })).toMatchObject({
      remaining: 100,
    }));
});

describe('a rate limit error', () => {
  const windows = windowsFor('writes', START);
  const [minute = '', ten = ''] = windows.map((w) => w.attribute);

  it.each<[string, Record<string, number>, string[]]>([
    ['none while no limit is reached', { [minute]: 99, [ten]: 199 }, []],
    ['the minute', { [minute]: 100, [ten]: 199 }, [minute]],
    ['the ten seconds', { [minute]: 99, [ten]: 200 }, [ten]],
    ['both', { [minute]: 100, [ten]: 200 }, [minute, ten]],
  ])('names the full windows: %s', (_, counted, full) =>
    expect(fullWindows(windows, counted).map((w) => w.attribute)).toEqual(full),
  );

  it.each<[string, readonly number[], number, number]>([
    ['the rest of the window', [0], 0, 60],
    ['whole seconds, rounded up', [0], 1_001, 59],
    ['the longer rest of two', [0, 1], 1_000, 59],
    ['the rest of the ten seconds', [1], 2_000, 8],
    ['a second at least', [1], 9_999, 1],
    ['a second even when it has ended', [1], 10_000, 1],
  ])('asks to wait for %s', (_, full, ms, wait) =>
    expect(
      retryAfter(
        full.map((n) => windows[n]!),
        later(ms),
      ),
    ).toBe(wait),
  );
});

describe('expired windows', () => {
  it('are removed except for the latest one, as clocks differ', () =>
    expect(staleWindows(START)).toEqual([
      `p${MINUTE_NO - 2}`,
      `w${MINUTE_NO - 2}`,
      `r${MINUTE_NO - 2}`,
      `t${TEN_NO - 2}`,
    ]));

  it('never include current windows', () => {
    for (const rateClass of ['payments', 'writes', 'reads'] as const) {
      for (const { attribute } of windowsFor(rateClass, START)) expect(staleWindows(START)).not.toContain(attribute);
    }
  });

  const many = (count: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, n) => [`r${MINUTE_NO - 2 - n}`, 1]));

  it.each<[string, object, number]>([
    ['a few are ignored', many(8), 0],
    ['many are reported', many(9), 9],
    ['windows of ten seconds count too', { ...many(8), [`t${TEN_NO - 2}`]: 1 }, 9],
    [
      'the current and the last window are not expired',
      { ...many(7), [`r${MINUTE_NO}`]: 1, [`r${MINUTE_NO - 1}`]: 1, [`t${TEN_NO}`]: 1, [`t${TEN_NO - 1}`]: 1 },
      0,
    ],
    ['other attributes are ignored', { ...many(9), pk: 'KEY#1', type: 'x', r: 1, p2x: 1, ttl: 1, w: 1 }, 9],
  ])('are reported after idle time: %s', (_, item, count) =>
    expect(abandonedWindows({ ...item }, START)).toHaveLength(count),
  );
});
