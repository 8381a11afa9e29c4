import { linkAddress } from '#functions/payment-links/link-address.ts';
import { passOn } from '#functions/relay/pass-on.ts';
import { withoutEvents } from '#shared/domain/outbox.rules.ts';
import type { PaymentLink } from '#shared/domain/payment-link.model.ts';
import { linkSnapshot } from '#shared/domain/payment-link.rules.ts';
import type { Deps } from '#shared/ports/deps.ts';

type Needs = Pick<Deps, 'paymentLinks' | 'events' | 'bus' | 'config'>;

/** Passes a payment link's events on. */
export async function relayLink(link: PaymentLink, deps: Needs): Promise<PaymentLink> {
  if (link.outbox.length === 0) return link;
  const relayed = await passOn(link, (stub) => linkSnapshot(link, linkAddress(link.id, deps.config), stub), deps);
  return deps.paymentLinks.change(link, (l) => withoutEvents(l, relayed));
}
