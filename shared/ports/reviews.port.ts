import type { Payment } from '#shared/domain/payments/payment.model.ts';

export type ReviewsQuery = { readonly limit: number; readonly offset?: number; readonly cursor?: string };

/** `next`: the cursor of the next page, if there may be one. */
export type ReviewsPage = { readonly ids: readonly string[]; readonly next: string | undefined };

/** Which payments are under review. It follows the payments, seconds late. */
export interface ReviewsPort {
  /** Notes whether this version of the payment is under review. An older version than the noted one changes nothing. */
  note(payment: Payment, at: Date): Promise<void>;
  /** Those of an organization, by how long they wait, longest first. */
  list(orgId: string, query: ReviewsQuery): Promise<ReviewsPage>;
}
