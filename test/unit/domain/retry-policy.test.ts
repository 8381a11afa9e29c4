import { describe, expect, it } from 'vitest';
import { USUAL_RETRIES } from '#shared/domain/billing/retry-policy.model.ts';
import { delayBefore, delayOf } from '#shared/domain/billing/retry-policy.rules.ts';
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
])('a delay of %j is %s ms', (text, length) => expect(delayOf(text)).toBe(length));

const waits = (policy: { readonly delays: readonly string[]; readonly max_retries: number }) =>
  [1, 2, 3, 4, 5].map((retry) => delayBefore(retry, policy));

describe('retries', () => {
  it('come a day, three days and five days after each failure where nobody says otherwise', () =>
    expect(waits(USUAL_RETRIES)).toEqual([DAY, 3 * DAY, 5 * DAY, undefined, undefined]));

  it('repeat the last delay past the list, up to their number', () =>
    expect(waits({ delays: ['15m', '1h'], max_retries: 4 })).toEqual([15 * MINUTE, HOUR, HOUR, HOUR, undefined]));

  it('end with their number where the list is longer', () =>
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
  ])('there are none without %s', (_, policy) => expect(waits(policy)).toEqual(Array(5).fill(undefined)));
});
