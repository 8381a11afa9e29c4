export const AB_TEST_STATUSES = ['draft', 'running', 'paused', 'completed'] as const;
export type AbTestStatus = (typeof AB_TEST_STATUSES)[number];

/** One way that payments may go: a routing rule names its connection. Its share is its weight of all weights. */
export type Variant = { readonly name: string; readonly routing_rule_id: string; readonly weight: number };

/** Which payments a test is about. An empty list means all. */
export type Targets = {
  readonly target_currencies: readonly string[];
  readonly target_countries: readonly string[];
  readonly target_methods: readonly string[];
};

export type AbTest = Targets & {
  readonly id: string;
  readonly org_id: string;
  readonly mode: 'sandbox' | 'live';
  readonly name: string;
  readonly description: string | null;
  readonly status: AbTestStatus;
  readonly variants: readonly Variant[];
  readonly traffic_percentage: number;
  readonly start_at: string | null;
  readonly end_at: string | null;
  /** Why it could not start by itself; it stays a draft then. */
  readonly start_failure: string | null;
  readonly created_at: string;
  readonly updated_at: string;

  /** Inner fields from here on. When it first ran: its variants are fixed from then on. */
  readonly started_at: string | null;
  readonly version: number;
};

/** What routing needs of a test that runs. Its end is here too: payments don't wait for the timer. */
export type RunningTest = Targets & Pick<AbTest, 'id' | 'variants' | 'traffic_percentage' | 'end_at'>;
