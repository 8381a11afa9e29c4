import { DAY } from '#shared/kernel/clock.ts';
import type { PspAdapter, PspPing } from '#shared/ports/psp.port.ts';
import { CHECKOUT_CAPABILITIES } from '#shared/psp/checkout/capabilities.ts';
import { voidCharge } from '#shared/psp/checkout/checkout.cancel.ts';
import { createPage, createPayment, findCharge } from '#shared/psp/checkout/checkout.charges.ts';
import { type CheckoutContext, get } from '#shared/psp/checkout/checkout.client.ts';
import { fetchCharge } from '#shared/psp/checkout/checkout.lookups.ts';
import { fetchRefund, refundCharge } from '#shared/psp/checkout/checkout.refunds.ts';
import { CheckoutCredentials } from '#shared/psp/checkout/credentials.schema.ts';
import { readList } from '#shared/psp/checkout/mapping.rules.ts';
import { checkoutUnits } from '#shared/psp/checkout/money.rules.ts';
import { isDirect } from '#shared/psp/checkout/request.rules.ts';
import { keepsToken } from '#shared/psp/checkout/token.rules.ts';
import { readCheckoutEvent, verifyCheckoutEvent } from '#shared/psp/checkout/webhook.rules.ts';
import { credentialsReader } from '#shared/psp/kit/credentials.ts';

/** A charge is a payment (`pay_…`), or a hosted page (`hpp_…`) until the customer has paid on it. */
export const checkout: PspAdapter<CheckoutCredentials> = {
  provider: 'checkout',
  baseUrls: { sandbox: 'https://{prefix}.api.sandbox.checkout.com', live: 'https://{prefix}.api.checkout.com' },
  capabilities: CHECKOUT_CAPABILITIES,
  unknownOutcome: { ask: 'find', absent: 'send_again', keyLife: DAY },
  parseCredentials: credentialsReader(CheckoutCredentials, 'Checkout.com', ({ secret_key }) =>
    secret_key.startsWith('sk_sbox_') ? 'sandbox' : 'live',
  ),
  canExpress: (amount, currency) => checkoutUnits(amount, currency) !== undefined,
  keepsToken,
  create: (order, psp) => (isDirect(order) ? createPayment(order, psp) : createPage(order, psp)),
  // There is nothing to confirm: Checkout.com knows what the customer did.
  confirm: ({ reference, order: { paymentId, attemptId } }, psp) =>
    fetchCharge({ reference, paymentId, attemptId, wanted: true }, 'confirm', psp),
  cancel: voidCharge,
  refund: refundCharge,
  fetch: (charge, psp) => fetchCharge(charge, 'fetch', psp),
  find: findCharge,
  fetchRefund,
  ping,
  readCallback: readCheckoutEvent,
  verifyCallback: verifyCheckoutEvent,
};

/**
 * Needs the right that charges need, for a reference that does not exist. Merchants' accounts have no readable name.
 */
async function ping(psp: CheckoutContext): Promise<PspPing> {
  readList(
    await get({ operation: 'ping', paymentId: null, path: '/payments?limit=1&skip=0&reference=payfork-ping' }, psp),
  );
  return { accountName: null };
}
