import type { UpdateAbTestInput } from '#functions/ab-tests/ab-tests.schema.ts';
import { refuseUnknownRules } from '#functions/ab-tests/refuse-unknown-rules.ts';
import { editTest } from '#shared/domain/routing/ab-test.machine.ts';
import type { Caller } from '#shared/ports/caller.ts';
import type { Deps } from '#shared/ports/deps.ts';
import { changeAbTest } from '#shared/services/routing/change-ab-test.service.ts';
import { countedTest, shownTest } from '#shared/services/routing/get-ab-test.service.ts';

type Input = UpdateAbTestInput & { readonly id: string };

/**
 * Fields that are not sent stay. A lost race decides again on the newer state. A running test with other targets must
 * still overlap with no other test.
 */
export async function updateAbTest({ id, ...wish }: Input, caller: Caller, deps: Pick<Deps, 'abTests' | 'clock'>) {
  const { totals } = await countedTest(caller.orgId, id, deps);
  const { rules } = await caller.setup();
  const test = await changeAbTest(
    caller.orgId,
    id,
    (before) => {
      const edited = editTest(before, wish, deps.clock.now());
      if (wish.variants && before.started_at === null) refuseUnknownRules(wish.variants, rules);
      return edited;
    },
    deps,
  );
  return shownTest({ test, totals });
}
