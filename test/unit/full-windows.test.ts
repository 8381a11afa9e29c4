import { describe, expect, it } from 'vitest';
import { MINUTE, plus, SECOND } from '#shared/kernel/clock.ts';
import { FullWindows } from '#shared/store/full-windows.ts';
import { START } from '#test/support/stopped-clock.ts';

const rate = { limit: 200, remaining: 0, resetAt: 1 };
const later = (ms: number) => plus(START, ms);

describe('a window that was seen full', () => {
  const seen = (retryAfter: number, at = START) => {
    const windows = new FullWindows();
    windows.remember('an address', { rate, exceeded: { retryAfter } }, at);
    return (when: Date) => windows.find('an address', when);
  };

  it('is full until it ends, with the seconds that are left', () => {
    const find = seen(10);
    expect(find(START)).toEqual({ rate, exceeded: { retryAfter: 10 } });
    expect(find(later(3_500))?.exceeded?.retryAfter).toBe(7);
    expect(find(later(9_999))?.exceeded?.retryAfter).toBe(1);
    expect(find(later(10 * SECOND))).toBeUndefined();
  });

  it('ends with a second of the clock, whenever it was seen', () => {
    const find = seen(7, later(3_400));
    expect(find(later(9_999))?.exceeded?.retryAfter).toBe(1);
    expect(find(later(10 * SECOND))).toBeUndefined();
  });

  it('is not known to a clock that has gone back', () => {
    expect(seen(10)(later(-1))).toBeUndefined();
  });
});

it('a window that is not full is not remembered', () => {
  const windows = new FullWindows();
  windows.remember('an address', { rate, exceeded: undefined }, START);
  expect(windows.find('an address', START)).toBeUndefined();
});

it('ten thousand windows are remembered, and the oldest is forgotten first', () => {
  const windows = new FullWindows();
  for (let n = 0; n <= 10_000; n += 1) windows.remember(`${n}`, { rate, exceeded: { retryAfter: 9 } }, START);
  expect([windows.find('0', START), windows.find('1', START)?.exceeded]).toEqual([undefined, { retryAfter: 9 }]);
});

describe('wrong guesses', () => {
  const guess = (windows: FullWindows, times: number, at: Date) => {
    for (let n = 0; n < times; n += 1) windows.rememberGuess('an address', { rate, exceeded: undefined }, at);
    return windows.find('an address', at)?.exceeded;
  };
  const minute = new Date(Math.ceil(START.getTime() / MINUTE) * MINUTE);

  it('are refused from the tenth in a minute until the minute ends', () => {
    const windows = new FullWindows();
    expect(guess(windows, 9, minute)).toBeUndefined();
    expect(guess(windows, 1, plus(minute, 20 * SECOND))).toEqual({ retryAfter: 40 });
    expect(windows.find('an address', plus(minute, MINUTE))).toBeUndefined();
  });

  it('of different minutes do not add up', () => {
    const windows = new FullWindows();
    guess(windows, 9, minute);
    expect(guess(windows, 9, plus(minute, MINUTE))).toBeUndefined();
  });
});
