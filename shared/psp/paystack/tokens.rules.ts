import * as z from 'zod';
import type { PspFacts } from '#shared/ports/psp.port.ts';

/** A stored card belongs to the address it was first paid with; a plain string is used with the payment's own. */
const StoredCard = z.union([
  z.string().min(1).max(255),
  z.strictObject({ authorization_code: z.string().min(1).max(255), email: z.string().min(3).max(254) }),
]);

/** An account that is charged directly: its bank asks the customer for one detail after another. */
const BankAccount = z.strictObject({
  bank_code: z.string().regex(/^[0-9A-Za-z]{3,10}$/),
  account_number: z.string().regex(/^\d{10}$/),
});

export const PaystackToken = z.union([StoredCard, BankAccount]);

export type PaystackToken = z.infer<typeof PaystackToken>;

/** Methods with reusable authorizations: cards, and accounts whose holder agreed to direct debits. */
const REUSABLE_METHODS: ReadonlySet<string> = new Set(['card', 'bank']);

/** A bank account is not reusable: its bank asks the customer each time. */
export const isReusableToken: PspFacts['isReusableToken'] = (input, method) => {
  const { data: token } = PaystackToken.safeParse(input);
  if (token === undefined || !REUSABLE_METHODS.has(method)) return false;
  return typeof token === 'string' || 'authorization_code' in token;
};
