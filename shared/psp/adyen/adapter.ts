import type { PspAdapter, PspPing } from '#shared/ports/psp.port.ts';
import { type AdyenContext, refusal, sendRequest } from '#shared/psp/adyen/client.ts';
import { AdyenCredentials } from '#shared/psp/adyen/credentials.schema.ts';
import { adyenFacts } from '#shared/psp/adyen/facts.ts';
import { fetchCharge, noLookUp } from '#shared/psp/adyen/lookups.ts';
import { cancelCharge, confirmCharge, createCharge } from '#shared/psp/adyen/payments.ts';
import { refundCharge } from '#shared/psp/adyen/refunds.ts';
import { ApiCredential, readObject } from '#shared/psp/adyen/schema.ts';
import { ADYEN_EVENTS, parseAdyenCallback, verifyAdyenCallback } from '#shared/psp/adyen/webhooks.ts';
import { credentialsParser } from '#shared/psp/kit/credentials.ts';

/**
 * A charge is a payment (its `pspReference`, or our attempt's id until something is authorised) or a payment link.
 * Adyen has no look-up of payments: its signed notifications are authoritative. UNVERIFIED: idempotency keys live at
 * least 7 days. Our repeats stop long before.
 */
export const adyen: PspAdapter<AdyenCredentials> = {
  ...adyenFacts,
  parseCredentials: credentialsParser(AdyenCredentials, 'Adyen', ({ live_endpoint_url_prefix }) =>
    live_endpoint_url_prefix === undefined ? 'sandbox' : 'live',
  ),
  create: createCharge,
  confirm: confirmCharge,
  cancel: cancelCharge,
  refund: refundCharge,
  // Loaded by the first capture: most charges have none.
  capture: async (order, psp) => (await import('#shared/psp/adyen/captures.ts')).captureCharge(order, psp),
  fetch: fetchCharge,
  fetchRefund: async () => {
    throw noLookUp('refunds');
  },
  disputeCalls: async () => (await import('#shared/psp/adyen/disputes.ts')).disputes,
  ping,
  registeredEvents: ADYEN_EVENTS,
  parseCallback: parseAdyenCallback,
  verifyCallback: verifyAdyenCallback,
};

const managementHost = ({ live_endpoint_url_prefix: prefix }: AdyenCredentials): string =>
  prefix === undefined ? 'management-test.adyen.com' : 'management-live.adyen.com';

/** A key without roles for the Management API is still valid. Only the account's name stays unknown. */
async function ping(psp: AdyenContext): Promise<PspPing> {
  const response = await sendRequest(
    { operation: 'ping', paymentId: null, host: managementHost(psp.credentials), path: '/v3/me' },
    psp,
  );
  if (!response.ok && response.status === 403) return { accountName: null };
  if (!response.ok) throw refusal(response);
  return { accountName: readObject(ApiCredential, 'account', response.body).companyName ?? null };
}
