import { isClosed, type Subscription } from '#shared/domain/billing/subscription.model.ts';
import type { PaymentMethod } from '#shared/domain/payment-methods/payment-method.model.ts';
import type { Deps } from '#shared/ports/deps.ts';

const PAGE = 100;

type Of = { readonly org_id: string; readonly customer_id: string };

/** The first subscription of a customer that this holds for. Reads all of the customer's, if it has to. */
export async function findSubscription(
  { org_id, customer_id }: Of,
  isWanted: (subscription: Subscription) => boolean,
  { subscriptions }: Pick<Deps, 'subscriptions'>,
): Promise<Subscription | undefined> {
  let cursor: string | undefined;
  do {
    const page = await subscriptions.list(org_id, { customer_id, limit: PAGE, offset: 0, ...(cursor && { cursor }) });
    const found = page.items.find(isWanted);
    if (found) return found;
    cursor = page.next;
  } while (cursor !== undefined);
  return undefined;
}

/** A subscription that may still charge with it. */
export const openSubscriptionWith = (
  { id, ...method }: PaymentMethod,
  deps: Pick<Deps, 'subscriptions'>,
): Promise<Subscription | undefined> =>
  findSubscription(method, (each) => each.payment_method_id === id && !isClosed(each), deps);
