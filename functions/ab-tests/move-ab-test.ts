import { type AbTestStep, moveTest, REACHED, refuseEnded } from '#shared/domain/routing/ab-test.machine.ts';
import type { AbTest } from '#shared/domain/routing/ab-test.model.ts';
import type { Caller } from '#shared/ports/caller.ts';
import type { Deps } from '#shared/ports/deps.ts';
import { changeAbTest } from '#shared/services/routing/change-ab-test.service.ts';

export type MoveNeeds = Pick<Deps, 'abTests' | 'clock'>;

/** Payments that are on their way go on as they were routed. */
export const moveAbTest = (
  step: AbTestStep,
  id: string,
  { orgId, operation }: Caller,
  deps: MoveNeeds,
): Promise<AbTest> =>
  changeAbTest(
    orgId,
    id,
    (test) => {
      // An earlier run of this very request, which died, may have brought it here.
      if (operation.resumed && test.status === REACHED[step]) return undefined;
      const at = deps.clock.now();
      const moved = moveTest(test, step, at);
      if (step !== 'complete') refuseEnded(test, step, at);
      return moved;
    },
    deps,
  );
