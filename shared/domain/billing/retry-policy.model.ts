/** When a failed invoice is tried again. */
export type RetryPolicy = {
  readonly org_id: string;
  /** Empty: the default for plans without a policy. */
  readonly plan_id: string;
  /** Waits before the first retry, the second …, such as `24h`; the last one repeats. */
  readonly delays: readonly string[];
  readonly max_retries: number;
  readonly created_at: string;
  readonly updated_at: string;
  /** The number of saves. */
  readonly version: number;
};

/** The default without any policy. */
export const USUAL_RETRIES = { delays: ['24h', '72h', '120h'], max_retries: 3 } as const satisfies Pick<
  RetryPolicy,
  'delays' | 'max_retries'
>;
