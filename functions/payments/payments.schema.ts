import { z } from 'zod';
import { PROVIDERS } from '#shared/domain/providers.catalog.ts';
import { Amount, Country, Currency, IdParam, ListQuery, Metadata, Timestamp } from '#shared/http/schema/common.schema.ts';

const Text = (most: number) => z.string().min(1).max(most);
const Method = z.string().regex(/^[a-z][a-z0-9_]{0,39}$/, 'A payment method is lower-case letters, digits and underscores, such as card.');
const Token = z.union([Text(2_000), z.record(Text(60), Text(2_000)).refine((t) => Object.keys(t).length <= 10, 'At most 10 fields.')]);
const ReturnUrl = z.url({ protocol: /^https?$/ }).max(2_000);

/** A token opens the customer's account at a provider: it is sealed at once and answered never. */
export const PaymentMethodBody = z.strictObject({
  type: Method,
  token: Token.optional(),
  tokens: z.partialRecord(z.enum(PROVIDERS), Token).optional(),
  return_url: ReturnUrl.optional(),
  phone: z
    .string()
    .regex(/^\+?[0-9 ()-]{5,25}$/, 'A phone number.')
    .optional(),
  network: Text(40).optional(),
  bank: Text(60).optional(),
});
export type PaymentMethodBody = z.output<typeof PaymentMethodBody>;

export const CreatePaymentBody = z
  .strictObject({
    amount: Amount,
    currency: Currency,
    method: Method.optional(),
    country: Country.optional(),
    customer_id: Text(200).optional(),
    customer_email: z.email().max(320).optional(),
    customer_ip: z.union([z.ipv4(), z.ipv6()]).optional(),
    description: Text(500).optional(),
    metadata: Metadata.optional(),
    payment_method: PaymentMethodBody.optional(),
  })
  .refine((b) => b.method === undefined || b.payment_method === undefined || b.method === b.payment_method.type, {
    path: ['payment_method', 'type'],
    message: 'This must equal method.',
  });
export type CreatePaymentBody = z.output<typeof CreatePaymentBody>;

export const ConfirmPaymentBody = z.strictObject({
  payment_method: PaymentMethodBody.optional(),
  input: z.record(Text(60), z.union([Text(2_000), z.number(), z.boolean()])).optional(),
});
export const RetryPaymentBody = z.strictObject({ payment_method: PaymentMethodBody.optional() });
export const RefundPaymentBody = z.strictObject({ amount: Amount.optional(), reason: Text(200).optional(), metadata: Metadata.optional() });

/** Actions that take nothing still refuse what they don't know. */
export const NoBody = z.strictObject({});

export const ById = IdParam('payment');

const STATUSES = ['created', 'processing', 'requires_action', 'succeeded', 'failed', 'canceled', 'refunded'] as const;
export const ListPaymentsQuery = ListQuery({
  status: z.enum(STATUSES).optional(),
  customer_id: Text(200).optional(),
  connection_id: Text(64).optional(),
  currency: Currency.optional(),
  created_after: Timestamp.optional(),
  created_before: Timestamp.optional(),
});
export type ListPaymentsQuery = z.output<typeof ListPaymentsQuery>;

const Nullable = z.string().nullable();

const FailureReply = z.object({
  code: z.string(),
  category: z.enum(['soft_decline', 'hard_decline', 'fraud', 'provider_error', 'configuration', 'expired']),
  message: z.string(),
  provider_code: Nullable,
  retryable: z.boolean(),
});

const NextActionReply = z.discriminatedUnion('type', [
  z.object({ type: z.literal('redirect'), url: z.string(), method: z.enum(['GET', 'POST']), fields: z.record(z.string(), z.string()).optional() }),
  z.object({ type: z.literal('collect'), field: z.enum(['otp', 'pin', 'phone', 'birthday', 'address']) }),
  z.looseObject({ type: z.literal('display') }),
  z.object({ type: z.literal('await') }),
  z.object({ type: z.literal('sdk'), provider: z.enum(PROVIDERS), data: z.record(z.string(), z.string()) }),
]);

const AttemptReply = z.object({
  id: z.string(),
  connection_id: z.string(),
  provider: z.enum(PROVIDERS),
  status: z.enum(['processing', 'requires_action', 'succeeded', 'failed', 'canceled']),
  failure: FailureReply.nullable(),
  psp_reference: Nullable,
  latency_ms: z.number().nullable(),
  started_at: z.string(),
});

const RefundReply = z.object({
  id: z.string(),
  amount: z.number(),
  status: z.enum(['pending', 'succeeded', 'failed']),
  reason: Nullable,
  metadata: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])),
  attempt_id: z.string(),
  psp_reference: Nullable,
  created_at: z.string(),
});

/** Only what stands here leaves the service: inner fields of a payment have no line. */
export const PaymentReply = z.object({
  id: z.string(),
  org_id: z.string(),
  mode: z.enum(['sandbox', 'live']),
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
    })
    .nullable(),
  fraud: z.object({ decision: z.string(), reasons: z.array(z.string()) }).nullable(),
  payment_link_id: Nullable,
  created_at: z.string(),
  updated_at: z.string(),
});

/** `client_secret` is for the customer's browser, and shown to the creator only. */
export const IntentReply = PaymentReply.extend({ client_secret: z.string() });

export const PaymentsReply = z.object({
  payments: z.array(PaymentReply),
  pagination: z.object({ limit: z.number(), offset: z.number(), has_more: z.boolean() }),
});
