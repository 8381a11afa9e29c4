import * as z from 'zod';
import { MANDATE_TYPES } from '#shared/psp/mollie/capabilities.ts';

/**
 * A plain string is a card token of Mollie Components (for `wallet`, an Apple Pay token); an object is a customer who
 * has agreed to be charged.
 */
export const MollieToken = z.union([
  z.string().min(1).max(20_000),
  z.strictObject({ customer: z.string().min(1).max(255), mandate: z.string().min(1).max(255).optional() }),
]);

export type MollieToken = z.infer<typeof MollieToken>;

/** A customer's mandate can be charged repeatedly. A token from a browser or phone can be charged once. */
export function isReusableToken(input: unknown, method: string): boolean {
  const token = MollieToken.safeParse(input);
  return token.success && typeof token.data !== 'string' && Object.hasOwn(MANDATE_TYPES, method);
}
