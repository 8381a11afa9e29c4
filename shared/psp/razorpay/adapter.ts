import type { PspAdapter, PspPing } from '#shared/ports/psp.port.ts';
import { credentialsParser } from '#shared/psp/kit/credentials.ts';
import { type RazorpayContext, requestOrThrow } from '#shared/psp/razorpay/client.ts';
import { RazorpayCredentials } from '#shared/psp/razorpay/credentials.schema.ts';
import { razorpayFacts } from '#shared/psp/razorpay/facts.ts';
import { fetchCharge, findCharge } from '#shared/psp/razorpay/lookups.ts';
import { cancelCharge, confirmCharge, createCharge } from '#shared/psp/razorpay/payments.ts';
import { fetchRefund, listRefunds, refundCharge } from '#shared/psp/razorpay/refunds.ts';
import { readItems } from '#shared/psp/razorpay/schema.ts';
import { parseRazorpayCallback, RAZORPAY_EVENTS, verifyRazorpayCallback } from '#shared/psp/razorpay/webhooks.ts';

/**
 * A charge is a payment (Razorpay's `pay_…`, which only looks like our ids), or a payment link (`plink_…`) until the
 * customer has paid on its page. Orders and links carry the attempt's id and are found by it, so a repeat finds the
 * first send; refunds are searched before each send.
 */
export const razorpay: PspAdapter<RazorpayCredentials> = {
  ...razorpayFacts,
  parseCredentials: credentialsParser(RazorpayCredentials, 'Razorpay', ({ key_id }) =>
    key_id.startsWith('rzp_test_') ? 'sandbox' : 'live',
  ),
  create: createCharge,
  confirm: confirmCharge,
  cancel: cancelCharge,
  refund: refundCharge,
  fetch: ({ reference, paymentId, mayCapture, manual }, psp) =>
    fetchCharge(reference, { operation: 'fetch', paymentId, mayCapture, manual }, psp),
  find: findCharge,
  fetchRefund,
  listRefunds,
  // Loaded by the first capture: most charges have none.
  capture: async (order, psp) => (await import('#shared/psp/razorpay/captures.ts')).captureCharge(order, psp),
  fetchAuthorization: async (charge, psp) =>
    (await import('#shared/psp/razorpay/captures.ts')).fetchAuthorization(charge, psp),
  chargeIds: async (charge, psp) => (await import('#shared/psp/razorpay/transactions.ts')).chargeIds(charge, psp),
  disputeCalls: async () => (await import('#shared/psp/razorpay/disputes.ts')).disputes,
  ping,
  registeredEvents: RAZORPAY_EVENTS,
  parseCallback: parseRazorpayCallback,
  verifyCallback: verifyRazorpayCallback,
};

/** A merchant's key cannot read the account, so its name stays unknown. */
async function ping(psp: RazorpayContext): Promise<PspPing> {
  readItems(await requestOrThrow({ operation: 'ping', paymentId: null, path: '/v1/payments?count=1' }, psp));
  return { accountName: null };
}
