import { declineCodeIn } from '#lib/simulators/kit/behaviour.ts';
import { knownDecline, type MollieDecline, requestedDecline } from '#lib/simulators/mollie/declines.ts';

/** How a payment method behaves. `decline` comes at once, or after the authentication if that is required. */
export type TestMethod = {
  readonly authenticate: boolean;
  readonly ends: 'paid' | 'pending' | 'authorized';
  readonly decline: MollieDecline | null;
};

const PAID_AT_ONCE: TestMethod = { authenticate: false, ends: 'paid', decline: null };

/** The test tokens that every simulator accepts, and `authorized` for a method that only holds the money. */
function testToken(token: string): TestMethod | undefined {
  if (token === 'ok') return PAID_AT_ONCE;
  if (token === 'needs_3ds') return { ...PAID_AT_ONCE, authenticate: true };
  if (token === 'pending' || token === 'authorized') return { ...PAID_AT_ONCE, ends: token };
  const failure = declineCodeIn(token);
  const decline = failure ? knownDecline(failure) : requestedDecline(token);
  return decline && { ...PAID_AT_ONCE, decline };
}

/** Undefined for an unknown token. Mollie documents no test tokens: any in its format is a valid card. */
export const cardOfToken = (token: string): TestMethod | undefined =>
  testToken(token) ?? (/^tkn_\w+$/.test(token) ? PAID_AT_ONCE : undefined);

/** An Apple Pay token is a JSON object. */
export const applePayOfToken = (token: string): TestMethod | undefined =>
  testToken(token) ?? (token.startsWith('{') ? PAID_AT_ONCE : undefined);

/** Any id in Mollie's format, and any test token, is a customer. */
export const isKnownCustomer = (customer: string): boolean =>
  testToken(customer) !== undefined || /^cst_\w+$/.test(customer);

/** A direct debit under a mandate is pending for days. */
export const mandateInstrument = (
  customer: string,
  mandate: string | null,
  method: string | null,
): TestMethod | undefined =>
  testToken(mandate ?? customer) ??
  (/^cst_\w+$/.test(customer) && (mandate === null || /^mdt_\w+$/.test(mandate))
    ? { ...PAID_AT_ONCE, ends: method === 'directdebit' ? 'pending' : 'paid' }
    : undefined);

/** A mandate that its customer revoked. */
export const isRevokedMandate = (mandate: string | null): boolean => mandate === 'mdt_revoked';
