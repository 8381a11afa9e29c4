import {
  type ChargeRef,
  PspNotSent,
  type PspOperation,
  type PspOutcome,
  PspOutcomeUnknown,
} from '#shared/ports/psp.port.ts';
import { captureIfForgotten } from '#shared/psp/checkout/checkout.capture.ts';
import { type CheckoutContext, get, paymentPath } from '#shared/psp/checkout/checkout.client.ts';
import {
  hasTaken,
  readActions,
  readPage,
  readPayment,
  toOutcome,
  toPageOutcome,
} from '#shared/psp/checkout/mapping.rules.ts';
import type { Action, Page, Payment } from '#shared/psp/checkout/objects.schema.ts';
import type { Purpose } from '#shared/psp/kit/purpose.ts';

export const isPage = (reference: string): boolean => reference.startsWith('hpp_');

export async function fetchPayment(id: string, purpose: Purpose, psp: CheckoutContext): Promise<Payment> {
  return readPayment(await get({ ...purpose, path: paymentPath(id) }, psp));
}

export async function fetchPage(id: string, purpose: Purpose, psp: CheckoutContext): Promise<Page> {
  return readPage(await get({ ...purpose, path: `/hosted-payments/${encodeURIComponent(id)}` }, psp));
}

export async function fetchActions(
  paymentId: string,
  purpose: Purpose,
  psp: CheckoutContext,
): Promise<readonly Action[]> {
  return readActions(await get({ ...purpose, path: `${paymentPath(paymentId)}/actions` }, psp));
}

/** A charge's status. One that only waits for its capture is captured, if its money is still wanted. */
export async function fetchCharge(
  charge: ChargeRef,
  operation: PspOperation,
  psp: CheckoutContext,
): Promise<PspOutcome> {
  const purpose = { operation, paymentId: charge.paymentId };
  if (isPage(charge.reference)) return pageOutcome(await fetchPage(charge.reference, purpose, psp), purpose, psp);
  const payment = await fetchPayment(charge.reference, purpose, psp);
  if (charge.wanted) await captureIfForgotten(payment, charge, purpose, psp);
  return paymentOutcome(payment, purpose, psp);
}

/**
 * A paid page is represented by its payment. One that is unpaid or has ended still names the newest try, which counts
 * only if it took money.
 */
async function pageOutcome(page: Page, purpose: Purpose, psp: CheckoutContext): Promise<PspOutcome> {
  if (!page.payment_id) return toPageOutcome(page);
  const payment = await fetchPayment(page.payment_id, purpose, psp);
  return page.status === 'Payment Received' || hasTaken(payment) || payment.status === 'Authorized'
    ? paymentOutcome(payment, purpose, psp)
    : toPageOutcome(page);
}

/** The payment itself does not say why it was declined; its list of actions does. */
export async function paymentOutcome(payment: Payment, purpose: Purpose, psp: CheckoutContext): Promise<PspOutcome> {
  const silent = payment.status === 'Declined' && !payment.response_code;
  return toOutcome(silent ? { ...payment, response_code: await declinedWith(payment, purpose, psp) } : payment);
}

/** The decline counts without its reason, too. */
async function declinedWith({ id }: Payment, purpose: Purpose, psp: CheckoutContext): Promise<string | undefined> {
  try {
    const actions = await fetchActions(id, purpose, psp);
    return actions.find(({ approved }) => approved === false)?.response_code ?? undefined;
  } catch (error) {
    if (error instanceof PspNotSent || error instanceof PspOutcomeUnknown) return undefined;
    throw error;
  }
}
