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
    number: z
      .string()
      .meta({ description: 'For people: the end of the subscription id, and the number of the invoice within it.' }),
    amount: z.number(),
    currency: z.string(),
    status: z.enum(STATUSES).meta({
      description:
        '`failed`: all retries are used up. An `open` or `failed` invoice can be retried or canceled; `paid` and ' +
        '`canceled` are final.',
    }),
    period_start: z.string(),
    period_end: z.string(),
    attempts: z.number().meta({
      description:
        'The number of collection attempts: the first one, those of the retry policy, and requested ones. An ' +
        'attempt that the retry budget of the card forbids counts, although the PSP is not called. Retries of the ' +
        'payment itself (`POST /v1/payments/{id}/retry`) do not count.',
    }),
    next_retry_at: Nullable.meta({
      description: 'When the retry policy collects it next; `null` if no retry is planned.',
    }),
    payment_id: Nullable.meta({ description: 'The payment of the last attempt, or the one that paid it.' }),
    created_at: z.string(),
    updated_at: z.string(),
  })
  .meta({
    id: 'Invoice',
    description: 'What a subscription owes for one period. Each period has exactly one invoice.',
  });

export const DunningReply = z
  .object({
    invoice_id: z.string(),
    status: z.enum(STATUSES),
    attempts: z.int().meta({ description: 'The number of collection attempts so far.' }),
    collecting: z.boolean().meta({ description: 'Whether an attempt is running, or waits for its outcome.' }),
    policy: z.object({
      source: z.enum(['plan', 'organization', 'default']),
      delays: z.array(z.string()).readonly(),
      max_retries: z.int(),
    }),
    retries_used: z.int().meta({ description: "Of the policy's retries, those that were made or are planned." }),
    retries_left: z.int().meta({ description: 'Those that can still be planned.' }),
    planned: z.array(z.object({ retry: z.int(), at: z.string() })).meta({
      description:
        'The planned retry, and those that would follow if each fails at once. Empty while an attempt is running, ' +
        'and where none is left.',
    }),
  })
  .meta({
    id: 'Dunning',
    description: 'Where the collection of an invoice stands, by the retry policy of now.',
  });

export const InvoicesReply = z
  .object({
    invoices: z.array(InvoiceReply),
    pagination: Pagination,
  })
  .meta({
    id: 'InvoiceList',
    description:
      'Newest first. With rare matches a page may hold fewer than `limit` objects, or none: while `has_more` is ' +
      'true, the `Link` header leads to the next page.',
  });
