import { type PspAdapter, type PspPing, PspRefused } from '#shared/ports/psp.port.ts';
import { credentialsParser } from '#shared/psp/kit/credentials.ts';
import { type PaypalContext, refusal, sendRequest } from '#shared/psp/paypal/client.ts';
import { PaypalCredentials } from '#shared/psp/paypal/credentials.schema.ts';
import { paypalFacts } from '#shared/psp/paypal/facts.ts';
import { fetchCharge } from '#shared/psp/paypal/lookups.ts';
import { cancelCharge, confirmCharge, createCharge } from '#shared/psp/paypal/payments.ts';
import { fetchRefund, listRefunds, refundCharge } from '#shared/psp/paypal/refunds.ts';
import { readObject, WebhookResponse } from '#shared/psp/paypal/schema.ts';
import { PAYPAL_EVENTS, parsePaypalCallback, verifyPaypalCallback } from '#shared/psp/paypal/webhooks.ts';

/** A charge is an order until it is captured, then the capture, which is the transaction that PayPal shows. */
export const paypal: PspAdapter<PaypalCredentials> = {
  ...paypalFacts,
  parseCredentials: credentialsParser(PaypalCredentials, 'PayPal'),
  create: createCharge,
  confirm: confirmCharge,
  cancel: async (charge, psp) =>
    charge.manual
      ? (await import('#shared/psp/paypal/captures.ts')).releaseCharge(charge, psp)
      : cancelCharge(charge, psp),
  refund: refundCharge,
  fetch: fetchCharge,
  fetchRefund,
  listRefunds,
  chargeIds: async (charge, psp) => (await import('#shared/psp/paypal/transactions.ts')).chargeIds(charge, psp),
  disputeCalls: async () => (await import('#shared/psp/paypal/disputes.ts')).disputes,
  // Loaded by the first capture: most charges have none.
  capture: async (order, psp) => (await import('#shared/psp/paypal/captures.ts')).captureCharge(order, psp),
  fetchAuthorization: async (charge, psp) =>
    (await import('#shared/psp/paypal/captures.ts')).fetchAuthorization(charge, psp),
  ping,
  registeredEvents: PAYPAL_EVENTS,
  parseCallback: parsePaypalCallback,
  verifyCallback: verifyPaypalCallback,
};

/**
 * Reads the webhook, so that a wrong id is found before the first event. The account's name stays unknown: its call
 * needs a feature that few accounts have.
 */
async function ping(psp: PaypalContext): Promise<PspPing> {
  const [webhook = ''] = [psp.credentials.webhook_secret].flat();
  const response = await sendRequest(
    { operation: 'ping', paymentId: null, path: `/v1/notifications/webhooks/${encodeURIComponent(webhook)}` },
    psp,
  );
  if (!response.ok && response.status === 403) return { accountName: null };
  if (!response.ok && response.status === 404)
    throw new PspRefused('credentials', 'The app has no webhook with this id at PayPal.');
  if (!response.ok) throw refusal(response.status, response.error);
  readObject(WebhookResponse, 'webhook', response.body);
  return { accountName: null };
}
