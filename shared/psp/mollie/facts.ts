import { DAY, HOUR } from '#shared/kernel/clock.ts';
import type { PspFacts } from '#shared/ports/psp.port.ts';
import { CAPTURE_METHODS, MOLLIE_CAPABILITIES, SAVED_METHODS } from '#shared/psp/mollie/capabilities.ts';
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
  // Cards are held for at least seven days, and longer by most schemes. `captureBefore` tells.
  manualCapture: { methods: CAPTURE_METHODS, partial: true, multi: true, validityMs: 7 * DAY, repeatableMs: 60 * DAY },
  savesMethods: SAVED_METHODS,
  supportsAmount,
  isReusableToken,
  hasRefundList: true,
  // Mollie has no call that answers a chargeback.
  disputes: { toldBy: 'callback', canAccept: false, evidenceFields: [], readWithCharge: true },
  unsignedCallbacks: true,
};
