import { DAY, HOUR } from '#shared/kernel/clock.ts';
import type { PspFacts } from '#shared/ports/psp.port.ts';
import { PAYPAL_CAPABILITIES, SAVED_METHODS } from '#shared/psp/paypal/capabilities.ts';
import { supportsAmount } from '#shared/psp/paypal/money.rules.ts';
import { isReusableToken } from '#shared/psp/paypal/tokens.rules.ts';

/** What is known of PayPal without the code that calls it, which is loaded when a connection is opened. */
export const paypalFacts: PspFacts = {
  provider: 'paypal',
  baseUrls: { sandbox: 'https://api-m.sandbox.paypal.com', live: 'https://api-m.paypal.com' },
  capabilities: PAYPAL_CAPABILITIES,
  unknownOutcome: { resolveBy: 'repeat', keyLifetimeMs: 6 * HOUR, refundKeyLifetimeMs: 45 * DAY },
  webhookSecretOrigin: 'public',
  // PayPal tells the end. It vouches for the money for 3 days only.
  manualCapture: {
    methods: ['card', 'wallet'],
    partial: true,
    multi: true,
    validityMs: 29 * DAY,
    repeatableMs: 40 * DAY,
  },
  savesMethods: SAVED_METHODS,
  supportsAmount,
  isReusableToken,
  readReturn: ({ token }) => (token ? {} : undefined),
  hasRefundList: true,
  disputes: {
    toldBy: 'callback',
    canAccept: true,
    evidenceFields: [
      'explanation',
      'product_description',
      'shipping_carrier',
      'tracking_number',
      'shipping_address',
      'refund_policy',
      'refund_refusal',
      'access_log',
    ],
  },
  transactionListLagMs: 3 * HOUR,
};
