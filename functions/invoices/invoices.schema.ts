import * as z from 'zod';
import { positionIn } from '#shared/domain/reference/list-position.rules.ts';
import { IdParam, ListQuery, Text, Timestamp } from '#shared/http/schema/common.schema.ts';

export const ById = IdParam('invoice');

const STATUSES = ['open', 'paid', 'failed', 'canceled'] as const;
export const ListInvoicesQuery = ListQuery(
  {
    status: z.enum(STATUSES, `Must be one of ${STATUSES.join(', ')}.`).optional(),
    customer_id: Text(200, 1).optional(),
    plan_id: Text(200, 1).optional(),
    subscription_id: Text(64, 1).optional(),
    created_after: Timestamp.optional().meta({ description: 'One made at this very millisecond is in the list.' }),
    created_before: Timestamp.optional().meta({
      description: 'One made at this very millisecond is not in the list: spans join without a gap.',
    }),
  },
  { isPosition: (position) => positionIn(position, 'invoice') !== undefined },
);
export type ListInvoicesQuery = z.output<typeof ListInvoicesQuery>;

const Nullable = z.string().nullable();

/** Only these fields leave the service: inner fields of an invoice are not listed. */
export const InvoiceReply = z
  .object({
    id: z.string(),
    org_id: z.string(),
    subscription_id: z.string(),
    customer_id: z.string(),
    plan_id: z.string(),
    number: z.string().meta({ description: 'For people: the subscription, and which of its invoices this is.' }),
    amount: z.number(),
    currency: z.string(),
    status: z.enum(STATUSES).meta({
      description:
        '`failed`: the tries are used up. An `open` or `failed` one can be tried again, or canceled; `paid` is final.',
    }),
    period_start: z.string(),
    period_end: z.string(),
    attempts: z.number().meta({
      description:
        'How many tries it has had: the first, those of the retry policy, and those that were asked for here. One that the limit on declines of a card forbids is used up without a call. Tries of the payment by itself (`POST /v1/payments/{id}/retry`) stand on that alone.',
    }),
    next_retry_at: Nullable.meta({ description: "The retry policy's next try; `null` where none is planned." }),
    payment_id: Nullable.meta({ description: 'The payment that was tried last, or that paid it.' }),
    created_at: z.string(),
    updated_at: z.string(),
  })
  .meta({ id: 'Invoice', description: 'What a subscription owes for one period. Each period has one.' });

export const InvoicesReply = z
  .object({
    invoices: z.array(InvoiceReply),
    pagination: z.object({ limit: z.number(), offset: z.number(), has_more: z.boolean() }),
  })
  .meta({
    id: 'InvoiceList',
    description:
      'Newest first. Where hits are rare, a page holds fewer than `limit`, or none: while `has_more` is true, `Link` leads on.',
  });
