import { DAY } from '#shared/kernel/clock.ts';
import type { PspFacts } from '#shared/ports/psp.port.ts';
import {
  earlyReferences,
  FLUTTERWAVE_CAPABILITIES,
  networksToChooseFrom,
} from '#shared/psp/flutterwave/capabilities.ts';
import { supportsAmount } from '#shared/psp/flutterwave/money.rules.ts';
import { isReusableToken } from '#shared/psp/flutterwave/tokens.rules.ts';

/** What is known of Flutterwave without the code that calls it, which is loaded when a connection is opened. */
export const flutterwaveFacts: PspFacts = {
  provider: 'flutterwave',
  baseUrls: { sandbox: 'https://api.flutterwave.com', live: 'https://api.flutterwave.com' },
  capabilities: FLUTTERWAVE_CAPABILITIES,
  unknownOutcome: { resolveBy: 'find', ifNotFound: 'failed', keyLifetimeMs: 0, refundKeyLifetimeMs: 180 * DAY },
  webhookSecretOrigin: 'merchant',
  savesMethods: ['card'],
  supportsAmount,
  isReusableToken,
  networksToChooseFrom,
  earlyReferences,
  requiresEmail: true,
  nonIdempotentRefunds: true,
  hasRefundList: true,
  // Its callbacks about chargebacks are switched on by its staff, and are not documented.
  disputes: { toldBy: 'polled', canAccept: true, evidenceFields: ['explanation'] },
};
