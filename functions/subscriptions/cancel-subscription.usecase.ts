import { cancelOpenInvoices } from '#functions/invoices/cancel-open-invoices.ts';
import { changeOnce } from '#functions/subscriptions/change-once.ts';
import { getSubscription } from '#functions/subscriptions/get-subscription.usecase.ts';
import type { CancelSubscriptionBody } from '#functions/subscriptions/subscriptions.schema.ts';
import { cancelAtPeriodEnd, cancelSubscription as canceledNow } from '#shared/domain/subscription.machine.ts';
import type { Subscription } from '#shared/domain/subscription.model.ts';
import type { Caller } from '#shared/ports/caller.ts';
import type { Deps } from '#shared/ports/deps.ts';

/** Now, with all that is open of it; or when the period that is paid for ends. */
export async function cancelSubscription(input: { readonly id: string } & CancelSubscriptionBody, caller: Caller, deps: Deps): Promise<Subscription> {
  const found = await getSubscription(input, caller, deps);
  if (input.at_period_end) return changeOnce(found, caller, cancelAtPeriodEnd, deps);
  const canceled = await changeOnce(found, caller, canceledNow, deps);
  // Also when an earlier run has canceled it: that one may have died before it came this far.
  await cancelOpenInvoices(canceled, caller, deps);
  return canceled;
}
