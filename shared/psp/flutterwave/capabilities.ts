import type { Capabilities } from '#shared/domain/routing/connection.model.ts';

/** Our method → what the hosted page offers for it; mobile money depends on the currency. */
export const PAGE_OPTIONS: Readonly<Record<string, string>> = {
  card: 'card',
  wallet: 'applepay, googlepay',
  bank_transfer: 'banktransfer',
  ussd: 'ussd',
};

/**
 * The exact list of an account is its contract's matter, and a connection may override this one. UNVERIFIED: of
 * currencies with more than two decimals none is listed, as how they are rounded is not documented.
 */
const CURRENCIES = 'CAD CDF EGP ETB EUR GBP GHS INR JPY KES MAD MWK NGN RWF SLE TZS UGX USD XAF XOF ZAR ZMW'.split(' ');

export const FLUTTERWAVE_CAPABILITIES: Capabilities = {
  methods: [...Object.keys(PAGE_OPTIONS), 'mobile_money'],
  currencies: CURRENCIES,
  countries: 'all',
  refunds: true,
  partial_refunds: true,
  cancel: false,
  off_session: true,
};
