import * as z from 'zod';
import { REFUND_FAILURES } from '#shared/domain/payments/refund-failures.catalog.ts';
import { parsePosition } from '#shared/domain/reference/page.rules.ts';
import { STAGE_NAMES } from '#shared/domain/reference/stage.model.ts';
import {
  Amount,
  Country,
  Currency,
  CustomerEmail,
  createdRange,
  IdParam,
  ListQuery,
  Metadata,
  Method,
  Pagination,
  Text,
} from '#shared/http/schema/common.schema.ts';
import { methodsAgree, PaymentMethodBody } from '#shared/http/schema/payment-method.schema.ts';
import { PROVIDERS } from '#shared/psp/providers.ts';

export const CreatePaymentBody = z
  .strictObject({
    amount: Amount,
    currency: Currency,
    method: Method.optional(),
    country: Country.optional(),
    customer_id: Text(200, 1).optional(),
    customer_email: CustomerEmail.optional(),
    customer_ip: z.union([z.ipv4(), z.ipv6()], 'Must be an IP address.').optional(),
    description: Text(500, 1).optional(),
    metadata: Metadata.optional(),
    payment_method: PaymentMethodBody.optional(),
  })
  .refine(...methodsAgree)
  .meta({ id: 'CreatePayment' });

/** A provider's component returns a handful of fields. */
const MAX_INPUT_FIELDS = 20;

export const ConfirmPaymentBody = z
  .strictObject({
    payment_method: PaymentMethodBody.optional(),
    input: z
      .record(
        Text(60, 1),
        z.union(
          [Text(2_000, 1), z.number(), z.boolean()],
          'Must be text of 1 to 2000 characters, a number, true or false.',
        ),
      )
      .refine((input) => Object.keys(input).length <= MAX_INPUT_FIELDS, `Must have at most ${MAX_INPUT_FIELDS} fields.`)
      .optional(),
  })
  .meta({
    id: 'ConfirmPayment',
    description:
      '`payment_method` is for a payment that is `created`, `input` for a `next_action` that waits for it; at ' +
      'any other time either is refused.',
  });

/** A browser's `confirm` has no `return_url`: a thief could send the customer to a page of their own. */
export const ConfirmIntentBody = z
  .strictObject({
    ...ConfirmPaymentBody.shape,
    client_secret: Text(500, 1).meta({ description: 'The `client_secret` of the response that created the intent.' }),
    payment_method: PaymentMethodBody.omit({ return_url: true }).meta({ id: 'PaymentMethodOfCustomer' }).optional(),
  })
  .meta({
    id: 'ConfirmIntent',
    description: "As `ConfirmPayment`. Where the customer is sent afterwards, the shop's server has said.",
  });

export const RetryPaymentBody = z
  .strictObject({ payment_method: PaymentMethodBody.optional() })
  .meta({ id: 'RetryPayment' });
export const RefundPaymentBody = z
  .strictObject({ amount: Amount.optional(), reason: Text(200, 1).optional(), metadata: Metadata.optional() })
  .meta({
    id: 'RefundPayment',
    description:
      'Without `amount` all that is left is refunded. What the provider cannot refund exactly, or as too ' +
      'little, is refused (`amount_not_supported`); a part may leave a rest that is so.',
  });

export const ById = IdParam('payment');

const STATUSES = ['created', 'processing', 'requires_action', 'succeeded', 'failed', 'canceled', 'refunded'] as const;
export const ListPaymentsQuery = ListQuery(
  {
    status: z.enum(STATUSES, `Must be one of ${STATUSES.join(', ')}.`).optional(),
    customer_id: Text(200, 1).optional(),
    connection_id: Text(64, 1).optional(),
    currency: Currency.optional(),
    ...createdRange,
  },
  { isPosition: (position) => parsePosition(position) !== undefined },
);
export type ListPaymentsQuery = z.output<typeof ListPaymentsQuery>;

const Nullable = z.string().nullable();

const FailureReply = z
  .object({
    code: z.string(),
    category: z.enum(['soft_decline', 'hard_decline', 'fraud', 'provider_error', 'configuration', 'expired']),
    message: z.string(),
    provider_code: Nullable,
    retryable: z.boolean(),
  })
  .meta({ id: 'Failure' });

const NextActionReply = z
  .discriminatedUnion('type', [
    z.object({
      type: z.literal('redirect'),
      url: z.string(),
      method: z.enum(['GET', 'POST']),
      fields: z.record(z.string(), z.string()).optional(),
    }),
    z.object({ type: z.literal('collect'), field: z.enum(['otp', 'pin', 'phone', 'birthday', 'address']) }),
    z.looseObject({ type: z.literal('display') }),
    z.object({ type: z.literal('await') }),
    z.object({ type: z.literal('sdk'), provider: z.enum(PROVIDERS), data: z.record(z.string(), z.string()) }),
  ])
  .meta({ id: 'NextAction', description: 'What the customer has to do, and what `confirm` waits for.' });

const AttemptReply = z
  .object({
    id: z.string(),
    connection_id: z.string(),
    provider: z.enum(PROVIDERS),
    status: z.enum(['processing', 'requires_action', 'succeeded', 'failed', 'canceled']),
    failure: FailureReply.nullable(),
    psp_reference: Nullable,
    latency_ms: z.number().nullable(),
    started_at: z.string(),
  })
  .meta({ id: 'Attempt' });

const REFUND_CODES = Object.keys(REFUND_FAILURES)
  .map((code) => `\`${code}\``)
  .join(', ');

export const RefundReply = z
  .object({
    id: z.string(),
    amount: z.number(),
    status: z.enum(['pending', 'succeeded', 'failed']),
    reason: Nullable,
    // Older records have no refund failure.
    failure: FailureReply.nullable()
      .default(null)
      .meta({ description: `Why the refund failed; null unless \`status\` is \`failed\`. Codes: ${REFUND_CODES}.` }),
    metadata: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])),
    attempt_id: z.string(),
    psp_reference: Nullable,
    created_at: z.string(),
  })
  .meta({ id: 'Refund' });

/** Only these fields leave the service: inner fields of a payment are not listed. */
export const PaymentReply = z
  .object({
    id: z.string(),
    org_id: z.string(),
    mode: z.enum(STAGE_NAMES),
    amount: z.number(),
    currency: z.string(),
    status: z.enum(STATUSES),
    method: z.string(),
    country: Nullable,
    customer_id: Nullable,
    customer_email: Nullable,
    customer_ip: Nullable,
    description: Nullable,
    metadata: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])),
    connection_id: Nullable,
    provider: z.enum(PROVIDERS).nullable(),
    psp_reference: Nullable,
    amount_refunded: z.number(),
    refunds: z.array(RefundReply),
    attempts: z.array(AttemptReply),
    next_action: NextActionReply.nullable(),
    failure: FailureReply.nullable(),
    late_success: z.boolean(),
    review: z.looseObject({ reason: z.string(), at: z.string() }).nullable(),
    routing: z
      .object({
        source: z.enum(['ab_test', 'rule', 'default']),
        rule_id: z.string().optional(),
        ab_test_id: z.string().optional(),
        variant: z.string().optional(),
        considered: z.array(z.object({ connection_id: z.string(), usable: z.boolean(), reason: Nullable })),
        stopped: z
          .literal('retry_budget_exhausted')
          .optional()
          .meta({ description: 'Why the remaining connections were not tried.' }),
      })
      .nullable(),
    fraud: z.object({ decision: z.string(), reasons: z.array(z.string()) }).nullable(),
    payment_link_id: Nullable,
    invoice_id: z
      .string()
      .optional()
      .meta({ description: 'The invoice that this payment is for; missing on payments without an invoice.' }),
    created_at: z.string(),
    updated_at: z.string(),
  })
  .meta({
    id: 'Payment',
    description: 'A declined payment is no error: its `status` is `failed`, and `failure` says why.',
  });

/** `client_secret` is for the customer's browser, and shown to the creator only. */
export const IntentReply = PaymentReply.extend({ client_secret: z.string() }).meta({ id: 'PaymentIntent' });

/** What the holder of the client secret sees: the customer's view. */
export const ConfirmedIntentReply = PaymentReply.pick({
  id: true,
  status: true,
  amount: true,
  currency: true,
  next_action: true,
  failure: true,
}).meta({
  id: 'ConfirmedIntent',
});

export const PaymentsReply = z
  .object({
    payments: z.array(PaymentReply),
    pagination: Pagination,
  })
  .meta({
    id: 'PaymentList',
    description:
      'Newest first. Where hits are rare or payments large, a page holds fewer than `limit`, or none: while ' +
      '`has_more` is true, `Link` leads on.',
  });
