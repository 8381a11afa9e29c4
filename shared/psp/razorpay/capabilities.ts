import type { Capabilities } from '#shared/domain/routing/connection.model.ts';
import { DAY } from '#shared/kernel/clock.ts';
import { type Networks, networkCheck } from '#shared/psp/kit/networks.ts';

/** The methods that Razorpay's pages can show or hide. Razorpay uses the same names as we do. */
export const METHODS = ['card', 'netbanking', 'upi', 'wallet'] as const;

/**
 * How long a payment may stay uncaptured before Razorpay gives it back. In India an order may ask for up to five days,
 * and elsewhere it is three, so we ask for three.
 */
export const HOLD_MS = 3 * DAY;

export const RAZORPAY_CAPABILITIES: Capabilities = {
  methods: METHODS,
  currencies: 'all',
  countries: 'all',
  refunds: true,
  partial_refunds: true,
  cancel: true,
  off_session: true,
};

/**
 * Razorpay's codes of wallets, with other names that people write for them. Sources: payments/payment-methods/wallets.md
 * and the pages of the Malaysian ones in Razorpay's documents (2026-11).
 */
export const WALLETS: Networks = {
  airtelmoney: ['Airtel'],
  amazonpay: ['Amazon'],
  bajajpay: ['Bajaj', 'Bajaj Finserv'],
  boost: [],
  freecharge: [],
  grabpay: ['Grab'],
  jiomoney: ['Jio'],
  mcash: [],
  mobikwik: [],
  olamoney: ['Ola'],
  paypal: [],
  paytm: [],
  payzapp: [],
  phonepe: [],
  phonepeswitch: [],
  shopback: ['ShopBack Pay'],
  touchngo: ['TNG', "Touch 'n Go eWallet"],
};

/** Codes of banks are written in capitals: four letters, perhaps with another one for a kind of account. */
export const bankCode = (name: string): string => name.trim().toUpperCase();

export const networksToChooseFrom = networkCheck(({ method }) => (method === 'wallet' ? WALLETS : undefined));
