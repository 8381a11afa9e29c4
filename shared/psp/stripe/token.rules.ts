import type { PspAdapter } from '#shared/ports/psp.port.ts';
import { StripeToken } from '#shared/psp/stripe/token.schema.ts';

/** What pays once, whatever it is saved as: iDEAL and Bancontact leave a SEPA debit, which is charged by that name. */
const PAY_ONCE: ReadonlySet<string> = new Set(['ideal', 'bancontact', 'eps', 'p24']);

/** Ids of Stripe's that are good for a single charge, or are refused where their customer isn't named; its test methods are not. */
const ALONE = /^(?!pm_card_)(pm|card|src|ba|tok|ctoken)_/;

export const keepsToken: PspAdapter['keepsToken'] = (given, method) => {
  const { data: token } = StripeToken.safeParse(given);
  if (token === undefined || PAY_ONCE.has(method)) return false;
  if (typeof token === 'string') return !ALONE.test(token);
  return 'payment_method' in token && (Boolean(token.customer) || !ALONE.test(token.payment_method));
};
