import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type AbTestInput,
  assertNotEnded,
  dueStepOf,
  editTest,
  moveTest,
} from '#shared/domain/routing/ab-test.machine.ts';
import { AB_TEST_STATUSES, type AbTest, type TestTargets } from '#shared/domain/routing/ab-test.model.ts';
import { compareVariants, resultsOf, type TestTotals } from '#shared/domain/routing/ab-test-results.rules.ts';
import { runningWith, targetsOverlap } from '#shared/domain/routing/ab-test-running.rules.ts';
import { DAY, HOUR } from '#shared/kernel/clock.ts';
import { AppError } from '#shared/kernel/errors.ts';
import { anAbTest, aRunningTest, aVariant, testId } from '#test/support/ab-test.builder.ts';
import { later, START } from '#test/support/stopped-clock.ts';

const codeOf = (work: () => unknown): string => {
  try {
    work();
    return 'done';
  } catch (error) {
    return error instanceof AppError ? error.code : String(error);
  }
};
const iso = (ms: number) => later(ms).toISOString();

describe('an A/B test', () => {
  it.each([
    ['start', ['running', 'ab_test_not_startable', 'running', 'ab_test_not_startable']],
    ['pause', ['ab_test_not_pausable', 'paused', 'ab_test_not_pausable', 'ab_test_not_pausable']],
    ['complete', ['ab_test_not_completable', 'completed', 'completed', 'ab_test_not_completable']],
  ] as const)('can %s from these states only', (step, expected) => {
    const after = (status: AbTest['status']) => {
      const test = anAbTest({ status });
      const code = codeOf(() => moveTest(test, step, START));
      return code === 'done' ? moveTest(test, step, START).status : code;
    };
    expect(AB_TEST_STATUSES.map(after)).toEqual(expected);
  });

  it('remembers when it first started', () => {
    const started = moveTest(anAbTest(), 'start', START);
    const again = moveTest(moveTest(started, 'pause', later(HOUR)), 'start', later(2 * HOUR));
    expect([started.started_at, again.started_at, again.version]).toEqual([
      START.toISOString(),
      START.toISOString(),
      4,
    ]);
  });

  it.each<[string, Partial<AbTest>, AbTestInput, string]>([
    ['accepts other variants as a draft', {}, { variants: [aVariant('X'), aVariant('Y')] }, 'done'],
    [
      'refuses other variants once it has run',
      { status: 'paused' },
      { variants: [aVariant('X'), aVariant('Y')] },
      'ab_test_has_run',
    ],
    ['accepts the same variants while it runs', { status: 'running' }, { variants: anAbTest().variants }, 'done'],
    ['refuses another start once it has run', { status: 'running' }, { start_at: iso(HOUR) }, 'ab_test_has_run'],
    ['accepts another end while it runs', { status: 'running', end_at: iso(HOUR) }, { end_at: iso(2 * HOUR) }, 'done'],
    ['rejects an end in the past', { status: 'running', end_at: iso(HOUR) }, { end_at: iso(-HOUR) }, 'invalid_request'],
    ['accepts an unchanged end in the past', { end_at: iso(-HOUR) }, { name: 'x', end_at: iso(-HOUR) }, 'done'],
    ['rejects an end at its start', { start_at: iso(2 * HOUR) }, { end_at: iso(2 * HOUR) }, 'invalid_request'],
    ['rejects a start at its end', { end_at: iso(HOUR) }, { start_at: iso(HOUR) }, 'invalid_request'],
    [
      'cannot be extended after its end',
      { status: 'running', end_at: iso(0) },
      { end_at: iso(HOUR) },
      'ab_test_not_editable',
    ],
    [
      'cannot be extended after its end while it is paused',
      { status: 'paused', end_at: iso(-HOUR) },
      { end_at: null },
      'ab_test_not_editable',
    ],
    ['cannot be changed once it is completed', { status: 'completed' }, { name: 'x' }, 'ab_test_not_editable'],
  ])('%s', (_, about, wish, expected) => expect(codeOf(() => editTest(anAbTest(about), wish, START))).toBe(expected));

  it.each<[string, Partial<AbTest>, unknown]>([
    ['nothing for a draft without a start', { end_at: iso(HOUR) }, undefined],
    ['the start of a draft', { start_at: iso(HOUR), end_at: iso(2 * HOUR) }, { step: 'start', at: later(HOUR) }],
    ['nothing for a draft that could not start', { start_at: iso(HOUR), start_failure: 'ab_test_overlap' }, undefined],
    [
      'the end of a running test',
      { status: 'running', start_at: iso(HOUR), end_at: iso(2 * HOUR) },
      { step: 'complete', at: later(2 * HOUR) },
    ],
    [
      'the end of a paused test',
      { status: 'paused', end_at: iso(2 * HOUR) },
      { step: 'complete', at: later(2 * HOUR) },
    ],
    ['nothing for a running test without an end', { status: 'running' }, undefined],
    ['nothing for a completed test', { status: 'completed', end_at: iso(2 * HOUR) }, undefined],
  ])('schedules %s', (_, about, duty) => expect(dueStepOf(anAbTest(about))).toEqual(duty));

  it('cannot be started after its end', () => {
    expect(codeOf(() => assertNotEnded(anAbTest({ end_at: iso(0) }), 'start', START))).toBe('ab_test_not_startable');
    expect(codeOf(() => assertNotEnded(anAbTest({ end_at: iso(1) }), 'start', START))).toBe('done');
  });

  it('cannot be paused after its end', () => {
    const running = (end_at: string) => anAbTest({ status: 'running', end_at });
    expect(codeOf(() => assertNotEnded(running(iso(0)), 'pause', START))).toBe('ab_test_not_pausable');
    expect(codeOf(() => assertNotEnded(running(iso(1)), 'pause', START))).toBe('done');
  });
});

describe('the running tests', () => {
  const list = fc.array(fc.constantFrom('x', 'y', 'z'), { maxLength: 2 });
  const targets: fc.Arbitrary<TestTargets> = fc.record({
    target_currencies: list,
    target_countries: list,
    target_methods: list,
  });
  const all = ['x', 'y', 'z'];
  const takes = (each: readonly string[], one: string) => each.length === 0 || each.includes(one);

  it('overlap if both could target the same payment', () => {
    fc.assert(
      fc.property(targets, targets, (a, b) => {
        const both = all.some((currency) =>
          all.some((country) =>
            all.some((method) =>
              [a, b].every(
                (t) =>
                  takes(t.target_currencies, currency) &&
                  takes(t.target_countries, country) &&
                  takes(t.target_methods, method),
              ),
            ),
          ),
        );
        expect([targetsOverlap(a, b), targetsOverlap(b, a)]).toEqual([both, both]);
      }),
    );
  });

  it('exclude a test whose end has passed, even before the timer completed it', () => {
    const ended = aRunningTest({ id: testId(2), end_at: iso(0) });
    expect(runningWith([ended], anAbTest({ status: 'running' }), START)).toEqual([aRunningTest()]);
    expect(codeOf(() => runningWith([{ ...ended, end_at: iso(1) }], anAbTest({ status: 'running' }), START))).toBe(
      'ab_test_overlap',
    );
  });

  it('include a changed test once, in its new state, and exclude it when it is over', () => {
    const beside = aRunningTest({ id: testId(2), target_currencies: ['USD'] });
    const test = anAbTest({ status: 'running', target_currencies: ['EUR'], traffic_percentage: 5 });
    const first = runningWith([beside], test, START);
    expect(first).toEqual([beside, aRunningTest({ target_currencies: ['EUR'], traffic_percentage: 5 })]);
    expect(runningWith(first, { ...test, traffic_percentage: 7 }, START)).toEqual([
      beside,
      aRunningTest({ target_currencies: ['EUR'], traffic_percentage: 7 }),
    ]);
    expect(runningWith(first, { ...test, status: 'paused' }, START)).toEqual([beside]);
    expect(codeOf(() => runningWith(first, { ...test, target_currencies: [] }, START))).toBe('ab_test_overlap');
  });
});

type Arm = {
  readonly good: number;
  readonly bad: number;
  readonly ms?: number;
  readonly days?: Readonly<Record<string, number>>;
};

const totalsOf = (arms: Readonly<Record<string, Arm>>): TestTotals =>
  new Map(
    Object.entries(arms).map(([name, { good, bad, ms = 100, days = {} }]) => {
      const each = good + bad;
      const sums = {
        transactions: each,
        successful: good,
        failed: bad,
        timed: each,
        total_latency_ms: each * ms,
        'sent:EUR': each,
        'taken:EUR': good * 10,
        ...days,
      };
      return [name, { sums, updated_at: START.toISOString() }];
    }),
  );

describe('the results of a variant', () => {
  it.each<[string, Partial<AbTest>, Readonly<Record<string, number>>, string | null, number]>([
    [
      'the first target currency',
      { target_currencies: ['USD', 'EUR'] },
      { 'sent:EUR': 9, 'taken:EUR': 90, 'taken:USD': 5 },
      'USD',
      5,
    ],
    [
      'the most frequent currency without targets',
      {},
      { 'sent:USD': 2, 'taken:USD': 900, 'sent:EUR': 9, 'taken:EUR': 90 },
      'EUR',
      90,
    ],
    ['no currency before the first payment', {}, {}, null, 0],
  ])('show the revenue in %s', (_, about, sums, currency, total_amount) => {
    const [first] = resultsOf(anAbTest(about), new Map([['A', { sums, updated_at: null }]]));
    expect(first).toMatchObject({ currency, total_amount });
  });

  it('are rates of finished payments', () => {
    const sums = { transactions: 9, successful: 2, failed: 1, timed: 4, total_latency_ms: 1_001 };
    const [a, b] = resultsOf(anAbTest(), new Map([['A', { sums, updated_at: null }]]));
    expect(a).toMatchObject({ transactions: 9, success_rate: 0.6667, avg_latency_ms: 250 });
    expect(b).toMatchObject({ variant_name: 'B', transactions: 0, success_rate: null, avg_latency_ms: null });
  });
});

describe('the comparison of variants', () => {
  const now = later(DAY);
  const compare = (arms: Readonly<Record<string, Arm>>, about: Partial<AbTest> = {}) =>
    compareVariants(
      anAbTest({ status: 'running', variants: Object.keys(arms).map((name) => aVariant(name)), ...about }),
      totalsOf(arms),
      now,
    );

  it('names the winner and its difference to the second', () => {
    expect(compare({ A: { good: 180, bad: 20, ms: 300 }, B: { good: 188, bad: 12, ms: 280 } })).toMatchObject({
      winning_variant: 'B',
      success_rate_diff: 0.04,
      latency_diff: -20,
      // 1 less the published 0.1404 for two medicines.
      confidence_level: expect.closeTo(0.8596, 4),
      statistically_valid: false,
    });
  });

  it.each<[string, Readonly<Record<string, Arm>>, boolean]>([
    ['is valid when it is significant', { A: { good: 100, bad: 100 }, B: { good: 130, bad: 70 } }, true],
    ['is not valid below 100 payments in a variant', { A: { good: 90, bad: 9 }, B: { good: 500, bad: 500 } }, false],
    ['is valid from 100 payments in each variant', { A: { good: 91, bad: 9 }, B: { good: 500, bad: 500 } }, true],
    ['is not valid without a difference', { A: { good: 500, bad: 500 }, B: { good: 500, bad: 500 } }, false],
    ['is valid for two variants with this difference', { A: { good: 110, bad: 90 }, B: { good: 131, bad: 69 } }, true],
    [
      'is not valid for three variants with the same difference',
      { A: { good: 110, bad: 90 }, B: { good: 131, bad: 69 }, C: { good: 20, bad: 180 } },
      false,
    ],
  ])('%s', (_, arms, valid) => {
    const { statistically_valid, confidence_level } = compare(arms);
    expect(statistically_valid).toBe(valid);
    if (valid) expect(confidence_level).toBeGreaterThanOrEqual(0.95);
  });

  it('divides its significance level among all pairs', () => {
    const two = 1 - compare({ A: { good: 110, bad: 90 }, B: { good: 131, bad: 69 } }).confidence_level;
    const three =
      1 - compare({ A: { good: 110, bad: 90 }, B: { good: 131, bad: 69 }, C: { good: 20, bad: 180 } }).confidence_level;
    expect(three / two).toBeCloseTo(3, 2);
  });

  it('is empty while fewer than two variants have finished payments', () => {
    expect(compare({ A: { good: 100, bad: 0 }, B: { good: 0, bad: 0 } })).toMatchObject({
      winning_variant: null,
      confidence_level: 0,
      recommended_duration: 365,
    });
  });

  it('prefers the faster of two equal variants', () => {
    expect(compare({ A: { good: 5, bad: 5, ms: 90 }, B: { good: 5, bad: 5, ms: 80 } }).winning_variant).toBe('B');
  });

  // 356 in each show 60 against 70 % with 80 % power. The test started a day ago, on 1 March at noon.
  const today = (count: number) => ({ 'day:2026-03-02': count });
  it.each<[string, Readonly<Record<string, Arm>>, number]>([
    [
      'as many days as the slower variant needs',
      { A: { good: 60, bad: 40, days: today(64) }, B: { good: 70, bad: 30, days: today(128) } },
      4,
    ],
    [
      'the days behind it as well',
      {
        A: { good: 60, bad: 40, days: { 'day:2026-03-01': 32, ...today(32) } },
        B: { good: 70, bad: 30, days: today(64) },
      },
      4,
    ],
    ['no more days when it has enough payments', { A: { good: 240, bad: 160 }, B: { good: 280, bad: 120 } }, 0],
    ['at most a year', { A: { good: 60, bad: 40, days: today(64) }, B: { good: 60, bad: 40, days: today(64) } }, 365],
    ['a year without traffic', { A: { good: 60, bad: 40 }, B: { good: 70, bad: 30 } }, 365],
    [
      'at least what 100 payments in each variant take',
      { A: { good: 10, bad: 40, days: today(50) }, B: { good: 50, bad: 0, days: today(50) } },
      1,
    ],
  ])('recommends %s', (_, arms, days) => expect(compare(arms).recommended_duration).toBe(days));
});
