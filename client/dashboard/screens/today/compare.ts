import type { Formats } from '#client/dashboard/i18n/formats.ts';
import type { Change } from '#client/dashboard/ui/change.ts';
import type { PaymentStats } from '#client/typescript/src/index.ts';

export type DayStats = PaymentStats['by_day'][number];

/** What one currency took on each of these days; days without payments are zero. */
export const volumesOf = (stats: PaymentStats, days: readonly string[], currency: string): readonly number[] =>
  days.map((day) => volumeOn(stats, day, currency));

export function volumeOn({ by_day }: PaymentStats, day: string, currency: string): number {
  const found = by_day.find((one) => one.day === day);
  return found?.money.find((money) => money.currency === currency)?.volume ?? 0;
}

export const volumeOf = ({ by_currency }: PaymentStats, currency: string): number =>
  by_currency.find((one) => one.currency === currency)?.volume ?? 0;

export const refundedOf = ({ by_currency }: PaymentStats, currency: string): number =>
  by_currency.find((one) => one.currency === currency)?.refunded_amount ?? 0;

/** The currencies of the period, the one with the most payments first. */
export const currenciesOf = ({ by_currency }: PaymentStats): readonly string[] =>
  by_currency.toSorted((a, b) => b.total - a.total).map(({ currency }) => currency);

type Compared = {
  readonly now: number;
  readonly before: number;
  readonly than: string;
  /** Whether more is better. Undefined: neither. */
  readonly isMoreGood?: boolean;
};

const directionOf = (difference: number): Change['direction'] => {
  if (Math.abs(difference) < 0.000_5) return 'same';
  return difference > 0 ? 'up' : 'down';
};

const judged = (direction: Change['direction'], isMoreGood: boolean | undefined): boolean | undefined =>
  direction === 'same' || isMoreGood === undefined ? undefined : (direction === 'up') === isMoreGood;

/** The difference as a share of what was before. Undefined where there was nothing: no share of nothing is told. */
export function changeOf({ now, before, than, isMoreGood }: Compared, { percent }: Formats): Change | undefined {
  if (before === 0) return undefined;
  const difference = (now - before) / before;
  const direction = directionOf(difference);
  return { text: percent(Math.abs(difference)), direction, isGood: judged(direction, isMoreGood), than };
}

/** The difference of two shares, in points: from 90 % to 92 % is 2 points, not 2.2 %. */
export function pointsOf(
  now: number | null,
  before: number | null,
  than: string,
  write: (points: number) => string,
): Change | undefined {
  if (now === null || before === null) return undefined;
  const direction = directionOf(now - before);
  return { text: write(Math.abs(now - before) * 100), direction, isGood: judged(direction, true), than };
}
