import { hasDone, noteAct } from '#shared/domain/acts.rules.ts';
import type { Subscription } from '#shared/domain/subscription.model.ts';
import { operationId } from '#shared/kernel/operation.ts';
import type { Caller } from '#shared/ports/caller.ts';
import type { Deps } from '#shared/ports/deps.ts';

/** What becomes of it, or undefined where it stays as it is. */
export type Change = (subscription: Subscription, at: Date) => Subscription | undefined;

/** Changes it once for each request: what an earlier run of this one has done is not done again after a crash. */
export function changeOnce(subscription: Subscription, caller: Caller, change: Change, deps: Pick<Deps, 'subscriptions' | 'clock'>): Promise<Subscription> {
  const act = operationId(caller.operation, 'request');
  return deps.subscriptions.change(subscription, (current) => {
    if (hasDone(current, act)) return undefined;
    const changed = change(current, deps.clock.now());
    return changed && noteAct(changed, act);
  });
}
