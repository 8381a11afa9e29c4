import type { PaymentLink } from '#shared/domain/links/payment-link.model.ts';
import type { PaymentDetails } from '#shared/domain/payments/payment-details.model.ts';
import { Secret } from '#shared/kernel/secret.ts';
import type { Deps } from '#shared/ports/deps.ts';
import { assertAgreed, detailsIn, sealContextOf } from '#shared/services/payments/charge-order.service.ts';

/** The link with what its payments pass on to their providers. */
export async function withLinkDetails(
  link: PaymentLink,
  input: PaymentDetails,
  { vault }: Pick<Deps, 'vault'>,
): Promise<PaymentLink> {
  const details = detailsIn(input);
  if (!details) return link;
  await assertAgreed(details, link);
  return { ...link, sealed_details: await vault.seal(new Secret(JSON.stringify(details)), sealContextOf(link)) };
}

export async function openLinkDetails(link: PaymentLink, { vault }: Pick<Deps, 'vault'>): Promise<PaymentDetails> {
  if (link.sealed_details === undefined) return {};
  const text = await vault.open(link.sealed_details, sealContextOf(link));
  return JSON.parse(text.reveal()) as PaymentDetails;
}
