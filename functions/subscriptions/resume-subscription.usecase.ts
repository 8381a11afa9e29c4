import { changeOnce } from '#functions/subscriptions/change-once.ts';
import { getSubscription } from '#functions/subscriptions/get-subscription.usecase.ts';
import { resumeSubscription as resumed } from '#shared/domain/subscription.machine.ts';
import type { Subscription } from '#shared/domain/subscription.model.ts';
import type { Caller } from '#shared/ports/caller.ts';
import type { Deps } from '#shared/ports/deps.ts';

/** A paused one goes on; of an active one a cancel at the end of its period is withdrawn. */
export async function resumeSubscription(input: { readonly id: string }, caller: Caller, deps: Pick<Deps, 'subscriptions' | 'clock'>): Promise<Subscription> {
  return changeOnce(await getSubscription(input, caller, deps), caller, resumed, deps);
}
