import { type PspOutcome, PspRefused } from '#shared/ports/psp.port.ts';
import type { ChargePurpose } from '#shared/psp/kit/purpose.ts';
import { canceledOutcome, captureOutcome, readCapture, readOrder } from '#shared/psp/paypal/mapping.rules.ts';
import type { Capture, Order } from '#shared/psp/paypal/objects.schema.ts';
import { get, type PaypalContext } from '#shared/psp/paypal/paypal.client.ts';

export const orderPath = (id: string): string => `/v2/checkout/orders/${encodeURIComponent(id)}`;
export const capturePath = (id: string): string => `/v2/payments/captures/${encodeURIComponent(id)}`;

export async function fetchOrder(id: string, purpose: ChargePurpose, psp: PaypalContext): Promise<Order> {
  return readOrder(await get({ ...purpose, path: orderPath(id) }, psp));
}

type Found = { readonly order: Order } | { readonly capture: Capture };

/** A charge is known by its order, and by its capture once there is one; the two ids look alike. */
export async function findCharge(reference: string, purpose: ChargePurpose, psp: PaypalContext): Promise<Found> {
  try {
    return { order: await fetchOrder(reference, purpose, psp) };
  } catch (error) {
    if (!(error instanceof PspRefused) || error.kind !== 'not_found') throw error;
    return { capture: readCapture(await get({ ...purpose, path: capturePath(reference) }, psp)) };
  }
}

/** PayPal has no such call: an order that we don't capture takes no money. */
export async function cancelCharge(reference: string, purpose: ChargePurpose, psp: PaypalContext): Promise<PspOutcome> {
  const found = await findCharge(reference, purpose, psp);
  return 'order' in found ? canceledOutcome(found.order) : captureOutcome(found.capture);
}
