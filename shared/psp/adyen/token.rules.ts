import type { PspAdapter } from '#shared/ports/psp.port.ts';
import { AdyenToken } from '#shared/psp/adyen/token.schema.ts';

/** Methods charged by saved details; a saved iDEAL is a SEPA debit, and charged as one. */
const KEPT: ReadonlySet<string> = new Set(['card', 'wallet', 'sepa_debit']);

/** Adyen's own ids, in capitals, need the shopper they belong to; a simulator's words don't. */
const WORD = /^[a-z0-9_]+$/;

export const keepsToken: PspAdapter['keepsToken'] = (given, method) => {
  const { data: token } = AdyenToken.safeParse(given);
  if (!token || !KEPT.has(method) || !('storedPaymentMethodId' in token)) return false;
  return token.shopperReference !== undefined || WORD.test(token.storedPaymentMethodId);
};
