import { hasDone, noteAct } from '#shared/domain/payments/acts.rules.ts';
import type {
  Execution,
  ExecutionError,
  StepRun,
  StepRunStatus,
  Told,
} from '#shared/domain/workflows/execution.model.ts';
import type { Step } from '#shared/domain/workflows/workflow.model.ts';
import { DAY, HOUR, MINUTE, plus, SECOND } from '#shared/kernel/clock.ts';
import { AppError } from '#shared/kernel/errors.ts';

/** Longer than any function runs, so that it is never prolonged: who still holds it after that is dead. */
const LEASE = 65 * SECOND;

/**
 * It doubles with each worker that began in vain, so often: what is down is given some hours, and what kills workers
 * few of them.
 */
const MOST_DOUBLED = 6;

/** After the nth try of a step failed in a way that may pass: how long until the next. */
const STEP_RETRY_AFTER = [5 * SECOND, MINUTE, 5 * MINUTE, 30 * MINUTE, 2 * HOUR] as const;

/** And who asks to be left alone for longer is, for so long at most. */
const LONGEST_WAIT = DAY;

/** So many workers die on one step, or throw what nobody foresaw, before it is given up. */
const MOST_STARTS = 10;

/**
 * The next one reads what the execution goes by, and gives the step up by that, untried. Should it die too, that was
 * the last.
 */
export const isBeyondStarts = ({ starts }: Pick<Execution, 'starts'>): boolean => starts > MOST_STARTS;

const OVER: ReadonlySet<Execution['status']> = new Set(['succeeded', 'failed', 'canceled', 'refused']);

export const isOver = ({ status }: Pick<Execution, 'status'>): boolean => OVER.has(status);

/**
 * What a try of a step brought. `again`: it may work later, but not sooner than `afterSeconds`; the next try is told
 * whom this one has dealt with. `failed`: it never will.
 */
export type StepOutcome = { readonly output?: StepRun['output'] } & (
  | { readonly kind: 'done' }
  | { readonly kind: 'wait'; readonly until: Date }
  | { readonly kind: 'again'; readonly error: ExecutionError; readonly afterSeconds?: number; readonly told?: Told }
  | { readonly kind: 'failed'; readonly error: ExecutionError }
);

/** `began`: when its worker turned to it. `following`: the step that comes after this one, null for the end. */
export type StepTry = {
  readonly step: Step;
  readonly began: string;
  readonly following: Pick<Step, 'id' | 'type'> | null;
  readonly outcome: StepOutcome;
};

/** Where an execution stands that comes to this step; null after the last. */
export const standingAt = (step: Pick<Step, 'id' | 'type'> | null): Pick<Execution, 'at_step' | 'at_type'> => ({
  at_step: step?.id ?? null,
  at_type: step?.type ?? null,
});

/**
 * A worker takes it; undefined where it is not to be had: over, not due yet, or another one is on it. What too many
 * have begun in vain fails. A delay that it waited for is over. When a step was begun is noted by its first worker
 * alone, as ids follow from it.
 */
export function takeExecution(execution: Execution, at: Date): Execution | undefined {
  const { leased_until = '', next_step_at, starts } = execution;
  const now = at.toISOString();
  if (isOver(execution) || leased_until > now || (next_step_at ?? '') > now) return undefined;
  if (isBeyondStarts(execution))
    return endAmid(execution, 'failed', at, givenUp(execution.at_step), givenUp(execution.at_step));
  const leased = plus(at, LEASE * 2 ** Math.min(starts, MOST_DOUBLED)).toISOString();
  return {
    ...execution,
    ...(isUnbegun(execution) && { at_since: now }),
    steps: execution.steps.map((run) => (isDelay(run) ? { ...run, status: 'succeeded', ended_at: now } : run)),
    leased_until: leased,
    status: 'running',
    next_step_at: null,
    starts: starts + 1,
    started_at: execution.started_at ?? now,
    updated_at: now,
  };
}

/**
 * Notes what a try of a step brought, and goes where that leads; the worker still has it where it goes on at once. What
 * was canceled meanwhile only notes it. Undefined where another worker has gone on, as this one took longer than it
 * may.
 */
export function recordStep(execution: Execution, tried: StepTry, at: Date): Execution | undefined {
  const { step, following, outcome } = tried;
  const run = runOf(execution, tried, at);
  if (execution.at_step !== step.id) return undefined;
  if (isOver(execution)) return { ...withRun(execution, ended(run, at)), updated_at: at.toISOString() };
  const noted = { ...withRun(execution, run), starts: 0, updated_at: at.toISOString() };
  switch (outcome.kind) {
    case 'done':
      return goOn(noted, following, at);
    case 'wait':
      return pause(comingTo(noted, following), outcome.until);
    case 'again': {
      const wait = STEP_RETRY_AFTER[run.tries - 1];
      if (wait === undefined) return giveUp(noted, tried, run, at);
      return pause(noted, plus(at, Math.max(wait, Math.min((outcome.afterSeconds ?? 0) * SECOND, LONGEST_WAIT))));
    }
    case 'failed':
      return giveUp(noted, tried, run, at);
  }
}

type Left = Pick<StepTry, 'step' | 'following'>;

/** Of the step that it stands at nobody could note what came of it: it is not tried once more. */
export function giveUpStep(execution: Execution, left: Left, at: Date): Execution {
  const error = givenUp(left.step.id);
  const run = runUnderWay(execution);
  const noted = { ...execution, starts: 0, updated_at: at.toISOString() };
  return run
    ? giveUp(noted, left, { ...unnoted(run, error, at), status: 'failed', error }, at)
    : end(noted, 'failed', at, error);
}

const givenUp = (step: string | null): ExecutionError => ({
  code: 'internal_error',
  message: `The step ${step} could not be carried out: ten times it was begun, and its outcome was not noted.`,
});

/** The failed step is the end, unless it says that the others go on without it. */
function giveUp(execution: Execution, { step, following }: Left, run: StepRun, at: Date): Execution {
  const failed = withRun(execution, ended(run, at));
  return step.on_error === 'continue' ? goOn(failed, following, at) : end(failed, 'failed', at, run.error);
}

function goOn(execution: Execution, next: StepTry['following'], at: Date): Execution {
  const moved = comingTo(execution, next);
  return next === null ? end(moved, 'succeeded', at) : { ...moved, at_since: at.toISOString() };
}

function comingTo({ at_since: _, ...execution }: Execution, next: StepTry['following']): Execution {
  return { ...execution, ...standingAt(next) };
}

/**
 * Nobody can have begun the step that it comes to: no worker has gone on to it or taken it, and there was no try of it.
 */
const isUnbegun = ({ status, at_step, at_since, starts, steps }: Execution): boolean =>
  at_since === undefined && status !== 'running' && starts === 0 && !steps.some(({ id }) => id === at_step);

/** Its worker has no more time: the next one goes on at once. */
export const handOn = (execution: Execution, at: Date): Execution =>
  pause({ ...execution, updated_at: at.toISOString() }, at);

function pause({ leased_until: _, ...execution }: Execution, until: Date): Execution {
  return { ...execution, status: 'waiting', next_step_at: until.toISOString() };
}

/** All that was to do is done. */
export const completeExecution = (execution: Execution, at: Date): Execution => end(execution, 'succeeded', at);

/**
 * Its template is not what it was, or there is no event to go by: its worker begins no step, but one before may have.
 */
export const failExecution = (execution: Execution, error: ExecutionError, at: Date): Execution =>
  execution.starts > 1 ? endAmid(execution, 'failed', at, AMID, error) : end(execution, 'failed', at, error);

/**
 * What a step has begun is brought to its end; none begins after it. `undefined` where this request has done so
 * already.
 */
export function cancelExecution(execution: Execution, act: string, at: Date): Execution | undefined {
  if (hasDone(execution, act)) return undefined;
  if (isOver(execution))
    throw new AppError(
      'workflow_execution_over',
      `This execution is over: ${OVER_IN_WORDS[execution.status] ?? execution.status}.`,
    );
  return noteAct(endAmid(execution, 'canceled', at, AMID), act);
}

const OVER_IN_WORDS: Readonly<Partial<Record<Execution['status'], string>>> = {
  succeeded: 'it has succeeded',
  failed: 'it has failed',
  canceled: 'it was canceled',
  refused: 'it was refused, and never ran',
};

/**
 * While a worker may be on a step: it may have moved money, so that it stands among the others, until what came of it
 * is noted.
 */
function endAmid(
  execution: Execution,
  status: Execution['status'],
  at: Date,
  ofStep: ExecutionError,
  error: ExecutionError | null = null,
): Execution {
  const run = runUnderWay(execution);
  return end(run ? withRun(execution, unnoted(run, ofStep, at)) : execution, status, at, error);
}

const AMID = {
  code: 'outcome_unknown',
  message: 'Its outcome was not noted: it was under way when the execution ended.',
};

/** Of a delay nothing is left to know. */
function unnoted(run: StepRun, error: ExecutionError, at: Date): StepRun {
  const last: StepRun = { ...ended(run, at), unnoted: true };
  return last.status === 'failed' ? { ...last, error } : last;
}

/**
 * The step that a worker is on is noted when its try is over: until then it follows from where the execution stands.
 */
export function runUnderWay({ status, steps, at_step, at_type, at_since, updated_at }: Execution): StepRun | undefined {
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
    steps: execution.steps.map((run) => ended(run, at)),
    status,
    error,
    next_step_at: null,
    updated_at: now,
    ended_at: now,
  };
}

const isDelay = ({ type, status }: StepRun): boolean => type === 'delay' && status === 'running';

/** A step that was to be tried again never will be, and nobody waits for a delay any more. */
function ended(run: StepRun, at: Date): StepRun {
  if (run.status !== 'running') return run;
  const { told: _, ...left } = run;
  return { ...left, status: isDelay(run) ? 'canceled' : 'failed', ended_at: at.toISOString() };
}

const withRun = (execution: Execution, run: StepRun): Execution => ({
  ...execution,
  steps: [...execution.steps.filter(({ id }) => id !== run.id), run],
});

/** What comes of it then. Whoever waits for a delay is not through with it. */
const STATUS_AFTER: Readonly<Record<StepOutcome['kind'], StepRunStatus>> = {
  done: 'succeeded',
  wait: 'running',
  again: 'running',
  failed: 'failed',
};

function runOf({ steps }: Execution, { step: { id, type }, began, outcome }: StepTry, at: Date): StepRun {
  const before = steps.find((run) => run.id === id);
  const status = STATUS_AFTER[outcome.kind];
  const told = outcome.kind === 'again' ? (outcome.told ?? before?.told) : undefined;
  return {
    id,
    type,
    status,
    tries: (before?.tries ?? 0) + (before?.unnoted ? 0 : 1),
    started_at: before?.started_at ?? began,
    ended_at: status === 'running' ? null : at.toISOString(),
    output: outcome.output ?? {},
    error: 'error' in outcome ? outcome.error : null,
    ...(told && { told }),
  };
}
