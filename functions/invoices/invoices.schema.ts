import * as z from 'zod';
import { parsePosition } from '#shared/domain/reference/page.rules.ts';
import { createdRange, IdParam, ListQuery, Pagination, Text } from '#shared/http/schema/common.schema.ts';

export const ById = IdParam('invoice');

const STATUSES = ['open', 'paid', 'failed', 'canceled'] as const;
export const ListInvoicesQuery = ListQuery(
  {
    status: z.enum(STATUSES, `Must be one of ${STATUSES.join(', ')}.`).optional(),
    customer_id: Text(200, 1).optional(),
    plan_id: Text(200, 1).optional(),
    subscription_id: Text(64, 1).optional(),
    ...createdRange,
  },
  { isPosition: (position) => parsePosition(position, 'invoice') !== undefined },
);
export type ListInvoicesQuery = z.output<typeof ListInvoicesQuery>;

const Nullable = z.string().nullable();

/** Only these fields leave the service: internal fields of an invoice are not listed. */
export const InvoiceReply = z
  .object({
    id: z.string(),
    org_id: z.string(),
    subscription_id: z.string(),
    customer_id: z.string(),
    plan_id: z.string(),
    number: z.string(),
    amount: z.number(),
    currency: z.string(),
    status: z.enum(STATUSES),
    period_start: z.string(),
    period_end: z.string(),
    attempts: z.number(),
    next_retry_at: Nullable,
    payment_id: Nullable,
    created_at: z.string(),
    updated_at: z.string(),
  })
  .meta({ id: 'Invoice' });

export const DunningReply = z
  .object({
    invoice_id: z.string(),
    status: z.enum(STATUSES),
    attempts: z.int(),
    collecting: z.boolean(),
    policy: z.object({
      source: z.enum(['plan', 'organization', 'default']),
      delays: z.array(z.string()).readonly(),
      max_retries: z.int(),
    }),
    retries_used: z.int(),
    retries_left: z.int(),
    planned: z.array(z.object({ retry: z.int(), at: z.string() })),
  })
  .meta({ id: 'Dunning' });

export const InvoicesReply = z
  .object({
    invoices: z.array(InvoiceReply),
    pagination: Pagination,
  })
  .meta({ id: 'InvoiceList' });
