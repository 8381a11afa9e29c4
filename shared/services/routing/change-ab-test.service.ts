import type { AbTest } from '#shared/domain/routing/ab-test.model.ts';
import { runningWith } from '#shared/domain/routing/ab-test-running.rules.ts';
import { AppError } from '#shared/kernel/errors.ts';
import { inRounds } from '#shared/kernel/rounds.ts';
import type { Deps } from '#shared/ports/deps.ts';
import { storedTest } from '#shared/services/routing/get-ab-test.service.ts';

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
  return inRounds(async () => {
    const [before, running] = await Promise.all([storedTest(orgId, id, deps), deps.abTests.running(orgId)]);
    const after = decide(before);
    if (!after) return before;
    const moves = before.status === 'running' || after.status === 'running';
    const beside = moves ? { ...running, tests: runningWith(running.tests, after, deps.clock.now()) } : undefined;
    const written = await deps.abTests.replace(before, after, beside);
    if (written === 'no_rule')
      throw new AppError('ab_test_rule_missing', 'The routing rule of a variant is gone. Give the variant another.');
    return written === 'done' ? after : undefined;
  }, `Others are changing ${id} right now. Please try again.`);
}
