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

/** An order's id looks like a vault id. But a payer approves an order for one payment only. */
const ORDER_ID = /^(?:EC-)?[0-9A-Z]{17}$/;

/** Every other token is a vault id, which can be charged repeatedly. */
export function isReusableToken(input: unknown): boolean {
  const token = PaypalToken.safeParse(input);
  return token.success && !ORDER_ID.test(typeof token.data === 'string' ? token.data : token.data.vault_id);
}
