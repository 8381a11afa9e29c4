import type { Subscription } from '#shared/domain/billing/subscription.model.ts';
import { hasDone, noteAct } from '#shared/domain/payments/acts.rules.ts';
import { operationId } from '#shared/kernel/operation.ts';
import type { Caller } from '#shared/ports/caller.ts';
import type { Deps } from '#shared/ports/deps.ts';

/** The changed subscription, or undefined for no change. */
export type Change = (subscription: Subscription, at: Date) => Subscription | undefined;

/** Applies a change once for each request: a repeat after a crash does not apply it again. */
export function changeOnce(
  subscription: Subscription,
  caller: Caller,
  change: Change,
  deps: Pick<Deps, 'subscriptions' | 'clock'>,
): Promise<Subscription> {
  const act = operationId(caller.operation, 'request');
  return deps.subscriptions.change(subscription, (current) => {
    if (hasDone(current, act)) return undefined;
    const changed = change(current, deps.clock.now());
    return changed && noteAct(changed, act);
  });
}
