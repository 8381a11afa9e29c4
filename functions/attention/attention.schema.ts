import * as z from 'zod';
import { DISPUTE_STATUSES } from '#shared/domain/disputes/dispute.model.ts';
import { PAYMENT_STATUSES } from '#shared/domain/payments/payment.model.ts';
import { isCreationPosition } from '#shared/domain/reference/page.rules.ts';
import { ListQuery, Pagination } from '#shared/http/schema/common.schema.ts';
import { PaymentReply } from '#shared/http/schema/payment.schema.ts';

/** A review's place in its list is its beginning and its payment, written like the place of a new record. */
export const ListReviewsQuery = ListQuery({}, { isPosition: (text) => isCreationPosition(text, 'payment') });
export type ListReviewsInput = z.output<typeof ListReviewsQuery>;

export const ReviewsReply = z
  .object({ payments: z.array(PaymentReply), pagination: Pagination })
  .meta({ id: 'ReviewList' });

const Nullable = z.string().nullable();
const money = { amount: z.int(), currency: z.string() };

const Section = <S extends z.ZodRawShape>(item: S) =>
  z.object({ count: z.int(), more: z.boolean(), items: z.array(z.object(item)) });

const Reviews = Section({
  payment_id: z.string(),
  reason: z.string(),
  since: z.string(),
  ...money,
  status: z.enum(PAYMENT_STATUSES),
  capturable_until: Nullable,
});
const Disputes = Section({
  id: z.string(),
  payment_id: z.string(),
  status: z.enum(DISPUTE_STATUSES),
  reason: z.string(),
  ...money,
  respond_by: Nullable,
  overdue: z.boolean(),
});
const Connections = Section({
  id: z.string(),
  provider: z.string(),
  health_status: z.enum(['degraded', 'down']),
  health_score: z.int().nullable(),
  last_failure_at: Nullable,
});
const Invoices = Section({
  id: z.string(),
  subscription_id: z.string(),
  customer_id: z.string(),
  ...money,
  attempts: z.int(),
  next_retry_at: Nullable,
});
const Webhooks = z.object({
  state: z.enum(['none', 'ok', 'failing', 'disabled']),
  failing_since: Nullable,
  failed_events: Section({ id: z.string() }),
});

const Approvals = Section({
  id: z.string(),
  operation: z.string(),
  amount: z.int().nullable(),
  currency: Nullable,
  expires_at: z.string(),
});

export const AttentionReply = z
  .object({
    reviews: Reviews,
    disputes: Disputes,
    connections: Connections.nullable(),
    invoices: Invoices.nullable(),
    webhooks: Webhooks.nullable(),
    approvals: Approvals.nullable(),
  })
  .meta({ id: 'Attention' });
