import { answeredLink } from '#functions/payment-links/answered-link.ts';
import type { ListPaymentLinksQuery } from '#functions/payment-links/payment-links.schema.ts';
import { Answer } from '#shared/http/route.ts';
import { nextLink } from '#shared/http/schema/common.schema.ts';
import type { Caller } from '#shared/ports/caller.ts';
import type { Deps } from '#shared/ports/deps.ts';

export async function listPaymentLinks(
  query: ListPaymentLinksQuery,
  caller: Caller,
  deps: Pick<Deps, 'paymentLinks' | 'clock' | 'config'>,
) {
  const { limit, offset } = query;
  const { items, total, next } = await deps.paymentLinks.list(caller.orgId, query);
  const listed = { payment_links: items.map((link) => answeredLink(link, deps)), pagination: { limit, offset, total } };
  return new Answer(listed, { link: nextLink(`${deps.config.apiUrl}/v1/payment-links`, query, next) });
}
