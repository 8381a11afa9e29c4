import { type Change, changeOnce } from '#functions/subscriptions/change-once.ts';
import { getSubscription } from '#functions/subscriptions/get-subscription.usecase.ts';
import type { UpdateSubscriptionBody } from '#functions/subscriptions/subscriptions.schema.ts';
import {
  continueSubscription,
  keepBegun,
  noteUpdate,
  pauseSubscription,
} from '#shared/domain/billing/subscription.machine.ts';
import type { Subscription } from '#shared/domain/billing/subscription.model.ts';
import { invalidFields } from '#shared/kernel/errors.ts';
import type { Caller } from '#shared/ports/caller.ts';
import type { Deps } from '#shared/ports/deps.ts';
import { sealSubscriptionMethod } from '#shared/services/billing/subscription-method.service.ts';

type Changes = Omit<UpdateSubscriptionBody, 'status'>;

/** It applies from the next period on: existing invoices stay as they are, as will those of periods that have begun. */
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
    // Each event shows all that this request has changed.
    return noteUpdate(moved(changed, status, at) ?? changed, at);
  };
  return changeOnce(found, caller, change, deps);
}

/** The sealed method is of the type that it was sent with, and can't be used as another one. */
function refuseOtherMethod({ method, sealed_method }: Subscription, input: Changes): void {
  if (input.method === undefined || input.method === method || input.payment_method || sealed_method === null) return;
  throw invalidFields([
    { path: 'method', message: 'The payment method at hand is of another type. Send payment_method too.' },
  ]);
}

/** A payment method applies to the next charge, of any period: the one before may be invalid. */
function withInput(
  subscription: Subscription,
  { payment_method, ...input }: Changes,
  sealed_method: string | null,
): Subscription {
  if (!payment_method) return { ...subscription, ...input };
  const { token_of: _, ...rest } = subscription;
  return {
    ...rest,
    ...input,
    method: payment_method.type,
    sealed_method,
    method_version: subscription.method_version + 1,
  };
}

const changesTerms = ({ amount, plan_id, metadata }: Changes): boolean =>
  amount !== undefined || plan_id !== undefined || metadata !== undefined;

function moved(subscription: Subscription, to: UpdateSubscriptionBody['status'], at: Date): Subscription | undefined {
  if (to === 'paused') return pauseSubscription(subscription, at);
  return to === 'active' && subscription.status === 'paused' ? continueSubscription(subscription, at) : undefined;
}
