/** Sends payments of these countries and methods to one connection. */
export type RoutingRule = {
  readonly id: string;
  readonly org_id: string;
  readonly name: string;
  readonly countries: readonly string[];
  /** Empty: every method. */
  readonly methods: readonly string[];
  readonly connection_id: string;
  readonly priority: number;
  readonly fallback_to_default: boolean;
  readonly enabled: boolean;
  readonly created_at: string;
  readonly updated_at: string;
  readonly version: number;
  /**
   * Number of variants, of A/B tests that have run and are not completed, that name it: it can't be deleted while there
   * are any.
   */
  readonly used_by_tests?: number;
};

/** What routing needs of a rule. */
export type RoutedRule = Pick<
  RoutingRule,
  'id' | 'countries' | 'methods' | 'connection_id' | 'priority' | 'fallback_to_default' | 'enabled' | 'created_at'
>;
