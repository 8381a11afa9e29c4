import * as z from 'zod';
import { objectReader } from '#shared/psp/kit/responses.ts';

export const readObject = objectReader('Razorpay');

export const readPayment = (value: unknown): Payment => readObject(Payment, 'payment', value);

export const readOrder = (value: unknown): Order => readObject(Order, 'order', value);

export const readLink = (value: unknown): Link => readObject(Link, 'payment link', value);

export const readRefund = (value: unknown): Refund => readObject(Refund, 'refund', value);

export const readStartedPayment = (value: unknown): StartedPayment =>
  readObject(StartedPayment, 'response to a payment', value);

export const readItems = (value: unknown): readonly unknown[] => readObject(Items, 'list', value).items;

export const readLinks = (value: unknown): readonly unknown[] =>
  readObject(Links, 'list of payment links', value).payment_links;

/** What is read of Razorpay's objects, and no more: the API is not versioned and may add fields. */
export const RazorpayError = z.looseObject({
  code: z.string(),
  description: z.string().nullish(),
  reason: z.string().nullish(),
  source: z.string().nullish(),
  step: z.string().nullish().catch(null),
  field: z.string().nullish().catch(null),
  /** `[]` where it is empty. */
  metadata: z.looseObject({ payment_id: z.string().optional() }).nullish().catch(null),
});

export type RazorpayError = z.infer<typeof RazorpayError>;

export const ErrorResponse = z.looseObject({ error: RazorpayError });

/** Copies of Razorpay's objects have digits as text. */
const units = z.union([
  z.int().nonnegative(),
  z
    .string()
    .regex(/^\d{1,15}$/)
    .transform(Number),
]);

const text = z.string().max(255).nullish().catch(null);

export const Payment = z.looseObject({
  id: z.string().startsWith('pay_'),
  entity: z.literal('payment'),
  amount: units,
  currency: z.string().length(3),
  status: z.string(),
  captured: z.boolean().nullish().catch(null),
  created_at: z.int().nullish(),
  order_id: z.string().startsWith('order_').nullish().catch(null),
  /** Razorpay's fee with its tax. */
  fee: units.nullish().catch(null),
  fee_bearer: z.string().nullish().catch(null),
  error_reason: z.string().nullish(),
  error_source: z.string().nullish(),
  /** Only if requested, and in events. */
  card: z.looseObject({ network: text, last4: text, type: text }).nullish().catch(null),
  token_id: z.string().startsWith('token_').max(255).nullish().catch(null),
  customer_id: z.string().startsWith('cust_').max(255).nullish().catch(null),
  contact: text,
  email: text,
});

export type Payment = z.infer<typeof Payment>;

export const Order = z.looseObject({
  id: z.string().startsWith('order_'),
  entity: z.literal('order'),
  status: z.string(),
  attempts: z.int().nullish(),
  amount: z.int().nonnegative().nullish().catch(null),
  currency: z.string().nullish().catch(null),
  receipt: z.string().nullish(),
});

export type Order = z.infer<typeof Order>;

export const Link = z.looseObject({
  id: z.string().startsWith('plink_'),
  status: z.string(),
  short_url: z.string().nullish(),
  reference_id: z.string().nullish(),
  expire_by: z.int().nullish(),
  /** The order made by the first try to pay. */
  order_id: z.string().startsWith('order_').nullish().catch(null),
  /** Captured payments only. */
  payments: z
    .array(z.looseObject({ payment_id: z.string().startsWith('pay_') }))
    .nullish()
    .catch(null),
});

export type Link = z.infer<typeof Link>;

export const Refund = z.looseObject({
  id: z.string().startsWith('rfnd_'),
  entity: z.literal('refund'),
  amount: z.int().nonnegative(),
  currency: z.string().length(3),
  status: z.string().nullish(),
  receipt: z.string().nullish(),
});

export type Refund = z.infer<typeof Refund>;

/** A started payment. `next`: the customer's or our next step, if any. */
export const StartedPayment = z.looseObject({
  razorpay_payment_id: z.string().startsWith('pay_'),
  next: z.array(z.looseObject({ action: z.string(), url: z.string().nullish() })).nullish(),
});

export type StartedPayment = z.infer<typeof StartedPayment>;

const Items = z.looseObject({ items: z.array(z.unknown()) });

const Links = z.looseObject({ payment_links: z.array(z.unknown()) });
