import { DAY } from '#shared/kernel/clock.ts';
import {
  type ChargeRef,
  type PspAdapter,
  type PspOutcome,
  PspOutcomeUnknown,
  type PspPing,
} from '#shared/ports/psp.port.ts';
import { confirmCharge, createCharge } from '#shared/psp/adyen/adyen.charges.ts';
import { type AdyenContext, ask, read } from '#shared/psp/adyen/adyen.client.ts';
import { fetchLink } from '#shared/psp/adyen/adyen.links.ts';
import { cancelCharge, refundCharge } from '#shared/psp/adyen/adyen.modifications.ts';
import { ADYEN_CAPABILITIES } from '#shared/psp/adyen/capabilities.ts';
import { readReturn } from '#shared/psp/adyen/confirm.rules.ts';
import { AdyenCredentials } from '#shared/psp/adyen/credentials.schema.ts';
import { refusal } from '#shared/psp/adyen/error.rules.ts';
import { toLinkOutcome } from '#shared/psp/adyen/mapping.rules.ts';
import { adyenUnits } from '#shared/psp/adyen/money.rules.ts';
import { Me } from '#shared/psp/adyen/objects.schema.ts';
import { isLink } from '#shared/psp/adyen/references.rules.ts';
import { keepsToken } from '#shared/psp/adyen/token.rules.ts';
import { readNotification, verifyNotification } from '#shared/psp/adyen/webhook.rules.ts';
import { credentialsReader } from '#shared/psp/kit/credentials.ts';

/**
 * A charge is a payment (its `pspReference`, or our attempt's id until something is authorised) or a payment link.
 * Adyen has no look-up of payments: its signed notifications are authoritative. Keys live at least 7 days, says Adyen;
 * not verified, and repeats stop long before.
 */
export const adyen: PspAdapter<AdyenCredentials> = {
  provider: 'adyen',
  baseUrls: {
    sandbox: 'https://checkout-test.adyen.com',
    live: 'https://{prefix}-checkout-live.adyenpayments.com/checkout',
  },
  capabilities: ADYEN_CAPABILITIES,
  unknownOutcome: { ask: 'repeat', keyLife: 7 * DAY },
  parseCredentials: credentialsReader(AdyenCredentials, 'Adyen', ({ live_endpoint_url_prefix }) =>
    live_endpoint_url_prefix === undefined ? 'sandbox' : 'live',
  ),
  canExpress: (amount, currency) => adyenUnits(amount, currency) !== undefined,
  keepsToken,
  create: createCharge,
  confirm: confirmCharge,
  readReturn,
  cancel: cancelCharge,
  refund: refundCharge,
  fetch: fetchCharge,
  fetchRefund: async () => {
    throw noLookUp('refunds');
  },
  ping,
  readCallback: readNotification,
  verifyCallback: verifyNotification,
};

const noLookUp = (what: string): PspOutcomeUnknown =>
  new PspOutcomeUnknown(`Adyen has no look-up of ${what}; its notification tells.`);

async function fetchCharge({ reference, paymentId }: ChargeRef, psp: AdyenContext): Promise<PspOutcome> {
  if (!isLink(reference)) throw noLookUp('payments');
  return toLinkOutcome(await fetchLink(reference, { operation: 'fetch', paymentId }, psp));
}

const managementHost = ({ live_endpoint_url_prefix: prefix }: AdyenCredentials): string =>
  prefix === undefined ? 'management-test.adyen.com' : 'management-live.adyen.com';

/** A key without roles for the Management API is still valid; only the name stays unknown. */
async function ping(psp: AdyenContext): Promise<PspPing> {
  const answer = await ask(
    { operation: 'ping', paymentId: null, host: managementHost(psp.credentials), path: '/v3/me' },
    psp,
  );
  if (!answer.ok && answer.status === 403) return { accountName: null };
  if (!answer.ok) throw refusal(answer);
  return { accountName: read(Me, 'account', answer.body).companyName ?? null };
}
