import { declineAsked } from '#lib/simulators/frame/test-tokens.ts';
import { knownDecline, type MollieDecline } from '#lib/simulators/mollie/declines.ts';

/**
 * How what the customer pays with behaves. `decline` is what comes at once, or after authentication where that is
 * asked.
 */
export type Instrument = {
  readonly authenticate: boolean;
  readonly ends: 'paid' | 'pending' | 'authorized';
  readonly decline: MollieDecline | null;
};

const PLAIN: Instrument = { authenticate: false, ends: 'paid', decline: null };

/** The tokens that every simulator of this host takes, and one for a method that only authorizes. */
function common(token: string): Instrument | undefined {
  if (token === 'ok') return PLAIN;
  if (token === 'needs_3ds') return { ...PLAIN, authenticate: true };
  if (token === 'pending' || token === 'authorized') return { ...PLAIN, ends: token };
  const failure = declineAsked(token);
  const decline = failure && knownDecline(failure);
  return decline && { ...PLAIN, decline };
}

/**
 * Undefined where there is no such token. Mollie publishes no card tokens for tests: any that looks like one is a good
 * card.
 */
export const tokenised = (token: string): Instrument | undefined =>
  common(token) ?? (/^tkn_\w+$/.test(token) ? PLAIN : undefined);

/** An Apple Pay token is the JSON that the phone made. */
export const applePay = (token: string): Instrument | undefined =>
  common(token) ?? (token.startsWith('{') ? PLAIN : undefined);

/** Any customer of Mollie's own form is one, and the tokens of this host are. */
export const isCustomer = (customer: string): boolean => common(customer) !== undefined || /^cst_\w+$/.test(customer);

/** A debit under a mandate is a matter of days. */
export const mandated = (customer: string, mandate: string | null, method: string | null): Instrument | undefined =>
  common(mandate ?? customer) ??
  (/^cst_\w+$/.test(customer) && (mandate === null || /^mdt_\w+$/.test(mandate))
    ? { ...PLAIN, ends: method === 'directdebit' ? 'pending' : 'paid' }
    : undefined);

/** One that its customer took back. */
export const isRevoked = (mandate: string | null): boolean => mandate === 'mdt_revoked';
