import * as z from 'zod';

/** What is read of Razorpay's objects, and no more: the API is not versioned and adds fields as it likes. */
export const RazorpayFault = z.looseObject({
  code: z.string(),
  description: z.string().nullish(),
  reason: z.string().nullish(),
  source: z.string().nullish(),
  field: z.string().nullish().catch(null),
  /** `[]` where it is empty. */
  metadata: z.looseObject({ payment_id: z.string().optional() }).nullish().catch(null),
});
export type RazorpayFault = z.infer<typeof RazorpayFault>;

export const ErrorReply = z.looseObject({ error: RazorpayFault });

export const Payment = z.looseObject({
  id: z.string().startsWith('pay_'),
  entity: z.literal('payment'),
  amount: z.int().nonnegative(),
  currency: z.string().length(3),
  status: z.string(),
  captured: z.boolean().nullish(),
  created_at: z.int().nullish(),
  error_reason: z.string().nullish(),
  error_source: z.string().nullish(),
});
export type Payment = z.infer<typeof Payment>;

export const Order = z.looseObject({
  id: z.string().startsWith('order_'),
  entity: z.literal('order'),
  status: z.string(),
  attempts: z.int().nullish(),
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
export const Begun = z.looseObject({
  razorpay_payment_id: z.string().startsWith('pay_'),
  next: z.array(z.looseObject({ action: z.string(), url: z.string().nullish() })).nullish(),
});
export type Begun = z.infer<typeof Begun>;

export const Items = z.looseObject({ items: z.array(z.unknown()) });
export const Links = z.looseObject({ payment_links: z.array(z.unknown()) });
