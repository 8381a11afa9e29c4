import { describe, expect, it } from 'vitest';
import { type Fault, FaultInjector } from '#lib/local/faults.ts';
import type { Call } from '#lib/local/invocation.ts';

const aFault = (more: Partial<Fault> = {}): Fault => ({
  point: 'table',
  nth: 1,
  kind: 'error',
  when: 'before',
  ...more,
});
const aCall = (point: Call['point'] = 'table', group = 'payments'): Call => ({ point, method: 'get', group });

function armed(...faults: readonly Fault[]): FaultInjector {
  const book = new FaultInjector();
  for (const fault of faults) book.add(fault);
  return book;
}

describe('a fault', () => {
  it('hits the nth call of its point, once', () => {
    const book = armed(aFault({ nth: 2 }));
    const hit = [aCall(), aCall('vault'), aCall(), aCall(), aCall()].map((call) => book.faultFor(call) !== undefined);
    expect(hit).toEqual([false, false, true, false, false]);
  });

  it('counts only the calls of the group it names', () => {
    const book = armed(aFault({ nth: 2, handler: 'relay' }));
    const groups = ['payments', 'relay', 'payments', 'relay'];
    expect(groups.map((group) => book.faultFor(aCall('table', group)) !== undefined)).toEqual([
      false,
      false,
      false,
      true,
    ]);
  });

  it('counts from when it was added', () => {
    const book = armed();
    book.faultFor(aCall());
    book.add(aFault());
    expect(book.faultFor(aCall())).toBeDefined();
  });

  it('is removed by a clear', () => {
    const book = armed(aFault());
    book.clear();
    expect(book.faultFor(aCall())).toBeUndefined();
  });

  it.each([
    [
      'a table that fails before did nothing',
      'table',
      'error',
      'before',
      { name: 'TableError', kind: 'unavailable', outcome: 'not_done' },
    ],
    [
      'a table that fails after may have written',
      'table',
      'error',
      'after',
      { name: 'TableError', kind: 'unavailable', outcome: 'unknown' },
    ],
    [
      'a throttled table did nothing',
      'table',
      'throttle',
      'before',
      { name: 'TableError', kind: 'throttled', outcome: 'not_done' },
    ],
    [
      'a PSP that fails before was not reached',
      'psp',
      'error',
      'before',
      { name: 'PspNotSent', reason: 'unreachable' },
    ],
    ['a PSP that fails after leaves the outcome unknown', 'psp', 'error', 'after', { name: 'PspOutcomeUnknown' }],
    [
      'a throttling PSP did not execute the call',
      'psp',
      'throttle',
      'before',
      { name: 'PspNotSent', reason: 'rate_limited' },
    ],
    ['a queue fails with an error', 'queue', 'error', 'before', { name: 'Error' }],
    ['a vault fails with an error', 'vault', 'throttle', 'before', { name: 'Error' }],
    ['a bus fails with an error', 'bus', 'error', 'after', { name: 'Error' }],
  ] as const)('%s', (_, point, kind, when, expected) => {
    const interference = armed(aFault({ point, kind, when })).faultFor(aCall(point));
    expect(interference).toMatchObject({ when, effect: expected });
  });

  it('never throttles a call that was made', () => {
    expect(armed(aFault({ kind: 'throttle', when: 'after' })).faultFor(aCall())).toMatchObject({ when: 'before' });
  });
});
