import * as z from 'zod';

const vault_id = z
  .string()
  .max(255)
  .regex(/^[0-9a-zA-Z_-]+$/);

/** A saved payment method: a card where the method is `card`, a PayPal account elsewhere, or what `source` says. */
export const PaypalToken = z.union([
  vault_id,
  z.strictObject({ vault_id, source: z.enum(['card', 'paypal']).optional() }),
]);

export type PaypalToken = z.infer<typeof PaypalToken>;
