import { addMarker, hasMarker } from '#shared/domain/payments/idempotency-markers.rules.ts';
import type {
  Execution,
  ExecutionError,
  MailResults,
  StepRun,
  StepRunStatus,
} from '#shared/domain/workflows/execution.model.ts';
import type { Step } from '#shared/domain/workflows/workflow.model.ts';
import { DAY, HOUR, MINUTE, plus, SECOND } from '#shared/kernel/clock.ts';
import { AppError } from '#shared/kernel/errors.ts';

/** Longer than any function runs, so a lease is never renewed: a worker that still holds an expired one is dead. */
const LEASE = 65 * SECOND;

/**
 * The lease doubles with each worker that starts without finishing a step, up to this often. An outage then has hours
 * to end, and a step that crashes its worker crashes few of them.
 */
const MAX_LEASE_DOUBLINGS = 6;

/** The wait after the nth attempt of a step that failed with a transient error. */
const STEP_RETRY_DELAYS = [5 * SECOND, MINUTE, 5 * MINUTE, 30 * MINUTE, 2 * HOUR] as const;

/** A server's `Retry-After` may lengthen that wait up to this. */
const MAX_RETRY_AFTER = DAY;

/** After this many workers crashed on a step, or threw an unexpected error, the step fails. */
const MAX_STARTS = 10;

/** The worker after that loads the template and fails the step without another attempt. */
export const isBeyondStarts = ({ starts }: Pick<Execution, 'starts'>): boolean => starts > MAX_STARTS;

const ENDED: ReadonlySet<Execution['status']> = new Set(['succeeded', 'failed', 'canceled', 'refused']);

export const hasEnded = ({ status }: Pick<Execution, 'status'>): boolean => ENDED.has(status);

/**
 * The outcome of one attempt of a step. `again`: it may succeed later, not before `afterSeconds`; `mailResults` says
 * which addresses the next attempt can skip. `failed`: another attempt would not help.
 */
export type StepOutcome = { readonly output?: StepRun['output'] } & (
  | { readonly kind: 'done' }
  | { readonly kind: 'wait'; readonly until: Date }
  | {
      readonly kind: 'again';
      readonly error: ExecutionError;
      readonly afterSeconds?: number;
      readonly mailResults?: MailResults;
    }
  | { readonly kind: 'failed'; readonly error: ExecutionError }
);

/** `began`: when its worker started the step. `following`: the step after this one; null at the end. */
export type StepAttempt = {
  readonly step: Step;
  readonly began: string;
  readonly following: Pick<Step, 'id' | 'type'> | null;
  readonly outcome: StepOutcome;
};

/** The position of an execution whose next step is this one; null after the last. */
export const positionAt = (step: Pick<Step, 'id' | 'type'> | null): Pick<Execution, 'at_step' | 'at_type'> => ({
  at_step: step?.id ?? null,
  at_type: step?.type ?? null,
});

/**
 * A worker leases the execution. Undefined if it has ended, is not due yet, or another worker has it. It fails after
 * too many starts. A delay that it waited for has succeeded. Only the first worker of a step records when the step
 * started, because ids are derived from that time.
 */
export function leaseExecution(execution: Execution, at: Date): Execution | undefined {
  const { leased_until = '', next_step_at, starts } = execution;
  const now = at.toISOString();
  if (hasEnded(execution) || leased_until > now || (next_step_at ?? '') > now) return undefined;
  if (isBeyondStarts(execution))
    return endDuringStep(execution, 'failed', at, abandonedError(execution.at_step), abandonedError(execution.at_step));
  const leased = plus(at, LEASE * 2 ** Math.min(starts, MAX_LEASE_DOUBLINGS)).toISOString();
  return {
    ...execution,
    ...(isStepUnstarted(execution) && { at_since: now }),
    steps: execution.steps.map((run) => (isRunningDelay(run) ? { ...run, status: 'succeeded', ended_at: now } : run)),
    leased_until: leased,
    status: 'running',
    next_step_at: null,
    starts: starts + 1,
    started_at: execution.started_at ?? now,
    updated_at: now,
  };
}

/**
 * Records the outcome of an attempt and moves to the step that follows from it. The worker keeps its lease if that step
 * runs at once. An execution that was canceled meanwhile only records the outcome. Undefined if this worker's lease
 * expired and another worker has moved the execution on.
 */
export function recordStep(execution: Execution, attempt: StepAttempt, at: Date): Execution | undefined {
  const { step, following, outcome } = attempt;
  const run = runAfter(execution, attempt, at);
  if (execution.at_step !== step.id) return undefined;
  if (hasEnded(execution)) return { ...withRun(execution, endRun(run, at)), updated_at: at.toISOString() };
  const recorded = { ...withRun(execution, run), starts: 0, updated_at: at.toISOString() };
  switch (outcome.kind) {
    case 'done':
      return continueAt(recorded, following, at);
    case 'wait':
      return waitUntil(moveTo(recorded, following), outcome.until);
    case 'again': {
      const wait = STEP_RETRY_DELAYS[run.tries - 1];
      if (wait === undefined) return failStep(recorded, attempt, run, at);
      return waitUntil(
        recorded,
        plus(at, Math.max(wait, Math.min((outcome.afterSeconds ?? 0) * SECOND, MAX_RETRY_AFTER))),
      );
    }
    case 'failed':
      return failStep(recorded, attempt, run, at);
  }
}

type StepExit = Pick<StepAttempt, 'step' | 'following'>;

/** Fails the current step without another attempt, because no worker could record its outcome. */
export function abandonStep(execution: Execution, left: StepExit, at: Date): Execution {
  const error = abandonedError(left.step.id);
  const run = currentRun(execution);
  const noted = { ...execution, starts: 0, updated_at: at.toISOString() };
  return run
    ? failStep(noted, left, { ...unrecordedRun(run, error, at), status: 'failed', error }, at)
    : end(noted, 'failed', at, error);
}

const abandonedError = (step: string | null): ExecutionError => ({
  code: 'internal_error',
  message:
    `The step ${step} could not be carried out: it was started ${MAX_STARTS} times, and its outcome was never ` +
    'recorded.',
});

/** A failed step ends the execution, unless its `on_error` is `continue`. */
function failStep(execution: Execution, { step, following }: StepExit, run: StepRun, at: Date): Execution {
  const failed = withRun(execution, endRun(run, at));
  return step.on_error === 'continue' ? continueAt(failed, following, at) : end(failed, 'failed', at, run.error);
}

function continueAt(execution: Execution, next: StepAttempt['following'], at: Date): Execution {
  const moved = moveTo(execution, next);
  return next === null ? end(moved, 'succeeded', at) : { ...moved, at_since: at.toISOString() };
}

function moveTo({ at_since: _, ...execution }: Execution, next: StepAttempt['following']): Execution {
  return { ...execution, ...positionAt(next) };
}

/** No worker can have started the next step: none leased the execution there, and the step has no attempt. */
const isStepUnstarted = ({ status, at_step, at_since, starts, steps }: Execution): boolean =>
  at_since === undefined && status !== 'running' && starts === 0 && !steps.some(({ id }) => id === at_step);

/** The worker's time is used up: the next worker continues at once. */
export const yieldExecution = (execution: Execution, at: Date): Execution =>
  waitUntil({ ...execution, updated_at: at.toISOString() }, at);

function waitUntil({ leased_until: _, ...execution }: Execution, until: Date): Execution {
  return { ...execution, status: 'waiting', next_step_at: until.toISOString() };
}

/** All steps are done. */
export const completeExecution = (execution: Execution, at: Date): Execution => end(execution, 'succeeded', at);

/** The template or the event is missing. This worker starts no step, but an earlier one may have. */
export const failExecution = (execution: Execution, error: ExecutionError, at: Date): Execution =>
  execution.starts > 1
    ? endDuringStep(execution, 'failed', at, INTERRUPTED, error)
    : end(execution, 'failed', at, error);

/** A step that has started is finished, and no further one starts. Undefined if this request was applied already. */
export function cancelExecution(execution: Execution, act: string, at: Date): Execution | undefined {
  if (hasMarker(execution, act)) return undefined;
  if (hasEnded(execution))
    throw new AppError(
      'workflow_execution_over',
      `This execution has ended: ${OUTCOME_TEXTS[execution.status] ?? execution.status}.`,
    );
  return addMarker(endDuringStep(execution, 'canceled', at, INTERRUPTED), act);
}

const OUTCOME_TEXTS: Readonly<Partial<Record<Execution['status'], string>>> = {
  succeeded: 'it succeeded',
  failed: 'it failed',
  canceled: 'it was canceled',
  refused: 'it was refused and never ran',
};

/**
 * Ends an execution while a worker may be running a step. That step may have moved money, so it is listed as failed
 * until its outcome is recorded.
 */
function endDuringStep(
  execution: Execution,
  status: Execution['status'],
  at: Date,
  ofStep: ExecutionError,
  error: ExecutionError | null = null,
): Execution {
  const run = currentRun(execution);
  return end(run ? withRun(execution, unrecordedRun(run, ofStep, at)) : execution, status, at, error);
}

const INTERRUPTED = {
  code: 'outcome_unknown',
  message: 'The step was running when the execution ended, and its outcome is not known.',
};

/** A delay has no outcome to wait for. */
function unrecordedRun(run: StepRun, error: ExecutionError, at: Date): StepRun {
  const last: StepRun = { ...endRun(run, at), unrecorded: true };
  return last.status === 'failed' ? { ...last, error } : last;
}

/** A step's attempt is stored when it is over. Until then the running step is derived from the execution's position. */
export function currentRun({ status, steps, at_step, at_type, at_since, updated_at }: Execution): StepRun | undefined {
  if (status !== 'running' || at_step === null || !at_type) return undefined;
  const before = steps.find(({ id }) => id === at_step);
  if (before) return { ...before, tries: before.tries + 1 };
  return {
    id: at_step,
    type: at_type,
    status: 'running',
    tries: 1,
    started_at: at_since ?? updated_at,
    ended_at: null,
    output: {},
    error: null,
  };
}

function end(
  { leased_until: _, ...execution }: Execution,
  status: Execution['status'],
  at: Date,
  error: ExecutionError | null = null,
): Execution {
  const now = at.toISOString();
  return {
    ...execution,
    steps: execution.steps.map((run) => endRun(run, at)),
    status,
    error,
    next_step_at: null,
    updated_at: now,
    ended_at: now,
  };
}

const isRunningDelay = ({ type, status }: StepRun): boolean => type === 'delay' && status === 'running';

/** A step that waited for a retry has failed, and a delay is canceled. */
function endRun(run: StepRun, at: Date): StepRun {
  if (run.status !== 'running') return run;
  const { mail_results: _, ...left } = run;
  return { ...left, status: isRunningDelay(run) ? 'canceled' : 'failed', ended_at: at.toISOString() };
}

const withRun = (execution: Execution, run: StepRun): Execution => ({
  ...execution,
  steps: [...execution.steps.filter(({ id }) => id !== run.id), run],
});

/** The status of a step after an attempt. A delay runs until its time is over. */
const RUN_STATUS: Readonly<Record<StepOutcome['kind'], StepRunStatus>> = {
  done: 'succeeded',
  wait: 'running',
  again: 'running',
  failed: 'failed',
};

function runAfter({ steps }: Execution, { step: { id, type }, began, outcome }: StepAttempt, at: Date): StepRun {
  const before = steps.find((run) => run.id === id);
  const status = RUN_STATUS[outcome.kind];
  const mail_results = outcome.kind === 'again' ? (outcome.mailResults ?? before?.mail_results) : undefined;
  return {
    id,
    type,
    status,
    tries: (before?.tries ?? 0) + (before?.unrecorded ? 0 : 1),
    started_at: before?.started_at ?? began,
    ended_at: status === 'running' ? null : at.toISOString(),
    output: outcome.output ?? {},
    error: 'error' in outcome ? outcome.error : null,
    ...(mail_results && { mail_results }),
  };
}
