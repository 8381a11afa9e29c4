import { resultsOf } from '#shared/domain/routing/ab-test-results.rules.ts';
import type { Caller } from '#shared/ports/caller.ts';
import type { Deps } from '#shared/ports/deps.ts';
import { countedTest } from '#shared/services/routing/get-ab-test.service.ts';

/** What the projector has counted so far, one entry a variant. */
export async function getAbTestResults({ id }: { readonly id: string }, caller: Caller, deps: Pick<Deps, 'abTests'>) {
  const { test, totals } = await countedTest(caller.orgId, id, deps);
  return { results: resultsOf(test, totals) };
}
