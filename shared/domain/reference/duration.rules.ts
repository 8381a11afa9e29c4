import { DAY, HOUR, MINUTE, SECOND } from '#shared/kernel/clock.ts';

const UNITS = { s: SECOND, m: MINUTE, h: HOUR, d: DAY } as const;
type Unit = keyof typeof UNITS;

const LONGEST = 30 * DAY;

/** Such as `10m`, in milliseconds; undefined for what is in none of these units, is nothing, or longer than 30 days. */
export function durationOf(text: string, units: readonly Unit[]): number | undefined {
  const [, count, letter] = /^([1-9]\d{0,6})([a-z])$/.exec(text) ?? [];
  const unit = units.find((each) => each === letter);
  const length = unit && Number(count) * UNITS[unit];
  return length !== undefined && length <= LONGEST ? length : undefined;
}
