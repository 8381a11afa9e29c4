import type { ListSubscriptionsQuery } from '#functions/subscriptions/subscriptions.schema.ts';
import type { Subscription } from '#shared/domain/billing/subscription.model.ts';
import { type UpcomingPeriod, upcomingPeriods } from '#shared/domain/billing/upcoming-periods.rules.ts';
import type { ListPage } from '#shared/domain/reference/page.rules.ts';
import { orNotFound } from '#shared/kernel/errors.ts';
import type { Caller } from '#shared/ports/caller.ts';
import type { Deps } from '#shared/ports/deps.ts';

export async function getSubscription(
  { id }: { readonly id: string },
  caller: Caller,
  { subscriptions }: Pick<Deps, 'subscriptions'>,
): Promise<Subscription> {
  return orNotFound(await subscriptions.get(caller.orgId, id), 'There is no such subscription.');
}

/** Computed from the subscription alone. */
export async function getUpcoming(
  { id }: { readonly id: string },
  caller: Caller,
  deps: Pick<Deps, 'subscriptions' | 'clock'>,
): Promise<{ readonly subscription_id: string; readonly periods: readonly UpcomingPeriod[] }> {
  const subscription = await getSubscription({ id }, caller, deps);
  return { subscription_id: id, periods: upcomingPeriods(subscription, deps.clock.now()) };
}

/** The specification wants a bare array here, so only the `Link` header says whether there is another page. */
export async function listSubscriptions(
  query: ListSubscriptionsQuery,
  caller: Caller,
  { subscriptions }: Pick<Deps, 'subscriptions'>,
): Promise<ListPage<Subscription>> {
  return subscriptions.list(caller.orgId, query);
}
