import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  INTERVALS,
  type Interval,
  nextPeriodNumber,
  periodStart,
} from '#shared/domain/billing/billing-calendar.rules.ts';
import fixture from '#test/fixtures/billing-calendar.json' with { type: 'json' };

type Case = { readonly anchor: string; readonly interval: Interval; readonly dates: readonly string[] };
/**
 * Computed by another calendar library, in another language. `dates` starts with the anchor's date; all have the
 * anchor's time of day.
 */
const TABLE = fixture as readonly Case[];

const DAY = 86_400_000;
const timeOf = (moment: string): string => moment.slice(10);
const dayOf = (moment: string): number => Number(moment.slice(8, 10));
const off = (moment: string, ms: number): Date => new Date(Date.parse(moment) + ms);

describe.each(TABLE)('$interval from $anchor', ({ anchor, interval, dates }) => {
  const starts = dates.map((date) => date + timeOf(anchor));

  it('starts its periods on the days of the calendar', () => {
    expect(starts.map((_, n) => periodStart(anchor, interval, n))).toEqual(starts);
  });

  it('finds the next period to the millisecond', () => {
    const around = starts.map((start) => [-1, 0, 1].map((ms) => nextPeriodNumber(anchor, interval, off(start, ms))));
    expect(around).toEqual(starts.map((_, n) => [n, n + 1, n + 1]));
  });
});

describe('the table', () => {
  it('covers each interval for five years, with the special month ends', () => {
    const years = ({ dates }: Case) => Number(dates.at(-1)?.slice(0, 4)) - Number(dates[0]?.slice(0, 4));
    expect(new Set(TABLE.filter((each) => years(each) >= 5).map((each) => each.interval))).toEqual(new Set(INTERVALS));
    expect(TABLE.flatMap(({ dates }) => dates)).toEqual(
      expect.arrayContaining(['2028-02-29', '2096-02-29', '2100-02-28', '2000-02-29', '2104-02-29']),
    );
    for (const interval of ['monthly', 'quarterly', 'yearly']) {
      const days = TABLE.filter((each) => each.interval === interval).map((each) => dayOf(each.anchor));
      expect(days).toEqual(expect.arrayContaining([29, 30, 31]));
    }
  });

  it('stays on the 31st after months without one', () => {
    const anchor = '2026-01-31T00:00:00.000Z';
    const starts = [1, 2, 3, 4].map((n) => periodStart(anchor, 'monthly', n).slice(0, 10));
    expect(starts).toEqual(['2026-02-28', '2026-03-31', '2026-04-30', '2026-05-31']);
    expect(nextPeriodNumber(anchor, 'monthly', new Date('2026-02-28T00:00:00.000Z'))).toBe(2);
  });

  it('uses the day in UTC, whatever offset the anchor has', () => {
    expect(periodStart('2026-03-31T01:30:00.5+02:00', 'monthly', 0)).toBe('2026-03-30T23:30:00.500Z');
    expect(periodStart('2026-03-31T01:30:00.5+02:00', 'monthly', 11)).toBe('2027-02-28T23:30:00.500Z');
    expect(periodStart('2026-03-31T01:30:00.5+02:00', 'monthly', 12)).toBe('2027-03-30T23:30:00.500Z');
  });

  it('ignores anything finer than a millisecond', () => {
    const [anchor, dayAfter] = ['2026-01-31T00:00:00.000999Z', '2026-02-01T00:00:00.000Z'];
    expect(periodStart(anchor, 'daily', 1)).toBe(dayAfter);
    expect(nextPeriodNumber(anchor, 'daily', new Date(dayAfter))).toBe(2);
  });
});

describe('an invalid date-time, moment or number', () => {
  it.each([
    ['nothing', ''],
    ['a word', 'tomorrow'],
    ['a date without a time', '2026-01-31'],
    ['a time without its offset', '2026-01-31T00:00:00.000'],
    ['a day that the month does not have', '2026-02-29T00:00:00.000Z'],
    ['another spelling', 'Sat, 31 Jan 2026 00:00:00 GMT'],
  ])('is rejected as an anchor: %s', (_, anchor) => {
    expect(() => periodStart(anchor, 'monthly', 1)).toThrow(RangeError);
    expect(() => nextPeriodNumber(anchor, 'monthly', new Date(0))).toThrow(RangeError);
  });

  it.each(INTERVALS)('is rejected as a %s period', (interval) => {
    for (const n of [-1, 0.5, 1 / 3, Number.NaN, Number.POSITIVE_INFINITY]) {
      expect(() => periodStart('2026-01-31T00:00:00.000Z', interval, n)).toThrow(RangeError);
    }
    expect(() => nextPeriodNumber('2026-01-31T00:00:00.000Z', interval, new Date(Number.NaN))).toThrow(RangeError);
  });
});

const intervals = fc.constantFrom(...INTERVALS);
const anyMoment = fc
  .integer({ min: Date.parse('1990-01-01'), max: Date.parse('2110-01-01') })
  .map((ms) => new Date(ms).toISOString());
/** The last days of a month, with more first and last moments of a day than by chance. */
const monthEnds = fc
  .tuple(
    fc.integer({ min: 1990, max: 2110 }),
    fc.integer({ min: 1, max: 12 }),
    fc.integer({ min: 0, max: 3 }),
    fc.constantFrom('T00:00:00.000Z', 'T23:59:59.999Z', 'T12:30:15.250Z'),
  )
  .map(([year, month, before, time]) => new Date(Date.UTC(year, month, -before)).toISOString().slice(0, 10) + time);
const anchors = fc.oneof(anyMoment, monthEnds);

function plainSearch(anchor: string, interval: Interval, at: Date): number {
  let n = 0;
  while (Date.parse(periodStart(anchor, interval, n)) <= at.getTime()) n += 1;
  return n;
}

describe('any anchor', () => {
  it('starts each period later than the one before', () =>
    fc.assert(
      fc.property(anchors, intervals, fc.nat(1_000), (anchor, interval, n) => {
        expect(Date.parse(periodStart(anchor, interval, n + 1))).toBeGreaterThan(
          Date.parse(periodStart(anchor, interval, n)),
        );
      }),
      { numRuns: 1_000 },
    ));

  it('keeps its time of day, and is its own first period', () =>
    fc.assert(
      fc.property(anchors, intervals, fc.nat(1_000), (anchor, interval, n) => {
        expect(periodStart(anchor, interval, 0)).toBe(anchor);
        expect(timeOf(periodStart(anchor, interval, n))).toBe(timeOf(anchor));
      }),
    ));

  it('keeps its day of the month, or has the last day of a month that is shorter', () =>
    fc.assert(
      fc.property(anchors, fc.constantFrom('monthly', 'quarterly', 'yearly'), fc.nat(1_000), (anchor, interval, n) => {
        const start = new Date(periodStart(anchor, interval, n));
        const lastDay = new Date(Date.UTC(start.getUTCFullYear(), start.getUTCMonth() + 1, 0)).getUTCDate();
        expect(start.getUTCDate()).toBe(Math.min(dayOf(anchor), lastDay));
      }),
      { numRuns: 1_000 },
    ));

  it('has the next period that a linear search finds, at any moment', () =>
    fc.assert(
      fc.property(
        anchors,
        intervals,
        fc.integer({ min: -500, max: 1_000 }),
        fc.nat(DAY),
        (anchor, interval, days, ms) => {
          const at = off(anchor, (days * DAY) / (interval === 'daily' ? 10 : 1) + ms);
          expect(nextPeriodNumber(anchor, interval, at)).toBe(plainSearch(anchor, interval, at));
        },
      ),
      { numRuns: 500 },
    ));

  it('has the next period that a linear search finds, at the borders of periods', () =>
    fc.assert(
      fc.property(anchors, intervals, fc.nat(60), fc.integer({ min: -1, max: 1 }), (anchor, interval, n, ms) => {
        const at = off(periodStart(anchor, interval, n), ms);
        expect(nextPeriodNumber(anchor, interval, at)).toBe(plainSearch(anchor, interval, at));
      }),
      { numRuns: 500 },
    ));

  it('finds the next period exactly after a lifetime', () =>
    fc.assert(
      fc.property(
        anchors,
        intervals,
        fc.integer({ min: 0, max: 36_500 }),
        fc.constantFrom(-1, 0, 1, DAY / 2),
        (anchor, interval, days, ms) => {
          const at = off(anchor, days * DAY + ms);
          const next = nextPeriodNumber(anchor, interval, at);
          expect(Date.parse(periodStart(anchor, interval, next))).toBeGreaterThan(at.getTime());
          if (next > 0) expect(Date.parse(periodStart(anchor, interval, next - 1))).toBeLessThanOrEqual(at.getTime());
        },
      ),
      { numRuns: 1_000 },
    ));
});
