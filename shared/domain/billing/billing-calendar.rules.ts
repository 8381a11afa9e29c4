import {
  fromEpochMilliseconds,
  fromString,
  type Record as Instant,
  toZonedDateTimeISO,
} from 'temporal-polyfill/fns/Instant';
import {
  addDays,
  addMonths,
  diffDays,
  diffMonths,
  type Record as ZonedDateTime,
} from 'temporal-polyfill/fns/ZonedDateTime';

export const INTERVALS = ['daily', 'weekly', 'monthly', 'quarterly', 'yearly'] as const;
export type Interval = (typeof INTERVALS)[number];

/** Calendar arithmetic per interval. A day that a month lacks becomes its last day. */
const DAYS = { add: addDays, between: diffDays };
const MONTHS = { add: addMonths, between: diffMonths };

/** Length of an interval, in days or months. */
const INTERVAL_LENGTHS = {
  daily: { ...DAYS, count: 1 },
  weekly: { ...DAYS, count: 7 },
  monthly: { ...MONTHS, count: 1 },
  quarterly: { ...MONTHS, count: 3 },
  yearly: { ...MONTHS, count: 12 },
} as const satisfies Record<Interval, unknown>;

/** The start of period `n` (0 is the anchor itself), ISO 8601 with milliseconds and Z. */
export function periodStart(anchor: string, interval: Interval, n: number): string {
  return new Date(startOf(inUtc(fromString(anchor)), interval, n)).toISOString();
}

/** The number of the first period that starts after `at`; 0 if the anchor itself does. */
export function nextPeriodNumber(anchor: string, interval: Interval, at: Date): number {
  const first = inUtc(fromString(anchor));
  const { between, count } = INTERVAL_LENGTHS[interval];
  const whole = Math.floor(between(first, inUtc(fromEpochMilliseconds(at.getTime())), 'floor') / count);
  // The count is only an estimate: near the end of short months the actual starts decide.
  let n = Math.max(0, whole);
  while (startOf(first, interval, n) <= at.getTime()) n += 1;
  return n;
}

/**
 * Always computed from the anchor: from the previous start, 28 February would stay the 28th for good. In milliseconds.
 */
function startOf(anchor: ZonedDateTime, interval: Interval, n: number): number {
  if (!Number.isSafeInteger(n) || n < 0) throw new RangeError(`No period has the number ${n}.`);
  const { add, count } = INTERVAL_LENGTHS[interval];
  return add(anchor, n * count).epochMilliseconds;
}

const inUtc = (instant: Instant): ZonedDateTime => toZonedDateTimeISO(instant, 'UTC');
