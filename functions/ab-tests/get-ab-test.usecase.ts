import type { Caller } from '#shared/ports/caller.ts';
import type { Deps } from '#shared/ports/deps.ts';
import { countedTest, shownTest } from '#shared/services/routing/get-ab-test.service.ts';

export const getAbTest = async ({ id }: { readonly id: string }, caller: Caller, deps: Pick<Deps, 'abTests'>) =>
  shownTest(await countedTest(caller.orgId, id, deps));
