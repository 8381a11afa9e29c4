import { describe, expect, it } from 'vitest';
import { DEFAULT_RETRY_POLICY, parseDelay, retryDelay } from '#shared/domain/billing/retry-policy.rules.ts';
import { DAY, HOUR, MINUTE } from '#shared/kernel/clock.ts';

it.each([
  ['1m', MINUTE],
  ['90m', 90 * MINUTE],
  ['24h', DAY],
  ['720h', 30 * DAY],
  ['43200m', 30 * DAY],
  ['30d', 30 * DAY],
  ['43201m', undefined],
  ['721h', undefined],
  ['31d', undefined],
  ['0m', undefined],
  ['01h', undefined],
  ['30s', undefined],
  ['1.5h', undefined],
  ['1h ', undefined],
  ['', undefined],
])('a delay of %j is %s ms', (text, length) => expect(parseDelay(text)).toBe(length));

const waits = (policy: { readonly delays: readonly string[]; readonly max_retries: number }) =>
  [1, 2, 3, 4, 5].map((retry) => retryDelay(retry, policy));

describe('retries', () => {
  it('come one, three and five days after each failure by default', () =>
    expect(waits(DEFAULT_RETRY_POLICY)).toEqual([DAY, 3 * DAY, 5 * DAY, undefined, undefined]));

  it('repeat the last delay after the list, up to the maximum', () =>
    expect(waits({ delays: ['15m', '1h'], max_retries: 4 })).toEqual([15 * MINUTE, HOUR, HOUR, HOUR, undefined]));

  it('end at the maximum even if the list is longer', () =>
    expect(waits({ delays: ['15m', '1h'], max_retries: 1 })).toEqual([
      15 * MINUTE,
      undefined,
      undefined,
      undefined,
      undefined,
    ]));

  it.each([
    ['delays', { delays: [], max_retries: 3 }],
    ['a number', { delays: ['1h'], max_retries: 0 }],
  ])('do not exist without %s', (_, policy) => expect(waits(policy)).toEqual(Array(5).fill(undefined)));
});
