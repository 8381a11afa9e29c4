import { RetentionDays } from 'aws-cdk-lib/aws-logs';
import type { OpenRouteKind } from '#lib/aws/api-body.ts';
import type { FunctionName } from '#lib/aws/function-table.ts';
import type { Stage } from '#shared/domain/reference/stage.model.ts';
import type { QueueName } from '#shared/ports/queue.port.ts';

type Throttle = { readonly rateLimit: number; readonly burstLimit: number };

/** Units a second that DynamoDB serves at once, without having seen such a load before. */
export type WarmThroughput = { readonly readUnitsPerSecond: number; readonly writeUnitsPerSecond: number };

/** What a stage can take. A profile changes quotas, not what the service does. */
export type Capacity = {
  /** Payments a second that everything below is sized for, each of which waits half a second for its provider. */
  readonly paymentsPerSecond: number;
  /** Requests a second for the whole API. Each key has its own limits below it. */
  readonly throttle: Throttle;
  /**
   * Requests a second for each route that anyone can call without a counted credential: whoever floods one of them must
   * not use up the whole API's. They are part of `throttle`. Pages where customers pay, and callbacks, have the most.
   */
  readonly openThrottles: Readonly<Record<OpenRouteKind, Throttle>>;
  /** Reserved concurrency: so many executions of a function are always possible, and no more than that. */
  readonly reserved: Readonly<Partial<Record<FunctionName, number>>>;
  /**
   * Batches of each queue that are processed at once, 2 to 1,000. Not reserved: the sum over both stages must fit
   * beside what is.
   */
  readonly queueConcurrency: Readonly<Record<QueueName, number>>;
  /**
   * Whether the dashboard shows each function and provider. Without, it has no more than 50 metrics, which are free.
   */
  readonly detailedDashboard: boolean;
  /**
   * The table and each of its indexes. They belong together, as an index that cannot follow makes the table refuse
   * writes. Absent: DynamoDB's own 4,000 writes and 12,000 reads, which cost nothing. It can be raised, never lowered.
   */
  readonly warmThroughput?: { readonly table: WarmThroughput; readonly index: WarmThroughput };
};

export const CAPACITY_PROFILES = ['small', 'medium', 'large'] as const;
export type CapacityProfile = (typeof CAPACITY_PROFILES)[number];

const DEFAULT_CAPACITY: CapacityProfile = 'small';

/**
 * Both lanes of deliveries mostly wait (ADR 24): each process of the fast one for 10 endpoints at once, each of the one
 * for dead endpoints for 50. `large` needs larger quotas of the account than the defaults; see `docs/scale.md`.
 */
export const CAPACITY: Readonly<Record<CapacityProfile, Capacity>> = {
  small: {
    paymentsPerSecond: 70,
    throttle: { rateLimit: 200, burstLimit: 400 },
    openThrottles: {
      open: { rateLimit: 20, burstLimit: 40 },
      page: { rateLimit: 50, burstLimit: 100 },
      callback: { rateLimit: 100, burstLimit: 200 },
    },
    reserved: { payments: 40, 'psp-webhooks': 10, auth: 5, 'hosted-pages': 10 },
    queueConcurrency: { 'webhook-delivery': 10, 'slow-deliveries': 5, timers: 5, renewals: 5, 'workflow-runs': 5 },
    detailedDashboard: false,
  },
  medium: {
    paymentsPerSecond: 470,
    throttle: { rateLimit: 2_000, burstLimit: 4_000 },
    openThrottles: {
      open: { rateLimit: 100, burstLimit: 200 },
      page: { rateLimit: 500, burstLimit: 1_000 },
      callback: { rateLimit: 1_000, burstLimit: 2_000 },
    },
    reserved: { payments: 260, 'psp-webhooks': 100, auth: 15, 'hosted-pages': 60 },
    queueConcurrency: { 'webhook-delivery': 200, 'slow-deliveries': 20, timers: 50, renewals: 50, 'workflow-runs': 50 },
    detailedDashboard: true,
    warmThroughput: {
      table: { readUnitsPerSecond: 12_000, writeUnitsPerSecond: 8_000 },
      index: { readUnitsPerSecond: 12_000, writeUnitsPerSecond: 4_000 },
    },
  },
  large: {
    paymentsPerSecond: 10_000,
    throttle: { rateLimit: 20_000, burstLimit: 20_000 },
    openThrottles: {
      open: { rateLimit: 500, burstLimit: 1_000 },
      page: { rateLimit: 5_000, burstLimit: 5_000 },
      callback: { rateLimit: 10_000, burstLimit: 10_000 },
    },
    reserved: { payments: 6_000, 'psp-webhooks': 1_500, auth: 50, 'hosted-pages': 500 },
    queueConcurrency: {
      'webhook-delivery': 1_000,
      'slow-deliveries': 200,
      timers: 200,
      renewals: 500,
      'workflow-runs': 500,
    },
    detailedDashboard: true,
    warmThroughput: {
      table: { readUnitsPerSecond: 60_000, writeUnitsPerSecond: 120_000 },
      index: { readUnitsPerSecond: 12_000, writeUnitsPerSecond: 40_000 },
    },
  },
};

export const ROLLOUTS = ['canary', 'all-at-once'] as const;
type Rollout = (typeof ROLLOUTS)[number];

export type ProbeInterval = 1 | 5;

type StageBasics = {
  /** Whether table, keys and logs outlive the stack, and the table is protected against deletion. */
  readonly keepsData: boolean;
  readonly logRetention: RetentionDays;
  /** How functions that move money change their version, unless the deployment says otherwise. */
  readonly rollout: Rollout;
  /** A canary lasts five minutes, so where there is one the probe must run each minute. Each run costs. */
  readonly probeEveryMinutes: ProbeInterval;
};

export type StageSettings = StageBasics & Capacity;

/** Everything in which sandbox and live differ, apart from their capacity. What works on one then works on the other. */
export const STAGES: Readonly<Record<Stage, StageBasics>> = {
  sandbox: { keepsData: false, logRetention: RetentionDays.TWO_WEEKS, rollout: 'all-at-once', probeEveryMinutes: 5 },
  live: { keepsData: true, logRetention: RetentionDays.ONE_YEAR, rollout: 'canary', probeEveryMinutes: 1 },
};

export const stageSettings = (stage: Stage, profile: CapacityProfile = DEFAULT_CAPACITY): StageSettings => ({
  ...STAGES[stage],
  ...CAPACITY[profile],
});
