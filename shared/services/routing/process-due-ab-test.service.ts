import { type AbTestDuty, dutyOf, failToStart, moveTest } from '#shared/domain/routing/ab-test.machine.ts';
import type { AbTest } from '#shared/domain/routing/ab-test.model.ts';
import { AppError, type ErrorCode } from '#shared/kernel/errors.ts';
import type { Deps } from '#shared/ports/deps.ts';
import { changeAbTest } from '#shared/services/routing/change-ab-test.service.ts';

type Needs = Pick<Deps, 'abTests' | 'clock' | 'log'>;

/** Refusals that a scheduled start may meet. */
const IN_THE_WAY: ReadonlySet<ErrorCode> = new Set(['ab_test_overlap', 'ab_test_limit', 'ab_test_rule_missing']);
/** A late sweep may find that it should have started, and have ended as well. */
const MOST_DUTIES = 2;

/** Starts or completes this test if that is due. */
export async function processDueAbTest(
  { orgId, id }: { readonly orgId: string; readonly id: string },
  deps: Needs,
): Promise<void> {
  let test = await deps.abTests.get(orgId, id);
  for (let done = 0; test && done < MOST_DUTIES; done += 1) {
    const duty = dutyOf(test);
    if (!duty || duty.at > deps.clock.now()) return;
    test = await perform(test, duty, deps);
  }
}

/** There is no caller to tell: the reason why it could not start is kept on the test, and the start is not repeated. */
async function perform({ org_id, id }: AbTest, { step }: AbTestDuty, deps: Needs): Promise<AbTest> {
  const ifDue = (change: (test: AbTest) => AbTest) => (test: AbTest) => {
    const duty = dutyOf(test);
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
    if (!(error instanceof AppError) || !IN_THE_WAY.has(error.code)) throw error;
    const { code } = error;
    deps.log.warn('ab_test_not_started', { org_id, ab_test_id: id, code });
    return changeAbTest(
      org_id,
      id,
      ifDue((test) => failToStart(test, code, deps.clock.now())),
      deps,
    );
  }
}
