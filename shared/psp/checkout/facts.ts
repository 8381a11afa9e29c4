import { DAY } from '#shared/kernel/clock.ts';
import type { PspFacts } from '#shared/ports/psp.port.ts';
import { CHECKOUT_CAPABILITIES } from '#shared/psp/checkout/capabilities.ts';
import { supportsAmount } from '#shared/psp/checkout/money.rules.ts';
import { isReusableToken } from '#shared/psp/checkout/tokens.rules.ts';

/** What is known of Checkout.com without the code that calls it, which is loaded when a connection is opened. */
export const checkoutFacts: PspFacts = {
  provider: 'checkout',
  baseUrls: { sandbox: 'https://{prefix}.api.sandbox.checkout.com', live: 'https://{prefix}.api.checkout.com' },
  capabilities: CHECKOUT_CAPABILITIES,
  unknownOutcome: { resolveBy: 'find', ifNotFound: 'send_again', keyLifetimeMs: DAY, refundKeyLifetimeMs: 180 * DAY },
  webhookSecretOrigin: 'merchant',
  // UNVERIFIED for other schemes than cards': 7 days.
  manualCapture: {
    methods: ['card', 'wallet'],
    partial: true,
    multi: true,
    validityMs: 7 * DAY,
    repeatableMs: 60 * DAY,
  },
  supportsAmount,
  isReusableToken,
  hasRefundList: true,
  savesMethods: ['card', 'wallet'],
  disputes: {
    toldBy: 'callback',
    canAccept: true,
    evidenceFields: [
      'explanation',
      'product_description',
      'shipping_address',
      'shipping_carrier',
      'tracking_number',
      'shipping_date',
      'service_date',
      'refund_policy',
      'refund_refusal',
      'cancellation_policy',
      'cancellation_refusal',
      'access_log',
      'duplicate_explanation',
    ],
  },
};
