import * as z from 'zod';

/**
 * A plain string is a card token of Mollie Components (for `wallet`, an Apple Pay token); an object is a customer who
 * has agreed to be charged.
 */
export const MollieToken = z.union([
  z.string().min(1).max(20_000),
  z.strictObject({ customer: z.string().min(1).max(255), mandate: z.string().min(1).max(255).optional() }),
]);

export type MollieToken = z.infer<typeof MollieToken>;
