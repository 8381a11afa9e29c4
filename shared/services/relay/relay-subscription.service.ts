import type { Subscription } from '#shared/domain/billing/subscription.model.ts';
import { withoutEvents } from '#shared/domain/payments/outbox.rules.ts';
import type { Deps } from '#shared/ports/deps.ts';
import { publishOutbox } from '#shared/services/relay/publish-outbox.service.ts';

type Needs = Pick<Deps, 'subscriptions' | 'events' | 'bus'>;

/** Passes a subscription's events on; each holds its own snapshot. */
export async function relaySubscription(subscription: Subscription, deps: Needs): Promise<Subscription> {
  if (subscription.outbox.length === 0) return subscription;
  const relayed = await publishOutbox(subscription, ({ was }) => was, deps);
  return deps.subscriptions.change(subscription, (s) => withoutEvents(s, relayed));
}
