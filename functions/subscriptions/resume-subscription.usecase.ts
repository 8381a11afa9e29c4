import { changeOnce } from '#functions/subscriptions/change-once.ts';
import { getSubscription } from '#functions/subscriptions/get-subscription.usecase.ts';
import { continueSubscription } from '#shared/domain/billing/subscription.machine.ts';
import type { Subscription } from '#shared/domain/billing/subscription.model.ts';
import type { Caller } from '#shared/ports/caller.ts';
import type { Deps } from '#shared/ports/deps.ts';

/** Resumes a paused subscription, or withdraws an active one's cancel at period end. */
export async function resumeSubscription(
  input: { readonly id: string },
  caller: Caller,
  deps: Pick<Deps, 'subscriptions' | 'clock'>,
): Promise<Subscription> {
  return changeOnce(await getSubscription(input, caller, deps), caller, continueSubscription, deps);
}
