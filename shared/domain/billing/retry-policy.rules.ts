import type { RetryPolicy } from '#shared/domain/billing/retry-policy.model.ts';
import { durationOf } from '#shared/domain/reference/duration.rules.ts';

/** A delay in milliseconds, from a minute to 30 days; undefined if invalid. */
export const delayOf = (text: string): number | undefined => durationOf(text, ['m', 'h', 'd']);

/** The wait before the nth retry (from 1); undefined when none is left. Without delays there are no retries. */
export function delayBefore(
  retry: number,
  { delays, max_retries }: Pick<RetryPolicy, 'delays' | 'max_retries'>,
): number | undefined {
  const delay = delays[Math.min(retry, delays.length) - 1];
  return retry > max_retries || delay === undefined ? undefined : delayOf(delay);
}
