import * as z from 'zod';
import type { PspFacts } from '#shared/ports/psp.port.ts';

/**
 * `token` as an object: the saved method with what Stripe wants beside it. A plain string is a payment method, or with
 * `ctoken_` a confirmation token.
 */
export const StripeToken = z.union([
  z.string().min(1).max(255),
  z.strictObject({
    payment_method: z.string().min(1).max(255),
    customer: z.string().max(255).optional(),
    mandate: z.string().max(255).optional(),
  }),
  z.strictObject({ confirmation_token: z.string().min(1).max(255), customer: z.string().max(255).optional() }),
]);

export type StripeToken = z.infer<typeof StripeToken>;

/** The customer whose method the token is, if it names one. */
export function customerOfToken(token: unknown): string | undefined {
  const { data } = StripeToken.safeParse(token);
  return typeof data === 'object' && data.customer ? data.customer : undefined;
}

/** Methods that pay once. iDEAL and Bancontact leave a SEPA debit, which is charged as `sepa_debit`. */
const SINGLE_USE_METHODS: ReadonlySet<string> = new Set(['ideal', 'bancontact', 'eps', 'p24']);

/** Ids that pay once, or that need their customer. Stripe's test methods are exempt. */
const SINGLE_USE_TOKEN = /^(?!pm_card_)(pm|card|src|ba|tok|ctoken)_/;

export const isReusableToken: PspFacts['isReusableToken'] = (input, method) => {
  const { data: token } = StripeToken.safeParse(input);
  if (token === undefined || SINGLE_USE_METHODS.has(method)) return false;
  if (typeof token === 'string') return !SINGLE_USE_TOKEN.test(token);
  return 'payment_method' in token && (Boolean(token.customer) || !SINGLE_USE_TOKEN.test(token.payment_method));
};
