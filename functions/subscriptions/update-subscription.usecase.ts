import { type Change, changeOnce } from '#functions/subscriptions/change-once.ts';
import { getSubscription } from '#functions/subscriptions/get-subscription.usecase.ts';
import { sealSubscriptionMethod } from '#functions/subscriptions/sealed-method.ts';
import type { UpdateSubscriptionBody } from '#functions/subscriptions/subscriptions.schema.ts';
import { keepBegun, pauseSubscription, resumeSubscription, updateSubscription as updated } from '#shared/domain/subscription.machine.ts';
import type { Subscription } from '#shared/domain/subscription.model.ts';
import { invalidFields } from '#shared/kernel/errors.ts';
import type { Caller } from '#shared/ports/caller.ts';
import type { Deps } from '#shared/ports/deps.ts';

type Changes = Omit<UpdateSubscriptionBody, 'status'>;

/** It counts from the next period on: an invoice that is there stays as it is, and so will one of a period that has begun. */
export async function updateSubscription(
  { id, status, ...input }: { readonly id: string } & UpdateSubscriptionBody,
  caller: Caller,
  deps: Pick<Deps, 'subscriptions' | 'vault' | 'clock'>,
): Promise<Subscription> {
  const found = await getSubscription({ id }, caller, deps);
  const sealed_method = await sealSubscriptionMethod(input.payment_method, found, deps);
  const change: Change = (subscription, at) => {
    refuseOtherMethod(subscription, input);
    const changed = withInput(changesTerms(input) ? keepBegun(subscription, at) : subscription, input, sealed_method);
    // The events show all that this request has changed, each of them.
    return updated(moved(changed, status, at) ?? changed, at);
  };
  return changeOnce(found, caller, change, deps);
}

/** What lies sealed is of the type that it was sent with, and can't be paid by as another one. */
function refuseOtherMethod({ method, sealed_method }: Subscription, input: Changes): void {
  if (input.method === undefined || input.method === method || input.payment_method || sealed_method === null) return;
  throw invalidFields([{ path: 'method', message: 'The payment method at hand is of another type. Send payment_method too.' }]);
}

/** A payment method counts for whatever is charged next: the one before it may be gone. */
function withInput(subscription: Subscription, { payment_method, ...input }: Changes, sealed_method: string | null): Subscription {
  if (!payment_method) return { ...subscription, ...input };
  const { token_of: _, ...rest } = subscription;
  return { ...rest, ...input, method: payment_method.type, sealed_method, method_version: subscription.method_version + 1 };
}

const changesTerms = ({ amount, plan_id, metadata }: Changes): boolean => amount !== undefined || plan_id !== undefined || metadata !== undefined;

function moved(subscription: Subscription, to: UpdateSubscriptionBody['status'], at: Date): Subscription | undefined {
  if (to === 'paused') return pauseSubscription(subscription, at);
  return to === 'active' && subscription.status === 'paused' ? resumeSubscription(subscription, at) : undefined;
}
