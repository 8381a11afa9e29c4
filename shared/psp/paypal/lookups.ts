import * as z from 'zod';
import { declineOf } from '#shared/domain/payments/declines.catalog.ts';
import { type ChargeRef, PspNotSent, type PspOutcome, PspOutcomeUnknown, PspRefused } from '#shared/ports/psp.port.ts';
import type { ChargePurpose } from '#shared/psp/kit/requests.ts';
import {
  type PaypalContext,
  type PaypalResponse,
  refusal,
  requestOrThrow,
  sendRequest,
} from '#shared/psp/paypal/client.ts';
import { authenticationOf, issueOf, PAYER_CAN_RETRY, refusalDecline } from '#shared/psp/paypal/declines.catalog.ts';
import {
  canceledOutcome,
  captureOutcome,
  orderOutcome,
  requiresPayer,
  wasTaken,
} from '#shared/psp/paypal/outcomes.rules.ts';
import { type Capture, type Order, readCapture, readOrder } from '#shared/psp/paypal/schema.ts';

export const orderPath = (id: string): string => `/v2/checkout/orders/${encodeURIComponent(id)}`;

export const authorizationPath = (id: string): string => `/v2/payments/authorizations/${encodeURIComponent(id)}`;

export const capturePath = (id: string): string => `/v2/payments/captures/${encodeURIComponent(id)}`;

async function fetchOrder(id: string, purpose: ChargePurpose, psp: PaypalContext): Promise<Order> {
  return readOrder(await requestOrThrow({ ...purpose, path: orderPath(id) }, psp));
}

/** The order of a capture, as PayPal has it. */
export async function orderOf({ links }: Capture, purpose: ChargePurpose, psp: PaypalContext): Promise<unknown> {
  const up = links?.find(({ rel }) => rel === 'up')?.href ?? '';
  const id = /\/orders\/([A-Za-z0-9]{1,64})$/.exec(up)?.[1];
  if (id === undefined) throw new PspOutcomeUnknown('PayPal does not name the order of this capture.');
  return requestOrThrow({ ...purpose, path: orderPath(id) }, psp);
}

/** The order of an authorization, or of one of its captures. */
async function orderBehind(reference: string, purpose: ChargePurpose, psp: PaypalContext): Promise<Order> {
  const authorization = await requestOrThrow({ ...purpose, path: authorizationPath(reference) }, psp).catch(
    (error: unknown) => {
      if (error instanceof PspRefused && error.kind === 'not_found') return undefined;
      throw error;
    },
  );
  const found = authorization ?? (await requestOrThrow({ ...purpose, path: capturePath(reference) }, psp));
  const id = Related.safeParse(found).data?.supplementary_data.related_ids.order_id;
  if (id === undefined) throw new PspOutcomeUnknown('PayPal does not name the order of this authorization.');
  return fetchOrder(id, purpose, psp);
}

const Related = z.looseObject({
  supplementary_data: z.looseObject({ related_ids: z.looseObject({ order_id: z.string().min(1).max(64) }) }),
});

/** The same advice means different things by network, which only the order may name. */
async function outcomeOfCapture(capture: Capture, purpose: ChargePurpose, psp: PaypalContext): Promise<PspOutcome> {
  const isUnclear = capture.processor_response?.payment_advice_code && !capture.network_transaction_reference?.network;
  const order = isUnclear ? await orderOf(capture, purpose, psp).then(readOrder, () => undefined) : undefined;
  return captureOutcome(capture, order?.payment_source?.card?.brand);
}

type OrderOrCapture = { readonly order: Order } | { readonly capture: Capture };

/** A charge's reference is its order's id, then its capture's. The two ids look alike. */
export async function findCharge(
  reference: string,
  purpose: ChargePurpose,
  psp: PaypalContext,
): Promise<OrderOrCapture> {
  try {
    return { order: await fetchOrder(reference, purpose, psp) };
  } catch (error) {
    if (!(error instanceof PspRefused) || error.kind !== 'not_found') throw error;
    if (purpose.manual) return { order: await orderBehind(reference, purpose, psp) };
    return { capture: readCapture(await requestOrThrow({ ...purpose, path: capturePath(reference) }, psp)) };
  }
}

/**
 * An order's outcome. An approved order is captured, or authorized. If that may not be done any more, it counts as
 * canceled.
 */
export async function settleOrder(order: Order, purpose: ChargePurpose, psp: PaypalContext): Promise<PspOutcome> {
  const isApproved = order.status === 'APPROVED' && !wasTaken(order);
  if (isApproved && purpose.mayCapture !== false) return captureOrder(order, purpose, psp);
  return unauthenticatedOutcome(order) ?? (isApproved ? canceledOutcome(order) : orderOutcome(order));
}

/**
 * Captures the order, or authorizes it for a later capture. The key derives from the order and its last change: each
 * look-up of an approved order makes the same call, and after the payer has chosen another method it is a new call.
 * PayPal captures or authorizes an order only once.
 */
export async function captureOrder(order: Order, purpose: ChargePurpose, psp: PaypalContext): Promise<PspOutcome> {
  const failure = unauthenticatedOutcome(order);
  if (failure) return failure;
  const verb = purpose.manual ? 'authorize' : 'capture';
  const requestId = captureKey(order, verb);
  try {
    const response = await sendRequest(
      { ...purpose, path: `${orderPath(order.id)}/${verb}`, body: {}, requestId },
      psp,
    );
    return response.ok
      ? orderOutcome(readOrder(response.body))
      : await refusedCaptureOutcome(order, response, purpose, psp);
  } catch (error) {
    // The order is unpaid or captured; the next look-up will tell. Until then a cancel must not treat it as untouched.
    // That this capture was not sent says nothing about an earlier one, nor does a state that forbids it.
    if (error instanceof PspNotSent || error instanceof PspOutcomeUnknown || isAboutState(error))
      return { kind: 'processing', reference: order.id, captureUnknown: true };
    throw error;
  }
}

const isAboutState = (error: unknown): boolean => error instanceof PspRefused && error.kind === 'state';

/** The order is captured, whatever a refused look-up of it says. */
async function capturedOrder(id: string, purpose: ChargePurpose, psp: PaypalContext): Promise<Order> {
  try {
    return await fetchOrder(id, purpose, psp);
  } catch (cause) {
    throw new PspOutcomeUnknown('The captured order could not be looked up at PayPal.', { cause });
  }
}

function captureKey({ id, status, update_time }: Order, verb: 'authorize' | 'capture'): string {
  const changedAt = update_time?.replaceAll(/\D/g, '').slice(0, 20);
  return [id, verb, status?.toLowerCase() ?? 'unknown', ...(changedAt ? [changedAt] : [])].join('-').slice(0, 108);
}

/**
 * The outcome of an order that must not be captured for its 3-D Secure result. Until the payer has approved it, an
 * open result is one of a running authentication.
 */
function unauthenticatedOutcome(order: Order): PspOutcome | undefined {
  const authentication = wasTaken(order) ? 'may_go_on' : authenticationOf(order);
  if (authentication === 'may_go_on') return undefined;
  return authentication === 'failed' || order.status === 'APPROVED'
    ? { kind: 'declined', reference: order.id, decline: declineOf('authentication_failed') }
    : orderOutcome(order);
}

/** A payer on PayPal's page returns there to pay with something else. With a saved method, the charge is declined. */
async function refusedCaptureOutcome(
  order: Order,
  { status, error }: Extract<PaypalResponse, { ok: false }>,
  purpose: ChargePurpose,
  psp: PaypalContext,
): Promise<PspOutcome> {
  const issue = issueOf(error) ?? '';
  if (issue === 'ORDER_ALREADY_CAPTURED') return orderOutcome(await capturedOrder(order.id, purpose, psp));
  if (issue === 'ORDER_NOT_APPROVED') return requiresPayer(order);
  const payerAction =
    PAYER_CAN_RETRY.has(issue) && !order.payment_source?.card ? requiresPayer(order, error.links) : undefined;
  if (payerAction?.kind === 'requires_action') return payerAction;
  const decline = refusalDecline(status, error);
  if (decline) return { kind: 'declined', reference: order.id, decline };
  throw refusal(status, error);
}

export async function fetchCharge(
  { reference, paymentId, mayCapture, manual }: ChargeRef,
  psp: PaypalContext,
): Promise<PspOutcome> {
  const purpose = { operation: 'fetch', paymentId, mayCapture, manual } as const;
  const found = await findCharge(reference, purpose, psp);
  return 'order' in found ? settleOrder(found.order, purpose, psp) : outcomeOfCapture(found.capture, purpose, psp);
}
