import { DAY } from '#shared/kernel/clock.ts';
import type { PspFacts } from '#shared/ports/psp.port.ts';
import { HOLD_MS, METHODS, networksToChooseFrom, RAZORPAY_CAPABILITIES } from '#shared/psp/razorpay/capabilities.ts';
import { supportsAmount } from '#shared/psp/razorpay/money.rules.ts';
import { readReturn } from '#shared/psp/razorpay/returns.ts';
import { isReusableToken } from '#shared/psp/razorpay/tokens.rules.ts';

/** What is known of Razorpay without the code that calls it, which is loaded when a connection is opened. */
export const razorpayFacts: PspFacts = {
  provider: 'razorpay',
  baseUrls: { sandbox: 'https://api.razorpay.com', live: 'https://api.razorpay.com' },
  capabilities: RAZORPAY_CAPABILITIES,
  unknownOutcome: { resolveBy: 'find', ifNotFound: 'send_again', keyLifetimeMs: DAY, refundKeyLifetimeMs: 180 * DAY },
  webhookSecretOrigin: 'merchant',
  // Only the whole amount, and once: the payment itself says whether it was captured.
  manualCapture: { methods: METHODS, partial: false, multi: false, validityMs: HOLD_MS, repeatableMs: 60 * DAY },
  supportsAmount,
  isReusableToken,
  networksToChooseFrom,
  readReturn,
  hasRefundList: true,
  disputes: { toldBy: 'callback', canAccept: true, evidenceFields: [] },
};
