import { countedTest, shownTest } from '#functions/ab-tests/stored-test.ts';
import type { Caller } from '#shared/ports/caller.ts';
import type { Deps } from '#shared/ports/deps.ts';

export const getAbTest = async ({ id }: { readonly id: string }, caller: Caller, deps: Pick<Deps, 'abTests'>) =>
  shownTest(await countedTest(caller.orgId, id, deps));
