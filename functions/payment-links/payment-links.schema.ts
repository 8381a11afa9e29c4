import * as z from 'zod';
import { STAGE_NAMES } from '#shared/domain/reference/stage.model.ts';
import {
  Amount,
  ANY_OFFSET,
  CaptureMode,
  CountedPagination,
  Currency,
  Flag,
  IdParam,
  ListQuery,
  Metadata,
  Method,
  Text,
  Timestamp,
} from '#shared/http/schema/common.schema.ts';
import { DETAILS, STATEMENT_DETAILS } from '#shared/http/schema/payment-details.schema.ts';
import { saveNeedsCustomer } from '#shared/http/schema/payment-method.schema.ts';
import { isId } from '#shared/kernel/ids.ts';

export const ById = IdParam('link');

const MAX_METHODS = 20;
const MAX_PAYMENTS = 100_000;
const MAX_PAYMENTS_MESSAGE = `Must be a whole number from 1 to ${MAX_PAYMENTS}.`;

export const CreatePaymentLinkBody = z
  .strictObject({
    amount: Amount,
    currency: Currency,
    description: Text(500, 1).optional(),
    methods: z
      .array(Method)
      .min(1, 'Must contain at least one method.')
      .max(MAX_METHODS, `Must contain at most ${MAX_METHODS} methods.`)
      .refine((methods) => new Set(methods).size === methods.length, 'Must contain each method only once.')
      .optional(),
    expires_at: Timestamp.optional(),
    max_payments: z
      .int(MAX_PAYMENTS_MESSAGE)
      .min(1, MAX_PAYMENTS_MESSAGE)
      .max(MAX_PAYMENTS, MAX_PAYMENTS_MESSAGE)
      .optional(),
    metadata: Metadata.optional(),
    capture: CaptureMode.optional(),
    customer_id: Text(200, 1).optional(),
    save: Flag.optional(),
    payment_method: z.strictObject({ id: Text(64, 1) }).optional(),
    billing: DETAILS.billing,
    shipping: DETAILS.shipping,
    order: DETAILS.order,
    ...STATEMENT_DETAILS,
  })
  .refine(...saveNeedsCustomer)
  .meta({ id: 'CreatePaymentLink' });
export type CreatePaymentLinkInput = z.output<typeof CreatePaymentLinkBody>;

const STATUSES = ['active', 'completed', 'expired', 'inactive'] as const;
export const ListPaymentLinksQuery = ListQuery(
  { status: z.enum(STATUSES, `Must be one of ${STATUSES.join(', ')}.`).optional() },
  { isPosition: (position) => isId('link', position), maxOffset: ANY_OFFSET },
);
export type ListPaymentLinksInput = z.output<typeof ListPaymentLinksQuery>;

export const PaymentLinkReply = z
  .object({
    id: z.string(),
    org_id: z.string(),
    mode: z.enum(STAGE_NAMES),
    url: z.string(),
    amount: z.number(),
    currency: z.string(),
    description: z.string().nullable(),
    methods: z.array(z.string()),
    status: z.enum(STATUSES),
    max_payments: z.number(),
    payments_made: z.number(),
    expires_at: z.string().nullable(),
    metadata: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])),
    capture: z.enum(['automatic', 'manual']),
    customer_id: z.string().optional(),
    payment_method_id: z.string().optional(),
    save: z.literal(true).optional(),
    created_at: z.string(),
    updated_at: z.string(),
  })
  .meta({ id: 'PaymentLink' });

/** The response of the creation. */
export const CreatedPaymentLinkReply = PaymentLinkReply.extend({
  warnings: z.array(z.object({ method: z.string(), code: z.string(), message: z.string() })).optional(),
}).meta({ id: 'CreatedPaymentLink' });

export const PaymentLinksReply = z
  .object({
    payment_links: z.array(PaymentLinkReply),
    pagination: CountedPagination,
  })
  .meta({ id: 'PaymentLinkList' });
