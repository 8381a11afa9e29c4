import type { Capabilities } from '#shared/domain/routing/connection.model.ts';

/** Our method → the types that Adyen's page may offer for it. */
export const METHOD_TYPES: Readonly<Record<string, readonly string[]>> = {
  card: ['scheme'],
  wallet: ['applepay', 'googlepay'],
  ideal: ['ideal'],
  bancontact: ['bcmc', 'bcmc_mobile'],
  sepa_debit: ['sepadirectdebit'],
  eps: ['eps'],
  p24: ['onlineBanking_PL'],
  klarna: ['klarna', 'klarna_account', 'klarna_paynow'],
  alipay: ['alipay'],
  blik: ['blik'],
};

/** Methods that need no input before their own page: redirected at once, without a page of Adyen's. */
export const DIRECT_TYPES: Readonly<Record<string, string>> = { ideal: 'ideal', alipay: 'alipay' };

/** Methods that Adyen keeps for their shopper. */
export const SAVED_METHODS: readonly string[] = ['card', 'wallet', 'sepa_debit'];

export const ADYEN_CAPABILITIES: Capabilities = {
  methods: Object.keys(METHOD_TYPES),
  currencies: 'all',
  countries: 'all',
  refunds: true,
  partial_refunds: true,
  cancel: true,
  off_session: true,
};
