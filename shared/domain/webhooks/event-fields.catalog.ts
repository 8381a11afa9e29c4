import type { PublicInvoice } from '#shared/domain/billing/invoice.model.ts';
import type { PublicSubscription } from '#shared/domain/billing/subscription.model.ts';
import type { PublicDispute } from '#shared/domain/disputes/dispute.model.ts';
import type { publicLink } from '#shared/domain/links/payment-link.rules.ts';
import type { CardReport, NetworkReport } from '#shared/domain/payments/network-report.model.ts';
import type { Capture, Failure, Refund } from '#shared/domain/payments/payment.model.ts';
import type { EventType } from '#shared/domain/reference/events.catalog.ts';

/** A thing's content: fields by name, `anything` for free-form data, or `value` for a plain value or list. */
export type FieldShape = 'value' | 'anything' | Fields;
export type Fields = { readonly [name: string]: FieldShape };

type FieldShapes<Name extends string> = { readonly [name in Name]: FieldShape };

const FAILURE = {
  code: 'value',
  category: 'value',
  message: 'value',
  provider_code: 'value',
  retryable: 'value',
} as const satisfies FieldShapes<Exclude<keyof Failure, 'needs_other_method' | 'asks_new_method'>>;

const REFUND = {
  id: 'value',
  amount: 'value',
  status: 'value',
  reason: 'value',
  failure: FAILURE,
  metadata: 'anything',
  attempt_id: 'value',
  psp_reference: 'value',
  created_at: 'value',
} as const satisfies Partial<FieldShapes<keyof Refund>>;

/** The ids of a link or invoice only if the payment was made for one. */
const PAYMENT = {
  id: 'value',
  amount: 'value',
  currency: 'value',
  status: 'value',
  provider: 'value',
  customer_id: 'value',
  metadata: 'anything',
  payment_link_id: 'value',
  invoice_id: 'value',
  payment_method_id: 'value',
} as const satisfies Fields;

/** On payments that are captured later. */
const MANUAL_PAYMENT = {
  ...PAYMENT,
  authorized_amount: 'value',
  captured_amount: 'value',
  released_amount: 'value',
  capturable_until: 'value',
  partially_approved: 'value',
} as const satisfies Fields;

/** What the network said of an attempt: each field only if its provider told it. */
const ATTEMPT = {
  id: 'value',
  network_transaction_id: 'value',
  network_decline_code: 'value',
  advice_code: 'value',
  avs: { code: 'value', address: 'value', postal_code: 'value' },
  cvc: 'value',
  eci: 'value',
  liability_shift: 'value',
  card: {
    brand: 'value',
    last4: 'value',
    funding: 'value',
    issuer_country: 'value',
    exp_month: 'value',
    exp_year: 'value',
  } satisfies FieldShapes<keyof CardReport>,
} as const satisfies FieldShapes<keyof NetworkReport | 'id'>;

const CAPTURE = {
  id: 'value',
  amount: 'value',
  status: 'value',
  failure: FAILURE,
  final: 'value',
  attempt_id: 'value',
  psp_reference: 'value',
  created_at: 'value',
} as const satisfies Partial<FieldShapes<keyof Capture>>;

const SUBSCRIPTION = {
  id: 'value',
  org_id: 'value',
  mode: 'value',
  customer_id: 'value',
  customer_email: 'value',
  country: 'value',
  plan_id: 'value',
  amount: 'value',
  currency: 'value',
  method: 'value',
  payment_method_id: 'value',
  interval: 'value',
  status: 'value',
  start_at: 'value',
  next_renewal_at: 'value',
  cancel_at_period_end: 'value',
  canceled_at: 'value',
  metadata: 'anything',
  created_at: 'value',
  updated_at: 'value',
} as const satisfies FieldShapes<keyof PublicSubscription>;

const INVOICE = {
  id: 'value',
  org_id: 'value',
  subscription_id: 'value',
  customer_id: 'value',
  plan_id: 'value',
  number: 'value',
  amount: 'value',
  currency: 'value',
  status: 'value',
  period_start: 'value',
  period_end: 'value',
  attempts: 'value',
  next_retry_at: 'value',
  payment_id: 'value',
  created_at: 'value',
  updated_at: 'value',
} as const satisfies FieldShapes<keyof PublicInvoice>;

const LINK = {
  id: 'value',
  org_id: 'value',
  mode: 'value',
  amount: 'value',
  currency: 'value',
  description: 'value',
  methods: 'value',
  status: 'value',
  max_payments: 'value',
  payments_made: 'value',
  expires_at: 'value',
  metadata: 'anything',
  capture: 'value',
  customer_id: 'value',
  payment_method_id: 'value',
  save: 'value',
  created_at: 'value',
  updated_at: 'value',
} as const satisfies FieldShapes<keyof ReturnType<typeof publicLink>>;

const DISPUTE = {
  id: 'value',
  org_id: 'value',
  mode: 'value',
  payment_id: 'value',
  connection_id: 'value',
  provider: 'value',
  psp_reference: 'value',
  charge_reference: 'value',
  amount: 'value',
  currency: 'value',
  status: 'value',
  reason: 'value',
  provider_reason: 'value',
  respond_by: 'value',
  answer: { type: 'value', fields: 'value', at: 'value', by: 'value' },
  opened_at: 'value',
  closed_at: 'value',
  created_at: 'value',
  updated_at: 'value',
} as const satisfies FieldShapes<keyof PublicDispute>;

/**
 * The fields of an event's `data`, by its type: a test holds this to what events show, and docs/workflows.md to this.
 */
export const EVENT_FIELDS: Readonly<Record<EventType, Fields>> = {
  'payment.created': MANUAL_PAYMENT,
  'payment.authorized': { ...MANUAL_PAYMENT, attempt: ATTEMPT },
  'payment.authorization_expiring': MANUAL_PAYMENT,
  'payment.captured': { ...MANUAL_PAYMENT, capture: CAPTURE },
  'payment.capture_failed': { ...MANUAL_PAYMENT, capture: CAPTURE },
  'payment.succeeded': { ...MANUAL_PAYMENT, attempt: ATTEMPT },
  'payment.failed': { ...MANUAL_PAYMENT, failure: FAILURE, attempt: ATTEMPT },
  'payment.canceled': MANUAL_PAYMENT,
  'payment.refunded': { ...MANUAL_PAYMENT, amount_refunded: 'value', refund: REFUND },
  'subscription.created': SUBSCRIPTION,
  'subscription.updated': SUBSCRIPTION,
  'subscription.canceled': SUBSCRIPTION,
  'subscription.paused': SUBSCRIPTION,
  'subscription.resumed': SUBSCRIPTION,
  'subscription.renewed': SUBSCRIPTION,
  'invoice.created': INVOICE,
  'invoice.paid': INVOICE,
  'invoice.failed': INVOICE,
  'invoice.canceled': INVOICE,
  'payment_link.paid': { ...LINK, url: 'value', payment_id: 'value' },
  'dispute.created': DISPUTE,
  'dispute.updated': DISPUTE,
  'dispute.response_due': DISPUTE,
  'dispute.closed': DISPUTE,
  'service.webhook.test': { message: 'value' },
};
