import type { PspAdapter } from '#shared/ports/psp.port.ts';
import { CheckoutToken } from '#shared/psp/checkout/token.schema.ts';

const KEPT: ReadonlySet<string> = new Set(['card', 'wallet', 'sepa_debit']);

/** A token of the browser's library pays once. */
export const isOfBrowser = (token: string): boolean => token.startsWith('tok_');

export const keepsToken: PspAdapter['keepsToken'] = (given, method) => {
  const { data: token } = CheckoutToken.safeParse(given);
  if (token === undefined || !KEPT.has(method)) return false;
  if (typeof token !== 'string' && !('id' in token)) return false;
  return !isOfBrowser(typeof token === 'string' ? token : token.id);
};
