import type { PspAdapter, PspPing } from '#shared/ports/psp.port.ts';
import { type CheckoutContext, requestOrThrow } from '#shared/psp/checkout/client.ts';
import { CheckoutCredentials } from '#shared/psp/checkout/credentials.schema.ts';
import { checkoutFacts } from '#shared/psp/checkout/facts.ts';
import { fetchCharge, findCharge } from '#shared/psp/checkout/lookups.ts';
import { cancelCharge, createCharge } from '#shared/psp/checkout/payments.ts';
import { fetchRefund, listRefunds, refundCharge } from '#shared/psp/checkout/refunds.ts';
import { readList } from '#shared/psp/checkout/schema.ts';
import { CHECKOUT_EVENTS, parseCheckoutCallback, verifyCheckoutCallback } from '#shared/psp/checkout/webhooks.ts';
import { credentialsParser } from '#shared/psp/kit/credentials.ts';
import { manualOf } from '#shared/psp/kit/requests.ts';

/** A charge is a payment (`pay_…`), or a hosted page (`hpp_…`) until the customer has paid on it. */
export const checkout: PspAdapter<CheckoutCredentials> = {
  ...checkoutFacts,
  parseCredentials: credentialsParser(CheckoutCredentials, 'Checkout.com', ({ secret_key }) =>
    secret_key.startsWith('sk_sbox_') ? 'sandbox' : 'live',
  ),
  create: createCharge,
  // Nothing is sent: Checkout.com knows what the customer did.
  confirm: ({ reference, order }, psp) =>
    fetchCharge({ ...order, reference, mayCapture: true, ...manualOf(order) }, 'confirm', psp),
  cancel: cancelCharge,
  refund: refundCharge,
  fetch: (charge, psp) => fetchCharge(charge, 'fetch', psp),
  find: findCharge,
  fetchRefund,
  listRefunds,
  // Loaded by the first capture: most charges have none.
  capture: async (order, psp) => (await import('#shared/psp/checkout/captures.ts')).captureCharge(order, psp),
  fetchAuthorization: async (charge, psp) =>
    (await import('#shared/psp/checkout/captures.ts')).fetchAuthorization(charge, psp),
  chargeIds: async (charge, psp) => (await import('#shared/psp/checkout/transactions.ts')).chargeIds(charge, psp),
  disputeCalls: async () => (await import('#shared/psp/checkout/disputes.ts')).disputes,
  ping,
  registeredEvents: CHECKOUT_EVENTS,
  parseCallback: parseCheckoutCallback,
  verifyCallback: verifyCheckoutCallback,
};

/**
 * Requires the same permission as charges, and searches a reference that does not exist. The account's name cannot be
 * read.
 */
async function ping(psp: CheckoutContext): Promise<PspPing> {
  readList(
    await requestOrThrow(
      { operation: 'ping', paymentId: null, path: '/payments?limit=1&skip=0&reference=payfork-ping' },
      psp,
    ),
  );
  return { accountName: null };
}
