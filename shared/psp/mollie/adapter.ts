import type { PspAdapter, PspPing } from '#shared/ports/psp.port.ts';
import { credentialsParser } from '#shared/psp/kit/credentials.ts';
import { type MollieContext, requestOrThrow } from '#shared/psp/mollie/client.ts';
import { MollieCredentials } from '#shared/psp/mollie/credentials.schema.ts';
import { mollieFacts } from '#shared/psp/mollie/facts.ts';
import { fetchCharge } from '#shared/psp/mollie/lookups.ts';
import { cancelCharge, confirmCharge, createCharge } from '#shared/psp/mollie/payments.ts';
import { fetchRefund, fetchWithRefunds, listRefunds, refundCharge } from '#shared/psp/mollie/refunds.ts';
import { Profile, readObject } from '#shared/psp/mollie/schema.ts';
import { isUnsignedByMollie, parseMollieCallback, verifyMollieCallback } from '#shared/psp/mollie/webhooks.ts';

/**
 * A charge is a payment (`tr_…`). There is no search by our own reference. If a call has no response, its repeat
 * returns the outcome.
 */
export const mollie: PspAdapter<MollieCredentials> = {
  ...mollieFacts,
  parseCredentials: credentialsParser(MollieCredentials, 'Mollie', ({ api_key }) =>
    api_key.startsWith('test_') ? 'sandbox' : 'live',
  ),
  create: createCharge,
  confirm: confirmCharge,
  cancel: cancelCharge,
  refund: refundCharge,
  fetch: fetchCharge,
  fetchWithRefunds,
  fetchRefund,
  listRefunds,
  // Loaded by the first capture: most charges have none.
  capture: async (order, psp) => (await import('#shared/psp/mollie/captures.ts')).captureCharge(order, psp),
  fetchAuthorization: async (charge, psp) =>
    (await import('#shared/psp/mollie/captures.ts')).fetchAuthorization(charge, psp),
  chargeIds: async (charge, psp) => (await import('#shared/psp/mollie/transactions.ts')).chargeIds(charge, psp),
  disputeCalls: async () => (await import('#shared/psp/mollie/disputes.ts')).disputes,
  ping,
  parseCallback: parseMollieCallback,
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
