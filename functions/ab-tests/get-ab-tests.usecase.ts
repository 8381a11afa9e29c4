import type { ListAbTestsInput } from '#functions/ab-tests/ab-tests.schema.ts';
import { pageOf } from '#shared/domain/reference/page.rules.ts';
import { type Comparison, compareVariants, resultsOf } from '#shared/domain/routing/ab-test-results.rules.ts';
import type { Caller } from '#shared/ports/caller.ts';
import type { Deps } from '#shared/ports/deps.ts';
import { abTestView, countedTest } from '#shared/services/routing/ab-tests.service.ts';

export const getAbTest = async ({ id }: { readonly id: string }, caller: Caller, deps: Pick<Deps, 'abTests'>) =>
  abTestView(await countedTest(caller.orgId, id, deps));

/** An organization has few tests, created by hand, so all of them are read with their totals. */
export async function listAbTests(query: ListAbTestsInput, caller: Caller, { abTests }: Pick<Deps, 'abTests'>) {
  const all = await abTests.list(caller.orgId);
  const matching = all.filter(({ test }) => query.status === undefined || test.status === query.status);
  const page = pageOf(matching, query, ({ test }) => test.id);
  return { ...page, items: page.items.map(abTestView) };
}

/** What the projector has counted so far, one result per variant. */
export async function getAbTestResults({ id }: { readonly id: string }, caller: Caller, deps: Pick<Deps, 'abTests'>) {
  const { test, totals } = await countedTest(caller.orgId, id, deps);
  return { results: resultsOf(test, totals) };
}

export async function compareAbTest(
  { id }: { readonly id: string },
  caller: Caller,
  deps: Pick<Deps, 'abTests' | 'clock'>,
): Promise<Comparison> {
  const { test, totals } = await countedTest(caller.orgId, id, deps);
  return compareVariants(test, totals, deps.clock.now());
}
