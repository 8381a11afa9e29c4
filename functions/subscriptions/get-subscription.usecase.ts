import type { Subscription } from '#shared/domain/billing/subscription.model.ts';
import { need } from '#shared/kernel/errors.ts';
import type { Caller } from '#shared/ports/caller.ts';
import type { Deps } from '#shared/ports/deps.ts';

export async function getSubscription(
  { id }: { readonly id: string },
  caller: Caller,
  { subscriptions }: Pick<Deps, 'subscriptions'>,
): Promise<Subscription> {
  return need(await subscriptions.get(caller.orgId, id), 'There is no such subscription.');
}
