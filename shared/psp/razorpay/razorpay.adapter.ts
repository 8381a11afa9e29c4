import { DAY } from '#shared/kernel/clock.ts';
import type { PspAdapter, PspPing } from '#shared/ports/psp.port.ts';
import { credentialsReader } from '#shared/psp/kit/credentials.ts';
import { RAZORPAY_CAPABILITIES } from '#shared/psp/razorpay/capabilities.ts';
import { RazorpayCredentials } from '#shared/psp/razorpay/credentials.schema.ts';
import { readItems } from '#shared/psp/razorpay/mapping.rules.ts';
import { razorpayUnits } from '#shared/psp/razorpay/money.rules.ts';
import { cancelCharge } from '#shared/psp/razorpay/razorpay.cancel.ts';
import { createCharge } from '#shared/psp/razorpay/razorpay.charges.ts';
import { get, type RazorpayContext } from '#shared/psp/razorpay/razorpay.client.ts';
import { confirmCharge } from '#shared/psp/razorpay/razorpay.confirm.ts';
import { fetchCharge, findCharge } from '#shared/psp/razorpay/razorpay.lookups.ts';
import { fetchRefund, refundCharge } from '#shared/psp/razorpay/razorpay.refunds.ts';
import { readReturn } from '#shared/psp/razorpay/return.rules.ts';
import { keepsToken } from '#shared/psp/razorpay/token.rules.ts';
import { readRazorpayEvent, verifyRazorpayEvent } from '#shared/psp/razorpay/webhook.rules.ts';

/**
 * A charge is a payment (Razorpay's `pay_…`, which only looks like our ids), or a payment link (`plink_…`) until the
 * customer has paid on its page. Orders and links carry the attempt's id and are found by it, so a repeat finds the
 * first send; refunds are searched before each send.
 */
export const razorpay: PspAdapter<RazorpayCredentials> = {
  provider: 'razorpay',
  baseUrls: { sandbox: 'https://api.razorpay.com', live: 'https://api.razorpay.com' },
  capabilities: RAZORPAY_CAPABILITIES,
  unknownOutcome: { ask: 'find', absent: 'send_again', keyLife: DAY, refundKeyLife: 180 * DAY },
  parseCredentials: credentialsReader(RazorpayCredentials, 'Razorpay', ({ key_id }) =>
    key_id.startsWith('rzp_test_') ? 'sandbox' : 'live',
  ),
  canExpress: (amount, currency) => razorpayUnits(amount, currency) !== undefined,
  keepsToken,
  create: createCharge,
  confirm: confirmCharge,
  readReturn,
  cancel: cancelCharge,
  refund: refundCharge,
  fetch: ({ reference, paymentId, wanted }, psp) =>
    fetchCharge(reference, { operation: 'fetch', paymentId, wanted }, psp),
  find: findCharge,
  fetchRefund,
  ping,
  readCallback: readRazorpayEvent,
  verifyCallback: verifyRazorpayEvent,
};

/** A merchant's key can't read the account, so the name stays unknown. */
async function ping(psp: RazorpayContext): Promise<PspPing> {
  readItems(await get({ operation: 'ping', paymentId: null, path: '/v1/payments?count=1' }, psp));
  return { accountName: null };
}
