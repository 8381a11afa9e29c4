import type { PaymentLink } from '#shared/domain/links/payment-link.model.ts';
import { linkSnapshot } from '#shared/domain/links/payment-link.rules.ts';
import { withoutEvents } from '#shared/domain/payments/outbox.rules.ts';
import type { Deps } from '#shared/ports/deps.ts';
import { linkAddress } from '#shared/services/links/link-address.service.ts';
import { publishOutbox } from '#shared/services/relay/publish-outbox.service.ts';

type Needs = Pick<Deps, 'paymentLinks' | 'events' | 'bus' | 'config'>;

/** Passes a payment link's events on. */
export async function relayLink(link: PaymentLink, deps: Needs): Promise<PaymentLink> {
  if (link.outbox.length === 0) return link;
  const relayed = await publishOutbox(link, (stub) => linkSnapshot(link, linkAddress(link.id, deps.config), stub), deps);
  return deps.paymentLinks.change(link, (l) => withoutEvents(l, relayed));
}
