import { RetentionDays } from 'aws-cdk-lib/aws-logs';
import type { FunctionName } from '#lib/aws/function-table.ts';
import { STACK_NAMES } from '#lib/aws/stack-names.ts';
import type { Stage } from '#shared/domain/reference/stage.model.ts';
import type { QueueName } from '#shared/ports/queue.port.ts';

type Throttle = { readonly rateLimit: number; readonly burstLimit: number };

export type StageSettings = {
  readonly stackName: string;
  /** Whether table, keys and logs outlive the stack, and the table is protected against deletion. */
  readonly keepsData: boolean;
  readonly logRetention: RetentionDays;
  /** Requests a second for the whole API. Each key has its own limits below it. */
  readonly throttle: Throttle;
  /**
   * Requests a second for each route that anyone can call without a credential: whoever floods one of them must not use
   * up the whole API's. They are part of `throttle`.
   */
  readonly openThrottle: Throttle;
  /** Reserved concurrency: so many executions of a function are always possible, and no more than that. */
  readonly reserved: Readonly<Partial<Record<FunctionName, number>>>;
  /**
   * Batches of each queue that are processed at once, 2 to 1,000. Not reserved: the sum over both stages must fit
   * beside what is.
   */
  readonly queueConcurrency: Readonly<Record<QueueName, number>>;
};

/** Everything in which sandbox and live differ. What works on one then works on the other. */
export const STAGES: Readonly<Record<Stage, StageSettings>> = {
  sandbox: {
    stackName: STACK_NAMES.sandbox,
    keepsData: false,
    logRetention: RetentionDays.TWO_WEEKS,
    throttle: { rateLimit: 200, burstLimit: 400 },
    openThrottle: { rateLimit: 20, burstLimit: 40 },
    reserved: { payments: 40, 'psp-webhooks': 10, auth: 5, 'hosted-pages': 10 },
    queueConcurrency: { 'webhook-delivery': 10, 'slow-deliveries': 5, timers: 5, renewals: 5, 'workflow-runs': 5 },
  },
  live: {
    stackName: STACK_NAMES.live,
    keepsData: true,
    logRetention: RetentionDays.ONE_YEAR,
    throttle: { rateLimit: 2_000, burstLimit: 4_000 },
    openThrottle: { rateLimit: 100, burstLimit: 200 },
    reserved: { payments: 260, 'psp-webhooks': 100, auth: 15, 'hosted-pages': 60 },
    // Both lanes of deliveries mostly wait (ADR 24): the fast one for up to 2,000 endpoints at once, the one for dead
    // endpoints for up to 1,000.
    queueConcurrency: { 'webhook-delivery': 200, 'slow-deliveries': 20, timers: 50, renewals: 50, 'workflow-runs': 50 },
  },
};
