import type { Capabilities } from '#shared/domain/routing/connection.model.ts';
import type { NetworkChoice } from '#shared/ports/psp.port.ts';
import { type Networks, networkCheck } from '#shared/psp/kit/networks.ts';

/** Our method → the channels that Paystack's page may offer for it. */
export const METHOD_CHANNELS: Readonly<Record<string, readonly string[]>> = {
  card: ['card'],
  mobile_money: ['mobile_money'],
  bank_transfer: ['bank_transfer'],
  bank: ['bank'],
  ussd: ['ussd'],
  qr: ['qr'],
  eft: ['eft'],
};

const GHANA: Networks = {
  mtn: [],
  vod: ['Vodafone', 'Voda', 'Telecel'],
  atl: ['AirtelTigo', 'Airtel', 'AT'],
  tgo: ['Tigo'],
};

/** A till (`mptill`) is paid by its account, which our orders lack. */
const KENYA: Networks = { mpesa: ['Safaricom'], mpesa_offline: [], atl: ['Airtel'] };

/**
 * The operators of mobile money, by currency. Sources, read 2026-11: Paystack's samples of mobile money (`mtn` and
 * `MTN`, `mpesa_offline`), and others' lists of its codes, as Paystack gives them only by a call.
 */
export const MOBILE_MONEY: Readonly<Record<string, Networks>> = { GHS: GHANA, KES: KENYA };

export const ANY_MOBILE_MONEY: Networks = { ...KENYA, ...GHANA, orange: [], wave: [] };

/** The bank of a USSD code. The whole list of Paystack's OpenAPI file, read 2026-11. */
export const USSD_BANKS: Networks = {
  '737': ['GTBank', 'GTB', 'Guaranty Trust Bank'],
  '919': ['UBA', 'United Bank for Africa'],
  '822': ['Sterling', 'Sterling Bank'],
  '966': ['Zenith', 'Zenith Bank'],
};

/** Paystack documents one name of each, and no list: other names are passed on. */
export const SAMPLE_NETWORKS: Readonly<Record<string, Networks>> = { qr: { 'scan-to-pay': [] }, eft: { ozow: [] } };

export const PAYSTACK_CAPABILITIES: Capabilities = {
  methods: Object.keys(METHOD_CHANNELS),
  currencies: ['NGN', 'GHS', 'ZAR', 'KES', 'USD'],
  countries: 'all',
  refunds: true,
  partial_refunds: true,
  cancel: false,
  off_session: true,
};

/** The networks that Paystack has for a method; undefined where it has no list. */
export function networksOf({ method, currency }: Pick<NetworkChoice, 'method' | 'currency'>): Networks | undefined {
  if (method === 'mobile_money') return MOBILE_MONEY[currency] ?? ANY_MOBILE_MONEY;
  return method === 'ussd' ? USSD_BANKS : undefined;
}

export const networksToChooseFrom = networkCheck(networksOf);
