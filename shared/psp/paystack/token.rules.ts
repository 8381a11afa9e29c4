import type { PspAdapter } from '#shared/ports/psp.port.ts';
import { PaystackToken } from '#shared/psp/paystack/token.schema.ts';

/** Methods with reusable authorizations: cards, and accounts whose holder agreed to direct debits. */
const REUSABLE: ReadonlySet<string> = new Set(['card', 'bank']);

/** A bare account is not: its bank asks the customer each time. */
export const keepsToken: PspAdapter['keepsToken'] = (given, method) => {
  const { data: token } = PaystackToken.safeParse(given);
  if (token === undefined || !REUSABLE.has(method)) return false;
  return typeof token === 'string' || 'authorization_code' in token;
};
