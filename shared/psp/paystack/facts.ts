import { DAY } from '#shared/kernel/clock.ts';
import type { PspFacts } from '#shared/ports/psp.port.ts';
import { networksToChooseFrom, PAYSTACK_CAPABILITIES } from '#shared/psp/paystack/capabilities.ts';
import { supportsAmount } from '#shared/psp/paystack/money.rules.ts';
import { isReusableToken } from '#shared/psp/paystack/tokens.rules.ts';

/** References are unique for ever, and a refund is searched before it is sent. */
const UNLIMITED = 3_650 * DAY;

/** What is known of Paystack without the code that calls it, which is loaded when a connection is opened. */
export const paystackFacts: PspFacts = {
  provider: 'paystack',
  baseUrls: { sandbox: 'https://api.paystack.co', live: 'https://api.paystack.co' },
  capabilities: PAYSTACK_CAPABILITIES,
  unknownOutcome: { resolveBy: 'find', ifNotFound: 'send_again', keyLifetimeMs: UNLIMITED },
  savesMethods: ['card'],
  supportsAmount,
  isReusableToken,
  networksToChooseFrom,
  requiresEmail: true,
  nonIdempotentRefunds: true,
  hasRefundList: true,
  disputes: {
    toldBy: 'callback',
    canAccept: true,
    evidenceFields: [
      'explanation',
      'product_description',
      'customer_name',
      'customer_email',
      'customer_phone',
      'shipping_address',
      'shipping_carrier',
      'tracking_number',
      'shipping_date',
      'service_date',
      'refund_policy',
      'refund_refusal',
      'access_log',
    ],
  },
};
