import { RazorpayToken } from '#shared/psp/razorpay/token.schema.ts';

/** Whose it is must be known: without that a token is charged only while its customer is there. */
export function keepsToken(given: unknown): boolean {
  const token = RazorpayToken.safeParse(given);
  return token.success && token.data.customer_id !== undefined;
}
