import type { Capabilities } from '#shared/domain/routing/connection.model.ts';
import { MOLLIE_CURRENCIES } from '#shared/psp/mollie/money.rules.ts';

/**
 * Our method → what Mollie calls it. Methods that want order lines and an address (Klarna, Billie, Riverty …) are left
 * out: few payments have them, and a page would offer a method that cannot succeed.
 */
export const METHOD_TYPES: Readonly<Record<string, string | readonly string[]>> = {
  card: 'creditcard',
  wallet: ['applepay', 'paypal'],
  ideal: 'ideal',
  bancontact: 'bancontact',
  sepa_debit: 'directdebit',
  bank_transfer: 'banktransfer',
  paypal: 'paypal',
  eps: 'eps',
  p24: 'przelewy24',
  blik: 'blik',
  twint: 'twint',
  bizum: 'bizum',
  swish: 'swish',
  vipps: 'vipps',
  mobilepay: 'mobilepay',
  trustly: 'trustly',
  satispay: 'satispay',
  mybank: 'mybank',
  kbc: 'kbc',
  belfius: 'belfius',
  multibanco: 'multibanco',
  mbway: 'mbway',
  paysafecard: 'paysafecard',
};

/** Methods that can hold the money. Source: docs.mollie.com, place a hold for a payment (2026-11). */
export const CAPTURE_METHODS: readonly string[] = ['card', 'vipps', 'mobilepay'];

/**
 * Our method → what the mandate behind it is called at Mollie; null if it may be of several kinds, which only
 * the mandate itself tells. A method that is not here leaves no mandate. Methods of banks leave one for debits.
 */
export const MANDATE_TYPES: Readonly<Record<string, 'creditcard' | 'directdebit' | 'paypal' | null>> = {
  card: 'creditcard',
  wallet: null,
  sepa_debit: 'directdebit',
  ideal: 'directdebit',
  bancontact: 'directdebit',
  eps: 'directdebit',
  kbc: 'directdebit',
  belfius: 'directdebit',
  paypal: 'paypal',
};

/** A debit is charged under a mandate that was there before: only other methods' first payments make one. */
export const SAVED_METHODS: readonly string[] = Object.keys(MANDATE_TYPES).filter((method) => method !== 'sepa_debit');

export const MOLLIE_CAPABILITIES: Capabilities = {
  methods: Object.keys(METHOD_TYPES),
  currencies: MOLLIE_CURRENCIES,
  countries: 'all',
  refunds: true,
  partial_refunds: true,
  cancel: true,
  off_session: true,
};
