/** The ranges that can be looked at, in days. Each is compared with the same number of days before it. */
export const PERIODS = ['7', '30', '90'] as const;
export type Period = (typeof PERIODS)[number];

export const periodOf = (text: string | undefined): Period => PERIODS.find((period) => period === text) ?? '7';

const DAY_MS = 86_400_000;

/** A day of UTC as text, so many days after this moment. */
export const dayAfter = (at: Date, days: number): string =>
  new Date(at.getTime() + days * DAY_MS).toISOString().slice(0, 10);

export type Range = { readonly from: string; readonly to: string; readonly days: readonly string[] };

const range = (now: Date, first: number, length: number): Range => ({
  from: dayAfter(now, first),
  to: dayAfter(now, first + length - 1),
  days: Array.from({ length }, (_, n) => dayAfter(now, first + n)),
});

/** The days up to today, and as many before them. */
export function rangesOf(period: Period, now: Date): { readonly current: Range; readonly previous: Range } {
  const length = Number(period);
  return { current: range(now, 1 - length, length), previous: range(now, 1 - 2 * length, length) };
}
