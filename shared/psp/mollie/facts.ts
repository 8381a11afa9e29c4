import { DAY, HOUR } from '#shared/kernel/clock.ts';
import type { PspFacts } from '#shared/ports/psp.port.ts';
import { MOLLIE_CAPABILITIES } from '#shared/psp/mollie/capabilities.ts';
import { supportsAmount } from '#shared/psp/mollie/money.rules.ts';
import { isReusableToken } from '#shared/psp/mollie/tokens.rules.ts';

/** What is known of Mollie without the code that calls it, which is loaded when a connection is opened. */
export const mollieFacts: PspFacts = {
  provider: 'mollie',
  baseUrls: { sandbox: 'https://api.mollie.com', live: 'https://api.mollie.com' },
  capabilities: MOLLIE_CAPABILITIES,
  // How long Mollie keeps a key is not clearly documented. An hour is the shortest time that it names. Refunds are
  // searched before they are repeated.
  unknownOutcome: { resolveBy: 'repeat', keyLifetimeMs: HOUR, refundKeyLifetimeMs: 60 * DAY },
  supportsAmount,
  isReusableToken,
  hasRefundList: true,
  unsignedCallbacks: true,
};
