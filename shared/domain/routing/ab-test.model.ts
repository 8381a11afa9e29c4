import type { Stage } from '#shared/domain/reference/stage.model.ts';
export const AB_TEST_STATUSES = ['draft', 'running', 'paused', 'completed'] as const;
export type AbTestStatus = (typeof AB_TEST_STATUSES)[number];

/** One arm of a test: a routing rule names its connection. Its share is its weight divided by all weights. */
export type Variant = { readonly name: string; readonly routing_rule_id: string; readonly weight: number };

/** The payments that a test applies to. An empty list means all. */
export type TestTargets = {
  readonly target_currencies: readonly string[];
  readonly target_countries: readonly string[];
  readonly target_methods: readonly string[];
};

export type AbTest = TestTargets & {
  readonly id: string;
  readonly org_id: string;
  readonly mode: Stage;
  readonly name: string;
  readonly description: string | null;
  readonly status: AbTestStatus;
  readonly variants: readonly Variant[];
  readonly traffic_percentage: number;
  readonly start_at: string | null;
  readonly end_at: string | null;
  /** Why its scheduled start failed; it stays a draft then. */
  readonly start_failure: string | null;
  readonly created_at: string;
  readonly updated_at: string;

  /** Inner fields from here on. The time of its first start: from then on its variants are fixed. */
  readonly started_at: string | null;
  readonly version: number;
};

/** What routing needs of a running test, its end included: payments don't wait for the timer. */
export type RunningTest = TestTargets & Pick<AbTest, 'id' | 'variants' | 'traffic_percentage' | 'end_at'>;
