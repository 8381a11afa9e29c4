import type { ChargeOrder, ChargeRef, PspOutcome } from '#shared/ports/psp.port.ts';
import { orderDecline } from '#shared/psp/paypal/decline.rules.ts';
import { refusal } from '#shared/psp/paypal/error.rules.ts';
import { captureIn, captureOutcome, orderOutcome, readOrder } from '#shared/psp/paypal/mapping.rules.ts';
import { captureOrder, settledOrder } from '#shared/psp/paypal/paypal.captures.ts';
import { ask, type PaypalContext } from '#shared/psp/paypal/paypal.client.ts';
import { findCharge } from '#shared/psp/paypal/paypal.lookups.ts';
import { orderBody } from '#shared/psp/paypal/request.rules.ts';

/** A saved method is charged by this call; otherwise the payer approves first, and the capture follows. */
export async function createOrder(order: ChargeOrder, psp: PaypalContext): Promise<PspOutcome> {
  const purpose = { operation: 'create', paymentId: order.paymentId } as const;
  const answer = await ask(
    { ...purpose, path: '/v2/checkout/orders', body: orderBody(order), requestId: order.attemptId },
    psp,
  );
  if (answer.ok) return settledOrder(readOrder(answer.body), purpose, psp);
  const decline = orderDecline(answer.status, answer.fault, order.paymentMethod.token !== undefined);
  if (decline) return { kind: 'declined', reference: null, decline };
  throw refusal(answer.status, answer.fault);
}

const WAITS: ReadonlySet<string> = new Set(['CREATED', 'PAYER_ACTION_REQUIRED', 'APPROVED']);

/** The payer is back. Whether an order reads APPROVED by then is not documented for every method, so PayPal decides. */
export async function confirmOrder(
  reference: string,
  { paymentId }: ChargeOrder,
  psp: PaypalContext,
): Promise<PspOutcome> {
  const purpose = { operation: 'confirm', paymentId } as const;
  const found = await findCharge(reference, purpose, psp);
  if ('capture' in found) return captureOutcome(found.capture);
  return WAITS.has(found.order.status) && !captureIn(found.order)
    ? captureOrder(found.order, purpose, psp)
    : orderOutcome(found.order);
}

export async function fetchCharge(
  { reference, paymentId, wanted }: ChargeRef,
  psp: PaypalContext,
): Promise<PspOutcome> {
  const purpose = { operation: 'fetch', paymentId, wanted } as const;
  const found = await findCharge(reference, purpose, psp);
  return 'order' in found ? settledOrder(found.order, purpose, psp) : captureOutcome(found.capture);
}
