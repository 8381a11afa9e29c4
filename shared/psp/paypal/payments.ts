import type { ChargeOrder, ChargeRef, PspOutcome } from '#shared/ports/psp.port.ts';
import { type ChargePurpose, manualOf } from '#shared/psp/kit/requests.ts';
import { type PaypalContext, type PaypalResponse, refusal, sendRequest } from '#shared/psp/paypal/client.ts';
import { issueOf, orderDecline } from '#shared/psp/paypal/declines.catalog.ts';
import { captureOrder, findCharge, settleOrder } from '#shared/psp/paypal/lookups.ts';
import { canceledOutcome, captureOutcome, orderOutcome, wasTaken } from '#shared/psp/paypal/outcomes.rules.ts';
import { orderBody, savesMethod } from '#shared/psp/paypal/requests.rules.ts';
import { readOrder } from '#shared/psp/paypal/schema.ts';

/** A saved method is charged by this call. Otherwise the payer approves first, and the capture follows. */
export async function createCharge(order: ChargeOrder, psp: PaypalContext): Promise<PspOutcome> {
  const purpose = { operation: 'create', paymentId: order.paymentId, ...manualOf(order) } as const;
  const response = await createOrder(order, purpose, psp);
  if (response.ok) return settleOrder(readOrder(response.body), purpose, psp);
  const decline = orderDecline(response.status, response.error, order.paymentMethod.token !== undefined);
  if (decline) return { kind: 'declined', reference: null, decline };
  throw refusal(response.status, response.error);
}

/**
 * An account that may not keep methods is charged without keeping it. Its first order was refused, and has a key of its
 * own; an order on a page takes no money by itself.
 */
async function createOrder(order: ChargeOrder, purpose: ChargePurpose, psp: PaypalContext): Promise<PaypalResponse> {
  const path = '/v2/checkout/orders';
  const response = await sendRequest({ ...purpose, path, body: orderBody(order), requestId: order.attemptId }, psp);
  if (response.ok || !savesMethod(order) || !isAboutVault(response)) return response;
  const { save: _, ...unsaved } = order;
  return sendRequest({ ...purpose, path, body: orderBody(unsaved), requestId: `${order.attemptId}-unsaved` }, psp);
}

const isAboutVault = ({ status, error }: Extract<PaypalResponse, { ok: false }>): boolean =>
  status === 403 || issueOf(error)?.includes('VAULT') === true;

const UNCAPTURED_STATUSES: ReadonlySet<string> = new Set(['CREATED', 'PAYER_ACTION_REQUIRED', 'APPROVED']);

/**
 * The payer is back. Whether the order is APPROVED by then is not documented for every method, so a capture is tried.
 */
export async function confirmCharge(
  { reference, order }: { readonly reference: string; readonly order: ChargeOrder },
  psp: PaypalContext,
): Promise<PspOutcome> {
  const purpose = { operation: 'confirm', paymentId: order.paymentId, ...manualOf(order) } as const;
  const found = await findCharge(reference, purpose, psp);
  if ('capture' in found) return captureOutcome(found.capture);
  return UNCAPTURED_STATUSES.has(found.order.status ?? '') && !wasTaken(found.order)
    ? captureOrder(found.order, purpose, psp)
    : orderOutcome(found.order);
}

/** PayPal has no cancel call for orders. One that we do not capture takes no money. */
export async function cancelCharge({ reference, paymentId }: ChargeRef, psp: PaypalContext): Promise<PspOutcome> {
  const found = await findCharge(reference, { operation: 'cancel', paymentId }, psp);
  return 'order' in found ? canceledOutcome(found.order) : captureOutcome(found.capture);
}
