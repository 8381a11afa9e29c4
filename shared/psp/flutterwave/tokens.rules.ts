import * as z from 'zod';
import { isEmail } from '#shared/domain/reference/email.rules.ts';
import type { PspFacts } from '#shared/ports/psp.port.ts';

const CardToken = z.string().min(1).max(255);

const described = z.union([z.string().max(100), z.int()]).nullish();

/** What a look-up says of a paid card beside its token. It is not passed on. */
const CardDescription = {
  first_6digits: described,
  last_4digits: described,
  issuer: described,
  country: described,
  type: described,
  expiry: described,
};

/**
 * A card token, alone or with the mail address it was made for, which may differ from the payment's; or the `card` of a
 * look-up as it is.
 */
export const FlutterwaveToken = z.union([
  CardToken,
  z
    .strictObject({ token: CardToken, email: z.string().max(255).refine(isEmail).optional(), ...CardDescription })
    .transform(({ token, email }) => ({ token, ...(email !== undefined && { email }) })),
]);

export type FlutterwaveToken = z.infer<typeof FlutterwaveToken>;

/** Flutterwave's tokens are card tokens. Each can be charged again for a year. */
export const isReusableToken: PspFacts['isReusableToken'] = (token, method) =>
  method === 'card' && FlutterwaveToken.safeParse(token).success;
