import * as z from 'zod';
import { DAY } from '#shared/kernel/clock.ts';
import { type PspAdapter, type PspPing, PspRefused } from '#shared/ports/psp.port.ts';
import { FLUTTERWAVE_CAPABILITIES } from '#shared/psp/flutterwave/capabilities.ts';
import { type FlutterwaveContext, requestOrThrow } from '#shared/psp/flutterwave/client.ts';
import { FlutterwaveCredentials } from '#shared/psp/flutterwave/credentials.schema.ts';
import { earlyReferences, fetchCharge, findCharge } from '#shared/psp/flutterwave/lookups.ts';
import { majorUnits } from '#shared/psp/flutterwave/money.rules.ts';
import { confirmCharge, createCharge } from '#shared/psp/flutterwave/payments.ts';
import { fetchRefund, listRefunds, refundCharge } from '#shared/psp/flutterwave/refunds.ts';
import { isReusableToken, networksToChooseFrom } from '#shared/psp/flutterwave/requests.rules.ts';
import { readObject } from '#shared/psp/flutterwave/schema.ts';
import {
  isUnsignedByFlutterwave,
  parseFlutterwaveCallback,
  verifyFlutterwaveCallback,
} from '#shared/psp/flutterwave/webhooks.ts';
import { credentialsParser } from '#shared/psp/kit/credentials.ts';

/**
 * Version 3 of the API. It has no idempotency keys. A charge is sent once and then only looked up; a refund is searched
 * before it is sent.
 */
export const flutterwave: PspAdapter<FlutterwaveCredentials> = {
  provider: 'flutterwave',
  baseUrls: { sandbox: 'https://api.flutterwave.com', live: 'https://api.flutterwave.com' },
  capabilities: FLUTTERWAVE_CAPABILITIES,
  unknownOutcome: { resolveBy: 'find', ifNotFound: 'failed', keyLifetimeMs: 0, refundKeyLifetimeMs: 180 * DAY },
  parseCredentials: credentialsParser(FlutterwaveCredentials, 'Flutterwave', ({ secret_key }) =>
    secret_key.startsWith('FLWSECK_TEST-') ? 'sandbox' : 'live',
  ),
  webhookSecretOrigin: 'merchant',
  supportsAmount: (amount, currency) => majorUnits(amount, currency) !== undefined,
  isReusableToken,
  networksToChooseFrom,
  earlyReferences,
  requiresEmail: true,
  create: createCharge,
  confirm: confirmCharge,
  cancel: async () => {
    throw new PspRefused('state', 'Flutterwave cannot cancel a charge.');
  },
  nonIdempotentRefunds: true,
  refund: refundCharge,
  fetch: (charge, psp) => fetchCharge(charge, psp),
  find: findCharge,
  fetchRefund,
  listRefunds,
  ping,
  parseCallback: parseFlutterwaveCallback,
  verifyCallback: verifyFlutterwaveCallback,
  isUnsigned: isUnsignedByFlutterwave,
};

/** No documented call returns the merchant's name. */
async function ping(psp: FlutterwaveContext): Promise<PspPing> {
  readObject(
    z.array(z.unknown()),
    'list of balances',
    (await requestOrThrow({ operation: 'ping', paymentId: null, path: '/v3/balances' }, psp)).data,
  );
  return { accountName: null };
}
