import { parseDuration } from '#shared/domain/reference/duration.rules.ts';

/** Dunning: when the collection of an unpaid invoice is retried. */
export type RetryPolicy = {
  readonly org_id: string;
  /** Empty: the organization's default, for plans without a policy. */
  readonly plan_id: string;
  /** Waits before the first retry, the second …, such as `24h`; the last one repeats. */
  readonly delays: readonly string[];
  readonly max_retries: number;
  readonly created_at: string;
  readonly updated_at: string;
  readonly version: number;
};

/** Applies where neither the plan nor the organization has a policy. */
export const DEFAULT_RETRY_POLICY = { delays: ['24h', '72h', '120h'], max_retries: 3 } as const satisfies Pick<
  RetryPolicy,
  'delays' | 'max_retries'
>;

/** A delay in milliseconds, from a minute to 30 days; undefined if invalid. */
export const parseDelay = (text: string): number | undefined => parseDuration(text, ['m', 'h', 'd']);

/** The wait before the nth retry (from 1), in milliseconds; undefined if none is left. */
export function retryDelay(
  retry: number,
  { delays, max_retries }: Pick<RetryPolicy, 'delays' | 'max_retries'>,
): number | undefined {
  const delay = delays[Math.min(retry, delays.length) - 1];
  return retry > max_retries || delay === undefined ? undefined : parseDelay(delay);
}
