import { isDeepStrictEqual } from 'node:util';
import type { AbTest, AbTestStatus } from '#shared/domain/routing/ab-test.model.ts';
import { hasEnded } from '#shared/domain/routing/ab-test-running.rules.ts';
import { AppError, type ErrorCode, invalidFields } from '#shared/kernel/errors.ts';

export type AbTestStep = 'start' | 'pause' | 'complete';

const NEXT: Readonly<Record<AbTestStatus, Partial<Record<AbTestStep, AbTestStatus>>>> = {
  draft: { start: 'running' },
  running: { pause: 'paused', complete: 'completed' },
  paused: { start: 'running', complete: 'completed' },
  completed: {},
};

const STEP_ERRORS: Readonly<Record<AbTestStep, ErrorCode>> = {
  start: 'ab_test_not_startable',
  pause: 'ab_test_not_pausable',
  complete: 'ab_test_not_completable',
};

export const STATUS_AFTER: Readonly<Record<AbTestStep, AbTestStatus>> = {
  start: 'running',
  pause: 'paused',
  complete: 'completed',
};

/** The only way a test changes its status. Throws for a step that the status does not allow. */
export function moveTest(test: AbTest, step: AbTestStep, at: Date): AbTest {
  const status = NEXT[test.status][step];
  if (!status) throw new AppError(STEP_ERRORS[step], `A ${test.status} test can't ${step}.`);
  const started_at = step === 'start' ? (test.started_at ?? at.toISOString()) : test.started_at;
  return { ...touched(test, at), status, started_at, start_failure: null };
}

/**
 * A test past its `end_at` is over, though not completed yet. A draft with a scheduled start may be late, and still
 * starts.
 */
export function assertNotEnded(test: AbTest, step: 'start' | 'pause', at: Date): void {
  if (!hasEnded(test, at)) return;
  const remedy = test.started_at === null ? 'Change end_at first.' : 'It is being completed.';
  throw new AppError(STEP_ERRORS[step], `Its end_at has passed. ${remedy}`);
}

/** The test stays a draft until somebody starts it or changes its `start_at`. */
export const noteStartFailure = (test: AbTest, code: ErrorCode, at: Date): AbTest => ({
  ...touched(test, at),
  start_failure: code,
});

export type AbTestInput = Partial<
  Pick<
    AbTest,
    | 'name'
    | 'description'
    | 'variants'
    | 'traffic_percentage'
    | 'target_currencies'
    | 'target_countries'
    | 'target_methods'
    | 'start_at'
    | 'end_at'
  >
>;

/**
 * Fields that are not sent stay unchanged. Once a test has run, its variants are fixed, because its results refer to
 * them.
 */
export function editTest(test: AbTest, input: AbTestInput, at: Date): AbTest {
  if (test.status === 'completed') throw new AppError('ab_test_not_editable', "A completed test can't be changed.");
  if (test.started_at !== null && hasEnded(test, at))
    throw new AppError('ab_test_not_editable', "Its end_at has passed: it can't be changed any more.");
  const fixed = (['variants', 'start_at'] as const).filter(
    (name) => input[name] !== undefined && !isDeepStrictEqual(input[name], test[name]),
  );
  if (test.started_at !== null && fixed.length > 0)
    throw new AppError('ab_test_has_run', `The test has run: its ${fixed.join(' and ')} can't change any more.`);
  const edited: AbTest = {
    ...touched(test, at),
    ...input,
    start_failure: input.start_at === undefined ? test.start_failure : null,
  };
  assertValidTimes(edited, input, test.end_at, at);
  return edited;
}

/** `end_at` must be after `start_at`, and in the future when it is set. */
export function assertValidTimes(
  { start_at, end_at }: Pick<AbTest, 'start_at' | 'end_at'>,
  input: AbTestInput,
  before: string | null,
  at: Date,
): void {
  if (end_at === null) return;
  if (start_at !== null && end_at <= start_at) {
    throw invalidFields([
      input.end_at
        ? { path: 'end_at', message: 'Must be after start_at.' }
        : { path: 'start_at', message: 'Must be before end_at.' },
    ]);
  }
  if (end_at !== before && new Date(end_at) <= at)
    throw invalidFields([{ path: 'end_at', message: 'Must be in the future.' }]);
}

export type DueStep = { readonly step: 'start' | 'complete'; readonly at: Date };

/** Its next scheduled step. */
export function dueStepOf({ status, start_at, end_at, start_failure }: AbTest): DueStep | undefined {
  if (status === 'draft')
    return start_at !== null && start_failure === null ? { step: 'start', at: new Date(start_at) } : undefined;
  return status !== 'completed' && end_at !== null ? { step: 'complete', at: new Date(end_at) } : undefined;
}

const touched = (test: AbTest, at: Date): AbTest => ({
  ...test,
  updated_at: at.toISOString(),
  version: test.version + 1,
});
