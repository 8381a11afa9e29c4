import { passOn } from '#functions/relay/pass-on.ts';
import { withoutEvents } from '#shared/domain/outbox.rules.ts';
import type { Subscription } from '#shared/domain/subscription.model.ts';
import type { Deps } from '#shared/ports/deps.ts';

type Needs = Pick<Deps, 'subscriptions' | 'events' | 'bus'>;

/** Passes a subscription's events on; each holds its own snapshot. */
export async function relaySubscription(subscription: Subscription, deps: Needs): Promise<Subscription> {
  if (subscription.outbox.length === 0) return subscription;
  const relayed = await passOn(subscription, ({ was }) => was, deps);
  return deps.subscriptions.change(subscription, (s) => withoutEvents(s, relayed));
}
