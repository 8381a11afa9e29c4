import type { ListSubscriptionsQuery } from '#functions/subscriptions/subscriptions.schema.ts';
import type { Subscription } from '#shared/domain/billing/subscription.model.ts';
import { Answer } from '#shared/http/route.ts';
import { nextLink } from '#shared/http/schema/common.schema.ts';
import type { Caller } from '#shared/ports/caller.ts';
import type { Deps } from '#shared/ports/deps.ts';

/** A bare array, as the specification shows it: only `Link` says whether there is more. */
export async function listSubscriptions(
  query: ListSubscriptionsQuery,
  caller: Caller,
  { subscriptions, config }: Pick<Deps, 'subscriptions' | 'config'>,
): Promise<Answer<readonly Subscription[]>> {
  const { items, next } = await subscriptions.list(caller.orgId, query);
  return new Answer(items, { link: nextLink(`${config.apiUrl}/v1/subscriptions`, query, next) });
}
