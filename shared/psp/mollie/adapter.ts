import { DAY, HOUR } from '#shared/kernel/clock.ts';
import type { PspAdapter, PspPing } from '#shared/ports/psp.port.ts';
import { credentialsParser } from '#shared/psp/kit/credentials.ts';
import { MOLLIE_CAPABILITIES } from '#shared/psp/mollie/capabilities.ts';
import { type MollieContext, requestOrThrow } from '#shared/psp/mollie/client.ts';
import { MollieCredentials } from '#shared/psp/mollie/credentials.schema.ts';
import { fetchCharge } from '#shared/psp/mollie/lookups.ts';
import { mollieAmount } from '#shared/psp/mollie/money.rules.ts';
import { cancelCharge, confirmCharge, createCharge } from '#shared/psp/mollie/payments.ts';
import { fetchRefund, fetchWithRefunds, listRefunds, refundCharge } from '#shared/psp/mollie/refunds.ts';
import { isReusableToken } from '#shared/psp/mollie/requests.rules.ts';
import { Profile, readObject } from '#shared/psp/mollie/schema.ts';
import { isUnsignedByMollie, parseMollieCallback, verifyMollieCallback } from '#shared/psp/mollie/webhooks.ts';

/**
 * A charge is a payment (`tr_…`). There is no search by our own reference. If a call has no response, its repeat
 * returns the outcome.
 */
export const mollie: PspAdapter<MollieCredentials> = {
  provider: 'mollie',
  baseUrls: { sandbox: 'https://api.mollie.com', live: 'https://api.mollie.com' },
  capabilities: MOLLIE_CAPABILITIES,
  // How long Mollie keeps a key is not clearly documented. An hour is the shortest time that it names. Refunds are
  // searched before they are repeated.
  unknownOutcome: { resolveBy: 'repeat', keyLifetimeMs: HOUR, refundKeyLifetimeMs: 60 * DAY },
  parseCredentials: credentialsParser(MollieCredentials, 'Mollie', ({ api_key }) =>
    api_key.startsWith('test_') ? 'sandbox' : 'live',
  ),
  supportsAmount: (amount, currency) => mollieAmount(amount, currency) !== undefined,
  isReusableToken,
  create: createCharge,
  confirm: confirmCharge,
  cancel: cancelCharge,
  refund: refundCharge,
  fetch: fetchCharge,
  fetchWithRefunds,
  fetchRefund,
  listRefunds,
  ping,
  parseCallback: parseMollieCallback,
  unsignedCallbacks: true,
  verifyCallback: verifyMollieCallback,
  isUnsigned: isUnsignedByMollie,
};

async function ping(psp: MollieContext): Promise<PspPing> {
  const profile = readObject(
    Profile,
    'profile',
    await requestOrThrow({ operation: 'ping', paymentId: null, path: '/profiles/me' }, psp),
  );
  return { accountName: profile.name ?? null };
}
