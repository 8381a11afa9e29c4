import { type Comparison, compareVariants } from '#shared/domain/routing/ab-test-comparison.rules.ts';
import type { Caller } from '#shared/ports/caller.ts';
import type { Deps } from '#shared/ports/deps.ts';
import { countedTest } from '#shared/services/routing/get-ab-test.service.ts';

export async function compareAbTest(
  { id }: { readonly id: string },
  caller: Caller,
  deps: Pick<Deps, 'abTests' | 'clock'>,
): Promise<Comparison> {
  const { test, totals } = await countedTest(caller.orgId, id, deps);
  return compareVariants(test, totals, deps.clock.now());
}
