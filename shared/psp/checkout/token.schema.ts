import * as z from 'zod';

const id = z.string().min(1).max(255);

/**
 * `token` as an object: a saved instrument, for later charges with the payment that the customer was present at. A
 * plain string is an instrument, or with `tok_` a token.
 */
export const CheckoutToken = z.union([
  id,
  z.strictObject({ token: id }),
  z.strictObject({ id, previous_payment_id: id.optional() }),
]);

export type CheckoutToken = z.infer<typeof CheckoutToken>;
