import type { Capabilities } from '#shared/domain/routing/connection.model.ts';

/** PayPal keeps an account that was used on its page. Cards are kept where a shop takes them, which is not here. */
export const SAVED_METHODS: readonly string[] = ['wallet'];

/** PayPal's other methods (iDEAL, Bancontact, EPS …) need the payer's name, which our orders lack. */
export const PAYPAL_CAPABILITIES: Capabilities = {
  methods: ['card', 'wallet'],
  // Not verified against a live account; a connection may override it, and PayPal refuses what it does not support.
  currencies: 'AUD BRL CAD CHF CNY CZK DKK EUR GBP HKD HUF ILS JPY MXN MYR NOK NZD PHP PLN SEK SGD THB TWD USD'.split(
    ' ',
  ),
  countries: 'all',
  refunds: true,
  partial_refunds: true,
  cancel: true,
  off_session: true,
};
