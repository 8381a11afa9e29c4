import * as z from 'zod';
import { STAGE_NAMES } from '#shared/domain/reference/stage.model.ts';
import {
  Amount,
  ANY_OFFSET,
  Currency,
  IdParam,
  ListQuery,
  Metadata,
  Method,
  Text,
  Timestamp,
} from '#shared/http/schema/common.schema.ts';
import { isId } from '#shared/kernel/ids.ts';

export const ById = IdParam('link');

const MOST_PAYMENTS = 100_000;
const PAYMENTS = `Must be a whole number, 1 to ${MOST_PAYMENTS}.`;

export const CreatePaymentLinkBody = z
  .strictObject({
    amount: Amount,
    currency: Currency,
    description: Text(500, 1).optional(),
    methods: z
      .array(Method)
      .min(1, 'Must name at least one method.')
      .max(20, 'Must name at most 20 methods.')
      .refine((methods) => new Set(methods).size === methods.length, 'Must name each method once.')
      .optional()
      .meta({ description: 'How customers may pay; `card` where it is left out. With several they choose.' }),
    expires_at: Timestamp.optional().meta({
      description: 'From then on nobody can start to pay. It must lie in the future.',
    }),
    max_payments: z
      .int(PAYMENTS)
      .min(1, PAYMENTS)
      .max(MOST_PAYMENTS, PAYMENTS)
      .optional()
      .meta({ description: 'How often it can be paid; once where it is left out.' }),
    metadata: Metadata.optional().meta({ description: 'Each payment of the link gets it too.' }),
  })
  .meta({ id: 'CreatePaymentLink' });
export type CreatePaymentLinkBody = z.output<typeof CreatePaymentLinkBody>;

const STATUSES = ['active', 'completed', 'expired', 'inactive'] as const;
export const ListPaymentLinksQuery = ListQuery(
  { status: z.enum(STATUSES, `Must be one of ${STATUSES.join(', ')}.`).optional() },
  { isPosition: (position) => isId('link', position), mostOffset: ANY_OFFSET },
);
export type ListPaymentLinksQuery = z.output<typeof ListPaymentLinksQuery>;

export const PaymentLinkReply = z
  .object({
    id: z.string(),
    org_id: z.string(),
    mode: z.enum(STAGE_NAMES),
    url: z.string().meta({ description: 'The page where customers pay.' }),
    amount: z.number(),
    currency: z.string(),
    description: z.string().nullable(),
    methods: z.array(z.string()),
    status: z.enum(STATUSES).meta({
      description: '`completed`: it was paid as often as it can be. Only an `active` one takes new payments.',
    }),
    max_payments: z.number(),
    payments_made: z.number(),
    expires_at: z.string().nullable(),
    metadata: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])),
    created_at: z.string(),
    updated_at: z.string(),
  })
  .meta({ id: 'PaymentLink' });

export const PaymentLinksReply = z
  .object({
    payment_links: z.array(PaymentLinkReply),
    pagination: z.object({ limit: z.number(), offset: z.number(), total: z.number() }),
  })
  .meta({
    id: 'PaymentLinkList',
    description:
      'Newest first. Where links are large, a page holds fewer than `limit`: as long as there is a `Link`, it leads on.',
  });
