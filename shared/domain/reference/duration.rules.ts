import { DAY, HOUR, MINUTE, SECOND } from '#shared/kernel/clock.ts';

const UNITS = { s: SECOND, m: MINUTE, h: HOUR, d: DAY } as const;
type Unit = keyof typeof UNITS;

const MAX_DURATION = 30 * DAY;

/** Milliseconds of a text such as `10m`; undefined for another form or unit, for zero, and for more than 30 days. */
export function parseDuration(text: string, units: readonly Unit[]): number | undefined {
  const [, count, symbol] = /^([1-9]\d{0,6})([a-z])$/.exec(text) ?? [];
  const unit = units.find((each) => each === symbol);
  const length = unit && Number(count) * UNITS[unit];
  return length !== undefined && length <= MAX_DURATION ? length : undefined;
}
