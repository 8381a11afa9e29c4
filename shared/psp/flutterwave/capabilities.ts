import type { Capabilities } from '#shared/domain/routing/connection.model.ts';
import { type Networks, networkCheck } from '#shared/psp/kit/networks.ts';

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

/** How a phone is charged, by currency. */
type MobileMoney = {
  readonly type: string;
  readonly page: string;
  readonly networks: Networks;
  readonly needsNetwork?: true;
  readonly needsCountry?: true;
};

const FRANCOPHONE = { type: 'mobile_money_franco', page: 'mobilemoneyfranco', needsCountry: true } as const;
const ORANGE = { ORANGEMONEY: ['Orange', 'OM'] } as const;
const AIRTEL = { AIRTEL: [] } as const;

/**
 * Sources of the networks: Flutterwave/Node-v3, services/schema/create.js of 2026-06, and Flutterwave's pages of
 * 2026-10 for Moov and Free. For Ghana the page of the charge has TIGO where the library has AIRTELTIGO.
 */
export const MOBILE_MONEY: Readonly<Record<string, MobileMoney>> = {
  GHS: {
    type: 'mobile_money_ghana',
    page: 'mobilemoneyghana',
    networks: { MTN: [], VODAFONE: ['Vod', 'Voda', 'Telecel'], TIGO: ['AirtelTigo', 'Airtel', 'AT', 'ATL'] },
    needsNetwork: true,
  },
  UGX: { type: 'mobile_money_uganda', page: 'mobilemoneyuganda', networks: { MTN: [], ...AIRTEL } },
  RWF: { type: 'mobile_money_rwanda', page: 'mobilemoneyrwanda', networks: { MTN: [], ...AIRTEL } },
  ZMW: {
    type: 'mobile_money_zambia',
    page: 'mobilemoneyzambia',
    networks: { MTN: [], ...AIRTEL, ZAMTEL: ['Zamtel Kwacha'] },
  },
  TZS: {
    type: 'mobile_money_tanzania',
    page: 'mobilemoneytanzania',
    networks: {
      HALOPESA: ['Halotel'],
      ...AIRTEL,
      TIGO: ['Tigo Pesa', 'Mixx by Yas', 'Mixx', 'Yas'],
      VODACOM: ['M-Pesa', 'Vodacom M-Pesa', 'Voda'],
    },
  },
  KES: { type: 'mpesa', page: 'mpesa', networks: { SAFARICOM: ['M-Pesa', 'Safaricom M-Pesa', 'Saf'], ...AIRTEL } },
  XAF: { ...FRANCOPHONE, networks: { MTN: [], ...ORANGE } },
  XOF: { ...FRANCOPHONE, networks: { WAVE: [], MTN: [], ...ORANGE, MOOV: ['Moov Africa', 'Flooz'], FREE: [] } },
};

export const networksToChooseFrom = networkCheck(({ method, currency }) =>
  method === 'mobile_money' ? MOBILE_MONEY[currency]?.networks : undefined,
);

/**
 * A charge's reference is its transaction's number. Until that is known it is the `tx_ref`: plain for a hosted page,
 * which a declined try does not end, and `tx:…` for a single charge whose response had no number.
 */
export const DIRECT_PREFIX = 'tx:';

export const directReference = (txRef: string): string => `${DIRECT_PREFIX}${txRef}`;

export const earlyReferences = (attemptId: string): readonly string[] => [attemptId, directReference(attemptId)];
