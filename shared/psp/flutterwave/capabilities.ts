import type { Capabilities } from '#shared/domain/routing/connection.model.ts';

/** Our method → what the hosted page offers for it; mobile money depends on the currency. */
export const PAGE_OPTIONS: Readonly<Record<string, string>> = {
  card: 'card',
  wallet: 'applepay, googlepay',
  bank_transfer: 'banktransfer',
  ussd: 'ussd',
};

/**
 * The exact list depends on the account's contract, and a connection may override this one. UNVERIFIED: how currencies
 * with more than two decimals are rounded, so none is listed.
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

/** How a phone is charged, by currency. `networks`: what customers call a network → Flutterwave's name. */
type MobileMoney = {
  readonly type: string;
  readonly page: string;
  readonly networks?: Readonly<Record<string, string>>;
  readonly needsCountry?: true;
};

const FRANCOPHONE: MobileMoney = { type: 'mobile_money_franco', page: 'mobilemoneyfranco', needsCountry: true };

export const MOBILE_MONEY: Readonly<Record<string, MobileMoney>> = {
  GHS: {
    type: 'mobile_money_ghana',
    page: 'mobilemoneyghana',
    networks: { MTN: 'MTN', VODAFONE: 'VODAFONE', TELECEL: 'VODAFONE', TIGO: 'TIGO', AIRTELTIGO: 'TIGO' },
  },
  UGX: { type: 'mobile_money_uganda', page: 'mobilemoneyuganda' },
  RWF: { type: 'mobile_money_rwanda', page: 'mobilemoneyrwanda' },
  ZMW: { type: 'mobile_money_zambia', page: 'mobilemoneyzambia' },
  TZS: { type: 'mobile_money_tanzania', page: 'mobilemoneytanzania' },
  KES: { type: 'mpesa', page: 'mpesa' },
  XAF: FRANCOPHONE,
  XOF: FRANCOPHONE,
};
