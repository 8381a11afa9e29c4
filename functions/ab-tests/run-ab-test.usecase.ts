import { type AbTestStep, assertNotEnded, moveTest, STATUS_AFTER } from '#shared/domain/routing/ab-test.machine.ts';
import type { AbTest } from '#shared/domain/routing/ab-test.model.ts';
import type { Caller } from '#shared/ports/caller.ts';
import type { Deps } from '#shared/ports/deps.ts';
import { changeAbTest } from '#shared/services/routing/ab-tests.service.ts';

export const startAbTest = ({ id }: { readonly id: string }, caller: Caller, deps: Needs): Promise<AbTest> =>
  runStep('start', id, caller, deps);

export const pauseAbTest = ({ id }: { readonly id: string }, caller: Caller, deps: Needs): Promise<AbTest> =>
  runStep('pause', id, caller, deps);

export const completeAbTest = ({ id }: { readonly id: string }, caller: Caller, deps: Needs): Promise<AbTest> =>
  runStep('complete', id, caller, deps);

type Needs = Pick<Deps, 'abTests' | 'clock'>;

/** Running payments continue as they were routed. */
const runStep = (step: AbTestStep, id: string, { orgId, operation }: Caller, deps: Needs): Promise<AbTest> =>
  changeAbTest(
    orgId,
    id,
    (test) => {
      // An earlier run of this request may have crashed after this step.
      if (operation.resumed && test.status === STATUS_AFTER[step]) return undefined;
      const at = deps.clock.now();
      const moved = moveTest(test, step, at);
      if (step !== 'complete') assertNotEnded(test, step, at);
      return moved;
    },
    deps,
  );
