import { RetentionDays } from 'aws-cdk-lib/aws-logs';
import { STACK_NAMES } from '#lib/aws/stack-names.ts';
import type { Stage } from '#shared/domain/api-key.model.ts';

export type StageSettings = {
  readonly stackName: string;
  /** Table, keys and logs outlive the stack, and neither stack nor table can be deleted by mistake. */
  readonly keepsData: boolean;
  readonly logRetention: RetentionDays;
  /** Of the whole API, requests a second; each key has its own limits below it. */
  readonly throttle: { readonly rateLimit: number; readonly burstLimit: number };
  /** Set aside for the function URL: so many callbacks at once, whatever the API is busy with, and no more. */
  readonly callbackConcurrency: number;
  /** How many batches of a queue are worked on at once, at least 2. */
  readonly queueConcurrency: number;
};

/** What sandbox and live differ in, and all of it: what was tried on the one holds on the other. */
export const STAGES: Readonly<Record<Stage, StageSettings>> = {
  sandbox: {
    stackName: STACK_NAMES.sandbox,
    keepsData: false,
    logRetention: RetentionDays.TWO_WEEKS,
    throttle: { rateLimit: 200, burstLimit: 400 },
    callbackConcurrency: 10,
    queueConcurrency: 5,
  },
  live: {
    stackName: STACK_NAMES.live,
    keepsData: true,
    logRetention: RetentionDays.ONE_YEAR,
    throttle: { rateLimit: 2_000, burstLimit: 4_000 },
    callbackConcurrency: 100,
    queueConcurrency: 50,
  },
};
