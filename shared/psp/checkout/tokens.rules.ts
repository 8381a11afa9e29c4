import * as z from 'zod';
import type { PspFacts } from '#shared/ports/psp.port.ts';

const id = z.string().min(1).max(255);

/** The customer's choice on a card of two schemes, which the law leaves to him. */
const PREFERRED_SCHEMES = ['visa', 'mastercard', 'cartes_bancaires'] as const;

/**
 * `token` as an object: a token as the browser's library hands it out, with the card's description beside it; or a
 * saved instrument, for later charges with the payment that the customer was present at. A plain string is an
 * instrument, or with `tok_` a token.
 */
export const CheckoutToken = z.union([
  id,
  z.object({ token: id, preferred_scheme: z.enum(PREFERRED_SCHEMES).optional().catch(undefined) }),
  z.strictObject({ id, previous_payment_id: id.optional() }),
]);

export type CheckoutToken = z.infer<typeof CheckoutToken>;

const REUSABLE_METHODS: ReadonlySet<string> = new Set(['card', 'wallet', 'sepa_debit']);

/** A token from the browser pays once. */
export const isSingleUse = (token: string): boolean => token.startsWith('tok_');

export const isReusableToken: PspFacts['isReusableToken'] = (parsed, method) => {
  const { data: token } = CheckoutToken.safeParse(parsed);
  if (token === undefined || !REUSABLE_METHODS.has(method)) return false;
  if (typeof token !== 'string' && !('id' in token)) return false;
  return !isSingleUse(typeof token === 'string' ? token : token.id);
};
