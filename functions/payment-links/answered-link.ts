import { linkAddress } from '#functions/payment-links/link-address.ts';
import { statusAt } from '#shared/domain/payment-link.machine.ts';
import type { PaymentLink } from '#shared/domain/payment-link.model.ts';
import { shownLink } from '#shared/domain/payment-link.rules.ts';
import type { Deps } from '#shared/ports/deps.ts';

/** The link as its organization sees it: with its URL, and with `expired` by the clock. */
export const answeredLink = (link: PaymentLink, { clock, config }: Pick<Deps, 'clock' | 'config'>) => ({
  ...shownLink(link),
  status: statusAt(link, clock.now()),
  url: linkAddress(link.id, config),
});
