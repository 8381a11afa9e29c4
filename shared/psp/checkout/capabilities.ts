import type { Capabilities } from '#shared/domain/routing/connection.model.ts';

/**
 * Our method → the methods that the hosted page offers. For a method that is not listed, the page offers every method
 * of the merchant account.
 */
export const PAGE_METHODS: Readonly<Record<string, readonly string[]>> = {
  card: ['card'],
  wallet: ['applepay', 'googlepay'],
  ideal: ['ideal'],
  bancontact: ['bancontact'],
  sepa_debit: ['sepa'],
  eps: ['eps'],
  p24: ['p24'],
  knet: ['knet'],
  alipay: ['alipay_cn', 'alipay_hk'],
};

export const CHECKOUT_CAPABILITIES: Capabilities = {
  methods: Object.keys(PAGE_METHODS),
  currencies: 'all',
  countries: 'all',
  refunds: true,
  partial_refunds: true,
  cancel: true,
  off_session: true,
};
