import { fromEpochMilliseconds, fromString, type Record as Instant, toZonedDateTimeISO } from 'temporal-polyfill/fns/Instant';
import { addDays, addMonths, diffDays, diffMonths, type Record as ZonedDateTime } from 'temporal-polyfill/fns/ZonedDateTime';

export const INTERVALS = ['daily', 'weekly', 'monthly', 'quarterly', 'yearly'] as const;
export type Interval = (typeof INTERVALS)[number];

/** The calendar adds and counts. A day that a month doesn't have becomes the month's last. */
const DAYS = { add: addDays, between: diffDays };
const MONTHS = { add: addMonths, between: diffMonths };

/** How many days or months an interval is. */
const LENGTHS = {
  daily: { ...DAYS, count: 1 },
  weekly: { ...DAYS, count: 7 },
  monthly: { ...MONTHS, count: 1 },
  quarterly: { ...MONTHS, count: 3 },
  yearly: { ...MONTHS, count: 12 },
} as const satisfies Record<Interval, unknown>;

/** The start of the period of that number (0 is the anchor itself), ISO 8601 with milliseconds and Z. */
export function periodStart(anchor: string, interval: Interval, n: number): string {
  return new Date(startOf(inUtc(fromString(anchor)), interval, n)).toISOString();
}

/** The number of the first period that begins after `at` (not at it). 0 where the anchor itself lies after it. */
export function nextPeriod(anchor: string, interval: Interval, at: Date): number {
  const first = inUtc(fromString(anchor));
  const { between, count } = LENGTHS[interval];
  const whole = Math.floor(between(first, inUtc(fromEpochMilliseconds(at.getTime())), 'floor') / count);
  // The count says only where to look. Whether a period has begun, as on the last day of a short month, the starts alone say.
  let n = Math.max(0, whole);
  while (startOf(first, interval, n) <= at.getTime()) n += 1;
  return n;
}

/** Always counted from the anchor: from a start before, 28 February would stay the 28th for good. In milliseconds. */
function startOf(anchor: ZonedDateTime, interval: Interval, n: number): number {
  if (!Number.isSafeInteger(n) || n < 0) throw new RangeError(`No period has the number ${n}.`);
  const { add, count } = LENGTHS[interval];
  return add(anchor, n * count).epochMilliseconds;
}

const inUtc = (instant: Instant): ZonedDateTime => toZonedDateTimeISO(instant, 'UTC');
