/** From the smallest to the largest. */
export const PLAN_NAMES = ['free', 'growth', 'scale'] as const;
export type PlanName = (typeof PLAN_NAMES)[number];

/** Metrics counted per calendar month (UTC), and resources counted as they exist. */
export const MONTHLY_METRICS = ['payments', 'workflow_executions'] as const;
const STANDING_METRICS = ['connections', 'api_keys'] as const;
export type MonthlyMetric = (typeof MONTHLY_METRICS)[number];
export type Metric = MonthlyMetric | (typeof STANDING_METRICS)[number];
/** Features that only some plans have. */
export type Feature = 'ab_tests';

export type Plan = {
  /** Null: unlimited. */
  readonly limits: Readonly<Record<Metric, number | null>>;
  readonly features: readonly Feature[];
};

/** The limits and features of each plan. The limits of `growth` are our choice: the specification names none. */
export const PLANS = {
  free: { limits: { connections: 2, api_keys: 5, payments: 100, workflow_executions: 50 }, features: [] },
  growth: {
    limits: { connections: 20, api_keys: 50, payments: 10_000, workflow_executions: 5_000 },
    features: ['ab_tests'],
  },
  scale: {
    limits: { connections: null, api_keys: null, payments: null, workflow_executions: null },
    features: ['ab_tests'],
  },
} as const satisfies Record<PlanName, Plan>;
