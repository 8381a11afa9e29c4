import type { Capabilities } from '#shared/domain/connection.model.ts';

/** Our method → what Adyen may show for it on its page. */
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

/** Methods that need nothing of the customer before their own page: sent there at once, without a page of Adyen's in between. */
export const DIRECT_TYPES: Readonly<Record<string, string>> = { ideal: 'ideal', alipay: 'alipay' };

export const ADYEN_CAPABILITIES: Capabilities = {
  methods: Object.keys(METHOD_TYPES),
  currencies: 'all',
  countries: 'all',
  refunds: true,
  partial_refunds: true,
  cancel: true,
  off_session: true,
};
