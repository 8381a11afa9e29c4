import type { Capabilities } from '#shared/domain/routing/connection.model.ts';

/** Our method → what Stripe may use for it. Apple Pay and Google Pay are cards there. */
export const METHOD_TYPES: Readonly<Record<string, readonly string[]>> = {
  card: ['card'],
  wallet: ['card', 'link'],
  ideal: ['ideal'],
  bancontact: ['bancontact'],
  sepa_debit: ['sepa_debit'],
  eps: ['eps'],
  p24: ['p24'],
  klarna: ['klarna'],
  alipay: ['alipay'],
};

/** What a charge can keep. iDEAL and Bancontact would leave a SEPA debit, which is another method. */
export const SAVED_METHODS: readonly string[] = ['card', 'wallet', 'sepa_debit'];

export const STRIPE_CAPABILITIES: Capabilities = {
  methods: Object.keys(METHOD_TYPES),
  currencies: 'all',
  countries: 'all',
  refunds: true,
  partial_refunds: true,
  cancel: true,
  off_session: true,
};
