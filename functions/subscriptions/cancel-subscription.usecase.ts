import { changeOnce } from '#functions/subscriptions/change-once.ts';
import { getSubscription } from '#functions/subscriptions/get-subscription.usecase.ts';
import type { CancelSubscriptionBody } from '#functions/subscriptions/subscriptions.schema.ts';
import { cancelAtOnce, cancelAtPeriodEnd } from '#shared/domain/billing/subscription.machine.ts';
import type { Subscription } from '#shared/domain/billing/subscription.model.ts';
import type { Caller } from '#shared/ports/caller.ts';
import type { Deps } from '#shared/ports/deps.ts';
import { cancelOpenInvoices } from '#shared/services/billing/cancel-open-invoices.service.ts';

/** At once, with its open invoices, or at the end of the period that is paid for. */
export async function cancelSubscription(
  input: { readonly id: string } & CancelSubscriptionBody,
  caller: Caller,
  deps: Deps,
): Promise<Subscription> {
  const found = await getSubscription(input, caller, deps);
  if (input.at_period_end) return changeOnce(found, caller, cancelAtPeriodEnd, deps);
  const canceled = await changeOnce(found, caller, cancelAtOnce, deps);
  // Also where an earlier run has canceled it, which may have died before this point.
  await cancelOpenInvoices(canceled, caller, deps);
  return canceled;
}
