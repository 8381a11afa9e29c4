import { RazorpayToken } from '#shared/psp/razorpay/token.schema.ts';

/** Its customer must be known: without one a token is charged on-session only. */
export function keepsToken(given: unknown): boolean {
  const token = RazorpayToken.safeParse(given);
  return token.success && token.data.customer_id !== undefined;
}
