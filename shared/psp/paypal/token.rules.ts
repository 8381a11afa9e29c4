import { PaypalToken } from '#shared/psp/paypal/token.schema.ts';

/** An order's id matches the pattern of vault ids, and is none: a payer approves it for one payment. */
const ORDER_ID = /^(?:EC-)?[0-9A-Z]{17}$/;

/** Every token is of the vault, to be charged again and again. */
export function keepsToken(given: unknown): boolean {
  const token = PaypalToken.safeParse(given);
  return token.success && !ORDER_ID.test(typeof token.data === 'string' ? token.data : token.data.vault_id);
}
