import { DAY, HOUR } from '#shared/kernel/clock.ts';
import { type PspAdapter, type PspPing, PspRefused } from '#shared/ports/psp.port.ts';
import { credentialsReader } from '#shared/psp/kit/credentials.ts';
import { PAYPAL_CAPABILITIES } from '#shared/psp/paypal/capabilities.ts';
import { PaypalCredentials } from '#shared/psp/paypal/credentials.schema.ts';
import { refusal } from '#shared/psp/paypal/error.rules.ts';
import { read } from '#shared/psp/paypal/mapping.rules.ts';
import { paypalValue } from '#shared/psp/paypal/money.rules.ts';
import { WebhookReply } from '#shared/psp/paypal/objects.schema.ts';
import { confirmOrder, createOrder, fetchCharge } from '#shared/psp/paypal/paypal.charges.ts';
import { ask, type PaypalContext } from '#shared/psp/paypal/paypal.client.ts';
import { cancelCharge } from '#shared/psp/paypal/paypal.lookups.ts';
import { fetchRefund, refundCapture } from '#shared/psp/paypal/paypal.refunds.ts';
import { verifyPaypalEvent } from '#shared/psp/paypal/paypal.verification.ts';
import { keepsToken } from '#shared/psp/paypal/token.rules.ts';
import { readPaypalEvent } from '#shared/psp/paypal/webhook.rules.ts';

/** A charge is an order until it is captured, then the capture, which is the transaction that PayPal shows. */
export const paypal: PspAdapter<PaypalCredentials> = {
  provider: 'paypal',
  baseUrls: { sandbox: 'https://api-m.sandbox.paypal.com', live: 'https://api-m.paypal.com' },
  capabilities: PAYPAL_CAPABILITIES,
  unknownOutcome: { ask: 'repeat', keyLife: 6 * HOUR, refundKeyLife: 45 * DAY },
  parseCredentials: credentialsReader(PaypalCredentials, 'PayPal'),
  canExpress: (amount, currency) => paypalValue(amount, currency) !== undefined,
  keepsToken,
  create: createOrder,
  confirm: ({ reference, order }, psp) => confirmOrder(reference, order, psp),
  readReturn: ({ token }) => (token ? {} : undefined),
  cancel: ({ reference, paymentId }, psp) => cancelCharge(reference, { operation: 'cancel', paymentId }, psp),
  refund: refundCapture,
  fetch: fetchCharge,
  fetchRefund,
  ping,
  readCallback: readPaypalEvent,
  verifyCallback: verifyPaypalEvent,
};

/**
 * Reads the webhook, so that a wrong id is found before the first event. The call for the account's name needs a
 * feature that few accounts have, and is not verified: no name is reported.
 */
async function ping(psp: PaypalContext): Promise<PspPing> {
  const [webhook = ''] = [psp.credentials.webhook_secret].flat();
  const answer = await ask(
    { operation: 'ping', paymentId: null, path: `/v1/notifications/webhooks/${encodeURIComponent(webhook)}` },
    psp,
  );
  if (!answer.ok && answer.status === 403) return { accountName: null };
  if (!answer.ok && answer.status === 404)
    throw new PspRefused('credentials', 'PayPal does not know this webhook of the app.');
  if (!answer.ok) throw refusal(answer.status, answer.fault);
  read(WebhookReply, 'webhook', answer.body);
  return { accountName: null };
}
