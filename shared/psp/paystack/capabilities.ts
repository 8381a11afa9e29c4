import type { Capabilities } from '#shared/domain/routing/connection.model.ts';

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

export const PAYSTACK_CAPABILITIES: Capabilities = {
  methods: Object.keys(METHOD_CHANNELS),
  currencies: ['NGN', 'GHS', 'ZAR', 'KES', 'USD'],
  countries: 'all',
  refunds: true,
  partial_refunds: true,
  cancel: false,
  off_session: true,
};
