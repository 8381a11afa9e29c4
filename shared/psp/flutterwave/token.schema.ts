import * as z from 'zod';

const CardToken = z.string().min(1).max(255);

/** A card token, alone or with the mail address it was made for, which may differ from the payment's. */
export const FlutterwaveToken = z.union([
  CardToken,
  z.strictObject({ token: CardToken, email: z.email().max(255).optional() }),
]);

export type FlutterwaveToken = z.infer<typeof FlutterwaveToken>;
