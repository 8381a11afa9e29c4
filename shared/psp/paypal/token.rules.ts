import { PaypalToken } from '#shared/psp/paypal/token.schema.ts';

/** An order's id, which a payer approves for one payment, fits the pattern of the vault's, and is none of them. */
const ORDER_ID = /^(?:EC-)?[0-9A-Z]{17}$/;

/** Every token is of the vault, to be charged again and again. */
export function keepsToken(given: unknown): boolean {
  const token = PaypalToken.safeParse(given);
  return token.success && !ORDER_ID.test(typeof token.data === 'string' ? token.data : token.data.vault_id);
}
