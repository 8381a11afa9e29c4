import { countedTest } from '#functions/ab-tests/stored-test.ts';
import { resultsOf } from '#shared/domain/ab-test-results.rules.ts';
import type { Caller } from '#shared/ports/caller.ts';
import type { Deps } from '#shared/ports/deps.ts';

/** What the projector has counted so far, one entry a variant. */
export async function getAbTestResults({ id }: { readonly id: string }, caller: Caller, deps: Pick<Deps, 'abTests'>) {
  const { test, totals } = await countedTest(caller.orgId, id, deps);
  return { results: resultsOf(test, totals) };
}
