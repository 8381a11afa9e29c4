import { DAY } from '#shared/kernel/clock.ts';
import type { PspFacts } from '#shared/ports/psp.port.ts';
import { ADYEN_CAPABILITIES, SAVED_METHODS } from '#shared/psp/adyen/capabilities.ts';
import { supportsAmount } from '#shared/psp/adyen/money.rules.ts';
import { readReturn } from '#shared/psp/adyen/returns.ts';
import { isReusableToken } from '#shared/psp/adyen/tokens.rules.ts';

/** What is known of Adyen without the code that calls it, which is loaded when a connection is opened. */
export const adyenFacts: PspFacts = {
  provider: 'adyen',
  baseUrls: {
    sandbox: 'https://checkout-test.adyen.com',
    live: 'https://{prefix}-checkout-live.adyenpayments.com/checkout',
  },
  capabilities: ADYEN_CAPABILITIES,
  unknownOutcome: { resolveBy: 'repeat', keyLifetimeMs: 7 * DAY },
  // The rest is canceled with the first capture, unless Adyen has set the account up otherwise. UNVERIFIED: 28 days.
  manualCapture: {
    methods: ['card', 'wallet', 'klarna'],
    partial: true,
    multi: false,
    validityMs: 28 * DAY,
    repeatableMs: 3 * DAY,
  },
  savesMethods: SAVED_METHODS,
  supportsAmount,
  isReusableToken,
  readReturn,
  disputes: { toldBy: 'callback', canAccept: true, evidenceFields: [] },
  // Older accounts are said to wait for this text; the others look at the status alone.
  callbackReply: '[accepted]',
  noTransactionList:
    'Adyen has no API that lists payments of a time range. Compare its report "Received payments" of these days: its ' +
    'merchant references are the ids of our attempts.',
};
