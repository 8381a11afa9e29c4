import { type MoveNeeds, moveAbTest } from '#functions/ab-tests/move-ab-test.ts';
import type { AbTest } from '#shared/domain/routing/ab-test.model.ts';
import type { Caller } from '#shared/ports/caller.ts';

export const completeAbTest = ({ id }: { readonly id: string }, caller: Caller, deps: MoveNeeds): Promise<AbTest> =>
  moveAbTest('complete', id, caller, deps);
