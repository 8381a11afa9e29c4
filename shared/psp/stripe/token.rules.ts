import type { PspAdapter } from '#shared/ports/psp.port.ts';
import { StripeToken } from '#shared/psp/stripe/token.schema.ts';

/** Methods that pay once; iDEAL and Bancontact leave a SEPA debit, which is charged as one. */
const PAY_ONCE: ReadonlySet<string> = new Set(['ideal', 'bancontact', 'eps', 'p24']);

/** Stripe ids that pay once, or need their customer; its test methods are exempt. */
const ALONE = /^(?!pm_card_)(pm|card|src|ba|tok|ctoken)_/;

export const keepsToken: PspAdapter['keepsToken'] = (given, method) => {
  const { data: token } = StripeToken.safeParse(given);
  if (token === undefined || PAY_ONCE.has(method)) return false;
  if (typeof token === 'string') return !ALONE.test(token);
  return 'payment_method' in token && (Boolean(token.customer) || !ALONE.test(token.payment_method));
};
