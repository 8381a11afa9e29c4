import * as z from 'zod';

const text = z.string().min(1).max(255);

/**
 * A saved method (`token_…`), alone or with what Razorpay needs beside it: its customer, required off-session, and how
 * to reach them, where the payment itself does not say.
 */
export const RazorpayToken = z.union([
  text.transform((token) => ({ token, customer_id: undefined, contact: undefined, email: undefined })),
  z.strictObject({ token: text, customer_id: text.optional(), contact: text.optional(), email: text.optional() }),
]);

export type RazorpayToken = z.infer<typeof RazorpayToken>;

/** Without its customer a token can be charged on-session only. */
export function isReusableToken(input: unknown): boolean {
  const token = RazorpayToken.safeParse(input);
  return token.success && token.data.customer_id !== undefined;
}
