import * as z from 'zod';

/** A stored card belongs to the address it was first paid with; a plain string is used with the payment's own. */
export const PaystackToken = z.union([
  z.string().min(1).max(255),
  z.strictObject({ authorization_code: z.string().min(1).max(255), email: z.string().min(3).max(254) }),
]);

export type PaystackToken = z.infer<typeof PaystackToken>;
