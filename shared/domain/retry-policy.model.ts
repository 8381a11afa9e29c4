/** When a failed invoice is tried again. */
export type RetryPolicy = {
  readonly org_id: string;
  /** Empty: for all plans that have none of their own. */
  readonly plan_id: string;
  /** Before the first retry, the second …, such as `24h`; the last one repeats. */
  readonly delays: readonly string[];
  readonly max_retries: number;
  readonly created_at: string;
  readonly updated_at: string;
  /** Counts how often it was saved. */
  readonly version: number;
};

/** What holds where nobody has said anything. */
export const USUAL_RETRIES = { delays: ['24h', '72h', '120h'], max_retries: 3 } as const satisfies Pick<RetryPolicy, 'delays' | 'max_retries'>;
