import * as z from 'zod';

/**
 * `token` as an object: the saved method with what Stripe wants beside it. A plain string is a payment method, or with
 * `ctoken_` a confirmation token.
 */
export const StripeToken = z.union([
  z.string().min(1).max(255),
  z.strictObject({
    payment_method: z.string().min(1).max(255),
    customer: z.string().max(255).optional(),
    mandate: z.string().max(255).optional(),
  }),
  z.strictObject({ confirmation_token: z.string().min(1).max(255), customer: z.string().max(255).optional() }),
]);

export type StripeToken = z.infer<typeof StripeToken>;
