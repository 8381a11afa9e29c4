import { statusAt } from '#shared/domain/links/payment-link.machine.ts';
import type { PaymentLink } from '#shared/domain/links/payment-link.model.ts';
import { shownLink } from '#shared/domain/links/payment-link.rules.ts';
import type { Deps } from '#shared/ports/deps.ts';
import { linkAddress } from '#shared/services/links/link-address.service.ts';

/** The link as its organization sees it: with its URL, and with `expired` by the clock. */
export const answeredLink = (link: PaymentLink, { clock, config }: Pick<Deps, 'clock' | 'config'>) => ({
  ...shownLink(link),
  status: statusAt(link, clock.now()),
  url: linkAddress(link.id, config),
});
