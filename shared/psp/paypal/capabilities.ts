import type { Capabilities } from '#shared/domain/connection.model.ts';

/** Other methods of PayPal (iDEAL, Bancontact, EPS …) want the payer's name, which an order of ours does not have. */
export const PAYPAL_CAPABILITIES: Capabilities = {
  methods: ['card', 'wallet'],
  // Not verified against a live account; a connection may say otherwise, and PayPal refuses what it does not take.
  currencies: 'AUD BRL CAD CHF CNY CZK DKK EUR GBP HKD HUF ILS JPY MXN MYR NOK NZD PHP PLN SEK SGD THB TWD USD'.split(' '),
  countries: 'all',
  refunds: true,
  partial_refunds: true,
  cancel: true,
  off_session: true,
};
