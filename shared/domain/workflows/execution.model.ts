import type { ConnectionWorkflow, EventType } from '#shared/domain/reference/events.catalog.ts';
import type { StepType } from '#shared/domain/workflows/workflow.model.ts';

/**
 * `refused`: it never ran, because the plan's executions were used up or its template is missing.
 * `waiting`: for a delay, or for a step's next attempt.
 */
export const EXECUTION_STATUSES = [
  'pending',
  'running',
  'waiting',
  'succeeded',
  'failed',
  'canceled',
  'refused',
] as const;
export type ExecutionStatus = (typeof EXECUTION_STATUSES)[number];

/** In the form of the API's own errors. */
export type ExecutionError = {
  readonly code: string;
  readonly message: string;
  readonly details?: Readonly<Record<string, unknown>>;
};

export const STEP_RUN_STATUSES = ['running', 'succeeded', 'failed', 'canceled'] as const;
export type StepRunStatus = (typeof STEP_RUN_STATUSES)[number];

/** A step that has ended or will be retried, or a running delay. In the order in which the steps started. */
export type StepRun = {
  readonly id: string;
  readonly type: StepType;
  /** `canceled`: a delay in which the execution was canceled. */
  readonly status: StepRunStatus;
  /** Number of attempts. */
  readonly tries: number;
  readonly started_at: string;
  readonly ended_at: string | null;
  /** The values that expressions of later steps can use. */
  readonly output: Readonly<Record<string, string | number | boolean | null>>;
  readonly error: ExecutionError | null;

  /**
   * Internal fields from here on. While a mail step is retried: the result for each address, by a keyed hash of it.
   */
  readonly mail_results?: MailResults;
  /** The execution ended while this step was running. Its outcome, once known, replaces this entry. */
  readonly unrecorded?: true;
};

export type MailResults = Readonly<Record<string, 'mailed' | 'rejected'>>;

/** One run of a template for one event. */
export type Execution = {
  readonly id: string;
  readonly org_id: string;
  readonly template_id: string;
  /** What started it: a rule, a connection, or neither if a request did. */
  readonly rule_id: string | null;
  readonly connection_id: string | null;
  readonly event: { readonly id: string; readonly type: EventType };
  readonly status: ExecutionStatus;
  readonly steps: readonly StepRun[];
  readonly error: ExecutionError | null;
  /** When it continues; null while it runs and after its end. */
  readonly next_step_at: string | null;
  /** The time of its event, or of the request that started it. */
  readonly created_at: string;
  readonly updated_at: string;
  readonly started_at: string | null;
  readonly ended_at: string | null;

  /** The version of the template that it runs. */
  readonly template_version: number;

  /** Internal fields from here on: no response shows them. */
  readonly version: number;
  /**
   * Executions used this month when its event first arrived. A repeated event is checked against the plan with this
   * number again.
   */
  readonly used_before?: number;
  /** The next step; null after the last. */
  readonly at_step: string | null;
  /** The type of that step, to show it while it runs. */
  readonly at_type?: StepType | null;
  /** When its first worker started that step; missing before. */
  readonly at_since?: string;
  /** The lease of the worker that runs the execution: no other worker touches it before this time. */
  readonly leased_until?: string;
  /** How often workers started the step without recording an outcome. The step may crash them. */
  readonly starts: number;
  /** Over how many partitions its organization's lists were spread when it was created. Missing: 4. */
  readonly list_shards?: number;
  /** The version of the secret that its steps' operations derive from. Missing: 1. */
  readonly hash_version?: number;
  /** The operations that changed it last. */
  readonly last_acts?: readonly string[];
};

/** The queue message about an event. `through`: the connection with a workflow that a payment used. */
export type EventMessage = {
  readonly id: string;
  readonly org_id: string;
  readonly type: EventType;
  readonly through?: ConnectionWorkflow | undefined;
};

/** An event whose executions could not be started, and since when. */
export type PendingStart = EventMessage & { readonly since: string };
