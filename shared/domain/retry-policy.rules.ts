import type { RetryPolicy } from '#shared/domain/retry-policy.model.ts';
import { DAY, HOUR, MINUTE } from '#shared/kernel/clock.ts';

const UNITS: Readonly<Record<string, number>> = { m: MINUTE, h: HOUR, d: DAY };
const LONGEST = 30 * DAY;

/** A delay in milliseconds, from a minute to 30 days; undefined for what is none. */
export function delayOf(text: string): number | undefined {
  const [, count, unit = ''] = /^([1-9]\d{0,5})([mhd])$/.exec(text) ?? [];
  const length = Number(count) * (UNITS[unit] ?? 0);
  return count !== undefined && length <= LONGEST ? length : undefined;
}

/** How long to wait before the retry of that number, 1 being the first; undefined when there is none left. Without delays there are no retries. */
export function delayBefore(retry: number, { delays, max_retries }: Pick<RetryPolicy, 'delays' | 'max_retries'>): number | undefined {
  const delay = delays[Math.min(retry, delays.length) - 1];
  return retry > max_retries || delay === undefined ? undefined : delayOf(delay);
}
