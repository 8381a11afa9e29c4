import * as z from 'zod';
import type { NetworkReport } from '#shared/domain/payments/network-report.model.ts';
import { PAYMENT_STATUSES } from '#shared/domain/payments/payment.model.ts';
import { STAGE_NAMES } from '#shared/domain/reference/stage.model.ts';
import { IdParam } from '#shared/http/schema/common.schema.ts';
import { PROVIDERS } from '#shared/psp/providers.ts';

export const PaymentById = IdParam('payment');

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
  .meta({ id: 'NextAction' });

const CheckReply = z.enum(['match', 'mismatch', 'unchecked']);

const NETWORK_REPORT = {
  network_transaction_id: z.string().optional(),
  network_decline_code: z.string().optional(),
  advice_code: z.string().optional(),
  avs: z
    .object({ code: z.string().optional(), address: CheckReply.optional(), postal_code: CheckReply.optional() })
    .optional(),
  cvc: CheckReply.optional(),
  eci: z.string().optional(),
  liability_shift: z.boolean().optional(),
  card: z
    .object({
      brand: z.string().optional(),
      last4: z.string().optional(),
      funding: z.enum(['credit', 'debit', 'prepaid']).optional(),
      issuer_country: z.string().optional(),
      exp_month: z.int().optional(),
      exp_year: z.int().optional(),
    })
    .optional()
    .meta({ id: 'Card' }),
} satisfies Record<keyof NetworkReport, z.ZodType>;

const AttemptReply = z
  .object({
    id: z.string(),
    connection_id: z.string(),
    provider: z.enum(PROVIDERS),
    status: z.enum(['processing', 'requires_action', 'authorized', 'succeeded', 'failed', 'canceled']),
    failure: FailureReply.nullable(),
    psp_reference: Nullable,
    latency_ms: z.number().nullable(),
    started_at: z.string(),
    ...NETWORK_REPORT,
  })
  .meta({ id: 'Attempt' });

export const RefundReply = z
  .object({
    id: z.string(),
    amount: z.number(),
    status: z.enum(['pending', 'succeeded', 'failed']),
    reason: Nullable,
    // Older records have no refund failure.
    failure: FailureReply.nullable().default(null),
    metadata: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])),
    attempt_id: z.string(),
    psp_reference: Nullable,
    created_at: z.string(),
  })
  .meta({ id: 'Refund' });

const CaptureReply = z
  .object({
    id: z.string(),
    amount: z.number(),
    status: z.enum(['pending', 'succeeded', 'failed']),
    failure: FailureReply.nullable(),
    final: z.boolean(),
    attempt_id: z.string(),
    psp_reference: Nullable,
    created_at: z.string(),
  })
  .meta({ id: 'Capture' });

/** Missing on a payment that is captured at once. */
const MANUAL_CAPTURE = {
  authorized_amount: z.int().nullable().optional(),
  partially_approved: z.literal(true).optional(),
  captured_amount: z.int().optional(),
  released_amount: z.int().optional(),
  capturable_until: Nullable.optional(),
  captures: z.array(CaptureReply).optional(),
};

/** Only these fields leave the service: inner fields of a payment are not listed. */
export const PaymentReply = z
  .object({
    id: z.string(),
    org_id: z.string(),
    mode: z.enum(STAGE_NAMES),
    amount: z.number(),
    currency: z.string(),
    status: z.enum(PAYMENT_STATUSES),
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
    amount_disputed: z.int().optional(),
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
        stopped: z.literal('retry_budget_exhausted').optional(),
      })
      .nullable(),
    fraud: z.object({ decision: z.string(), reasons: z.array(z.string()) }).nullable(),
    payment_link_id: Nullable,
    invoice_id: z.string().optional(),
    payment_method_id: z.string().optional(),
    capture: z.enum(['automatic', 'manual']).default('automatic'),
    ...MANUAL_CAPTURE,
    created_at: z.string(),
    updated_at: z.string(),
  })
  .meta({ id: 'Payment' });
