import { PspNotSent, type PspOutcome, PspOutcomeUnknown } from '#shared/ports/psp.port.ts';
import type { ChargePurpose } from '#shared/psp/kit/purpose.ts';
import { failedAuthentication, refusalDecline } from '#shared/psp/paypal/decline.rules.ts';
import { BACK_TO_THE_PAGE } from '#shared/psp/paypal/declines.catalog.ts';
import { issueOf, type PaypalAnswer, refusal } from '#shared/psp/paypal/error.rules.ts';
import { atThePayer, canceledOutcome, captureIn, orderOutcome, readOrder } from '#shared/psp/paypal/mapping.rules.ts';
import type { Order } from '#shared/psp/paypal/objects.schema.ts';
import { ask, type PaypalContext } from '#shared/psp/paypal/paypal.client.ts';
import { fetchOrder, orderPath } from '#shared/psp/paypal/paypal.lookups.ts';

/**
 * An order's status; an approved one is captured. Once the money is no longer wanted, an approval counts for nothing.
 */
export async function settledOrder(order: Order, purpose: ChargePurpose, psp: PaypalContext): Promise<PspOutcome> {
  const isApproved = order.status === 'APPROVED' && !captureIn(order);
  if (isApproved && purpose.wanted !== false) return captureOrder(order, purpose, psp);
  return unauthenticated(order) ?? (isApproved ? canceledOutcome(order) : orderOutcome(order));
}

/**
 * Captures the order. The key derives from the order and its last change: each look-up of an approved order makes the
 * same call, and once the payer has chosen another method it is a new one. PayPal takes one capture per order in any
 * case.
 */
export async function captureOrder(order: Order, purpose: ChargePurpose, psp: PaypalContext): Promise<PspOutcome> {
  const failure = unauthenticated(order);
  if (failure) return failure;
  const stamp = order.update_time?.replaceAll(/\D/g, '').slice(0, 20);
  const requestId = [order.id, 'capture', order.status.toLowerCase(), ...(stamp ? [stamp] : [])]
    .join('-')
    .slice(0, 108);
  try {
    const answer = await ask({ ...purpose, path: `${orderPath(order.id)}/capture`, body: {}, requestId }, psp);
    return answer.ok ? orderOutcome(readOrder(answer.body)) : await refusedCapture(order, answer, purpose, psp);
  } catch (error) {
    // The order stays unpaid, or holds its capture: the next look-up finds out. Until then a cancel must not treat it
    // as untouched; and that this capture was not sent says nothing about an earlier one.
    if (error instanceof PspNotSent || error instanceof PspOutcomeUnknown)
      return { kind: 'processing', reference: order.id, taking: true };
    throw error;
  }
}

function unauthenticated(order: Order): PspOutcome | undefined {
  const decline = captureIn(order) ? undefined : failedAuthentication(order);
  return decline && { kind: 'declined', reference: order.id, decline };
}

/** A payer at PayPal's page is sent back there to pay with something else; a saved method has failed. */
async function refusedCapture(
  order: Order,
  { status, fault }: Extract<PaypalAnswer, { ok: false }>,
  purpose: ChargePurpose,
  psp: PaypalContext,
): Promise<PspOutcome> {
  const issue = issueOf(fault) ?? '';
  if (issue === 'ORDER_ALREADY_CAPTURED') return orderOutcome(await fetchOrder(order.id, purpose, psp));
  if (issue === 'ORDER_NOT_APPROVED') return atThePayer(order);
  const again = BACK_TO_THE_PAGE.has(issue) && !order.payment_source?.card ? atThePayer(order, fault.links) : undefined;
  if (again?.kind === 'requires_action') return again;
  const decline = refusalDecline(status, fault);
  if (decline) return { kind: 'declined', reference: order.id, decline };
  throw refusal(status, fault);
}
