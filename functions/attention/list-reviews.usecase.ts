import type { ListReviewsInput } from '#functions/attention/attention.schema.ts';
import type { Payment } from '#shared/domain/payments/payment.model.ts';
import type { ListPage } from '#shared/domain/reference/page.rules.ts';
import type { Caller } from '#shared/ports/caller.ts';
import type { Deps } from '#shared/ports/deps.ts';

/** Payments whose review has just ended may be missing from a page, so it may have fewer than `limit`. */
export async function listReviews(
  query: ListReviewsInput,
  { orgId }: Caller,
  { reviews, payments }: Pick<Deps, 'reviews' | 'payments'>,
): Promise<ListPage<Payment>> {
  const { ids, next } = await reviews.list(orgId, query);
  const found = await Promise.all(ids.map((id) => payments.get(orgId, id)));
  return { items: found.flatMap((payment) => (payment?.review ? [payment] : [])), next };
}
