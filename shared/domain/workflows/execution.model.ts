import type { EventType, OwnWorkflow } from '#shared/domain/reference/events.catalog.ts';
import type { StepType } from '#shared/domain/workflows/workflow.model.ts';

/**
 * `refused`: it never ran, as the plan's executions were used up or what was to run is not there.
 * `waiting`: for a delay, or for a step's next try.
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

/** In the form of the interface's own errors. */
export type ExecutionError = {
  readonly code: string;
  readonly message: string;
  readonly details?: Readonly<Record<string, unknown>>;
};

export const STEP_RUN_STATUSES = ['running', 'succeeded', 'failed', 'canceled'] as const;
export type StepRunStatus = (typeof STEP_RUN_STATUSES)[number];

/**
 * A step that has ended, or that is to be tried again, or a delay that is not over: in the order in which they came.
 */
export type StepRun = {
  readonly id: string;
  readonly type: StepType;
  /** `canceled`: a delay in which the execution was canceled. */
  readonly status: StepRunStatus;
  /** How often it was tried. */
  readonly tries: number;
  readonly started_at: string;
  readonly ended_at: string | null;
  /** What conditions of later steps may ask about. */
  readonly output: Readonly<Record<string, string | number | boolean | null>>;
  readonly error: ExecutionError | null;

  /**
   * Inner fields from here on. While a mail step is tried again: a keyed hash of each address that was dealt with, and
   * how it fared.
   */
  readonly told?: Told;
  /** The execution ended while it was under way; what comes of it takes its place. */
  readonly unnoted?: true;
};

export type Told = Readonly<Record<string, 'mailed' | 'rejected'>>;

/** One run of a template for one event. */
export type Execution = {
  readonly id: string;
  readonly org_id: string;
  readonly template_id: string;
  /** Who called for it: a rule, a connection, or neither where somebody did by hand. */
  readonly rule_id: string | null;
  readonly connection_id: string | null;
  readonly event: { readonly id: string; readonly type: EventType };
  readonly status: ExecutionStatus;
  readonly steps: readonly StepRun[];
  readonly error: ExecutionError | null;
  /** When it goes on; null where it is under way, or over. */
  readonly next_step_at: string | null;
  /** When it was called for: its event's time, or the request's. */
  readonly created_at: string;
  readonly updated_at: string;
  readonly started_at: string | null;
  readonly ended_at: string | null;

  /** Inner fields from here on: no answer shows them. */
  readonly version: number;
  /** It goes by the template as it was then. */
  readonly template_version: number;
  /**
   * How many executions the month had seen when its event was first heard of: of what one event calls for, so many run
   * as were left then.
   */
  readonly used_before?: number;
  /** The step that comes next; null after the last. */
  readonly at_step: string | null;
  /** What kind of step that is, to show it while it is carried out. */
  readonly at_type?: StepType | null;
  /** When its first worker turned to that step; missing before, and where that was before it was noted. */
  readonly at_since?: string;
  /** Until then one worker is on it; whoever comes meanwhile leaves it alone. */
  readonly leased_until?: string;
  /** How often a worker began without getting a step further: something is wrong with it, or kills who works on it. */
  readonly starts: number;
  /** The operations that changed it last. */
  readonly last_acts?: readonly string[];
};

/** An event as its message tells of it: `through` which connection with a workflow a payment went. */
export type EventCall = {
  readonly id: string;
  readonly org_id: string;
  readonly type: EventType;
  readonly through?: OwnWorkflow | undefined;
};

/** What an event calls for and could not be begun, and since when. */
export type OwedStart = EventCall & { readonly since: string };
