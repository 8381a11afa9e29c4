import { DAY } from '#shared/kernel/clock.ts';
import type { PspFacts } from '#shared/ports/psp.port.ts';
import { SAVED_METHODS, STRIPE_CAPABILITIES } from '#shared/psp/stripe/capabilities.ts';
import { supportsAmount } from '#shared/psp/stripe/money.rules.ts';
import { isReusableToken } from '#shared/psp/stripe/tokens.rules.ts';

/** What is known of Stripe without the code that calls it, which is loaded when a connection is opened. */
export const stripeFacts: PspFacts = {
  provider: 'stripe',
  baseUrls: { sandbox: 'https://api.stripe.com', live: 'https://api.stripe.com' },
  capabilities: STRIPE_CAPABILITIES,
  unknownOutcome: { resolveBy: 'repeat', keyLifetimeMs: DAY, refundKeyLifetimeMs: 180 * DAY },
  supportsAmount,
  isReusableToken,
  hasRefundList: true,
  savesMethods: SAVED_METHODS,
  // Stripe tells the end for cards: 7 days for most of them.
  manualCapture: {
    methods: ['card', 'wallet', 'klarna'],
    partial: true,
    multi: true,
    validityMs: 7 * DAY,
    repeatableMs: 60 * DAY,
  },
  disputes: {
    toldBy: 'callback',
    canAccept: true,
    evidenceFields: [
      'explanation',
      'product_description',
      'customer_name',
      'customer_email',
      'customer_ip',
      'billing_address',
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
