import { type DueStep, dueStepOf, moveTest, noteStartFailure } from '#shared/domain/routing/ab-test.machine.ts';
import type { AbTest } from '#shared/domain/routing/ab-test.model.ts';
import { transactionsOf } from '#shared/domain/routing/ab-test-results.rules.ts';
import { runningWith } from '#shared/domain/routing/ab-test-running.rules.ts';
import { AppError, type ErrorCode, orNotFound } from '#shared/kernel/errors.ts';
import { retryOnConflict } from '#shared/kernel/retry-on-conflict.ts';
import type { AbTestWithTotals } from '#shared/ports/ab-tests.port.ts';
import type { Deps } from '#shared/ports/deps.ts';

const MISSING = 'There is no such A/B test.';

export const requireAbTest = async (orgId: string, id: string, { abTests }: Pick<Deps, 'abTests'>): Promise<AbTest> =>
  orNotFound(await abTests.get(orgId, id), MISSING);

export const countedTest = async (
  orgId: string,
  id: string,
  { abTests }: Pick<Deps, 'abTests'>,
): Promise<AbTestWithTotals> => orNotFound(await abTests.getWithTotals(orgId, id), MISSING);

/** A test as the API returns it. */
export const abTestView = ({ test, totals }: AbTestWithTotals) => ({
  ...test,
  total_transactions: transactionsOf(totals),
});

/** `undefined`: nothing to change. It may be called again with a newer test. */
type DecideTest = (test: AbTest) => AbTest | undefined;

/**
 * Decides on the stored test and on the tests that run beside it, and writes on the versions of both: of two tests that
 * overlap one starts.
 */
export function changeAbTest(
  orgId: string,
  id: string,
  decide: DecideTest,
  deps: Pick<Deps, 'abTests' | 'clock'>,
): Promise<AbTest> {
  return retryOnConflict(async () => {
    const [before, running] = await Promise.all([requireAbTest(orgId, id, deps), deps.abTests.running(orgId)]);
    const after = decide(before);
    if (!after) return before;
    const moves = before.status === 'running' || after.status === 'running';
    const others = moves ? { ...running, tests: runningWith(running.tests, after, deps.clock.now()) } : undefined;
    const written = await deps.abTests.replace(before, after, others);
    if (written === 'no_rule')
      throw new AppError('ab_test_rule_missing', 'The routing rule of a variant is gone. Give the variant another.');
    return written === 'done' ? after : undefined;
  }, `Others are changing ${id} right now. Please try again.`);
}

type Needs = Pick<Deps, 'abTests' | 'clock' | 'log'>;

/** Refusals that a scheduled start may meet. */
const START_BLOCKERS: ReadonlySet<ErrorCode> = new Set([
  'ab_test_overlap',
  'ab_test_limit',
  'ab_test_rule_missing',
  'setup_limit_reached',
]);
/** A late sweep may find that it should have started, and have ended as well. */
const MAX_STEPS = 2;

/** Starts or completes this test if that is due. */
export async function processDueAbTest(
  { orgId, id }: { readonly orgId: string; readonly id: string },
  deps: Needs,
): Promise<void> {
  let test = await deps.abTests.get(orgId, id);
  for (let done = 0; test && done < MAX_STEPS; done += 1) {
    const duty = dueStepOf(test);
    if (!duty || duty.at > deps.clock.now()) return;
    test = await perform(test, duty, deps);
  }
}

/** A scheduled start has no caller: the test stores why it could not start, and the start is not repeated. */
async function perform({ org_id, id }: AbTest, { step }: DueStep, deps: Needs): Promise<AbTest> {
  const ifDue = (change: (test: AbTest) => AbTest) => (test: AbTest) => {
    const duty = dueStepOf(test);
    return duty?.step === step && duty.at <= deps.clock.now() ? change(test) : undefined;
  };
  try {
    return await changeAbTest(
      org_id,
      id,
      ifDue((test) => moveTest(test, step, deps.clock.now())),
      deps,
    );
  } catch (error) {
    if (!(error instanceof AppError) || !START_BLOCKERS.has(error.code)) throw error;
    const { code } = error;
    deps.log.warn('ab_test_not_started', { org_id, ab_test_id: id, code });
    return changeAbTest(
      org_id,
      id,
      ifDue((test) => noteStartFailure(test, code, deps.clock.now())),
      deps,
    );
  }
}
