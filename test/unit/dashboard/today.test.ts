import { describe, expect, it } from 'vitest';
import { formatsFor } from '#client/dashboard/i18n/formats.ts';
import { changeOf, pointsOf, volumesOf } from '#client/dashboard/screens/today/compare.ts';
import { periodOf, rangesOf } from '#client/dashboard/screens/today/period.ts';
import type { PaymentStats } from '#client/typescript/src/index.ts';

const formats = formatsFor('en-GB');
const than = 'vs the week before';

describe('the period of Today', () => {
  it('ends today and follows directly on the one that it is compared with', () => {
    const { current, previous } = rangesOf('7', new Date('2026-03-03T23:59:59Z'));
    expect(current).toMatchObject({ from: '2026-02-25', to: '2026-03-03' });
    expect(previous).toMatchObject({ from: '2026-02-18', to: '2026-02-24' });
    expect([current.days.length, previous.days.length]).toEqual([7, 7]);
  });

  it('is a week if the address says something else', () => {
    expect([periodOf('30'), periodOf('31'), periodOf(undefined)]).toEqual(['30', '7', '7']);
  });
});

describe('a figure against the period before', () => {
  it.each([
    ['more volume is good', 150, 100, true, { text: '50%', direction: 'up', isGood: true }],
    ['less volume is bad', 75, 100, true, { text: '25%', direction: 'down', isGood: false }],
    ['fewer refunds are good', 0, 100, false, { text: '100%', direction: 'down', isGood: true }],
    ['the same is neither', 100, 100, true, { text: '0%', direction: 'same', isGood: undefined }],
    ['a number of payments is not judged', 200, 100, undefined, { text: '100%', direction: 'up', isGood: undefined }],
  ])('%s', (_, now, before, isMoreGood, expected) =>
    expect(changeOf({ now, before, than, isMoreGood }, formats)).toEqual({ ...expected, than }),
  );

  it('is no share of nothing', () => {
    expect(changeOf({ now: 100, before: 0, than }, formats)).toBeUndefined();
    expect(pointsOf(0.9, null, than, String)).toBeUndefined();
    expect(pointsOf(null, 0.9, than, String)).toBeUndefined();
  });

  it('is in points if it is a share itself', () =>
    expect(pointsOf(0.92, 0.9, than, (points) => points.toFixed(1))).toEqual({
      text: '2.0',
      direction: 'up',
      isGood: true,
      than,
    }));
});

it('counts days without payments, and currencies that a day does not have, as zero', () => {
  const day = (name: string, volume: number, currency = 'EUR') => ({ day: name, money: [{ currency, volume }] });
  const stats = { by_day: [day('2026-01-01', 500), day('2026-01-03', 900, 'USD')] };
  const days = ['2026-01-01', '2026-01-02', '2026-01-03'];
  expect(volumesOf(stats as unknown as PaymentStats, days, 'EUR')).toEqual([500, 0, 0]);
});

it.each([
  ['8 days', '2026-01-01T00:00:00.000Z'],
  ['1 hour', '2026-01-09T10:30:00.000Z'],
  ['0 seconds', '2026-01-09T12:00:00.000Z'],
])('says that something lasts %s, in whole units', (text, at) => {
  expect(formats.elapsed(at, new Date('2026-01-09T12:00:00.000Z'))).toBe(text);
});
