import { PspNotSent, type PspOutcome, PspOutcomeUnknown } from '#shared/ports/psp.port.ts';
import { failedAuthentication, refusalDecline } from '#shared/psp/paypal/decline.rules.ts';
import { BACK_TO_THE_PAGE } from '#shared/psp/paypal/declines.catalog.ts';
import { issueOf, type PaypalAnswer, refusal } from '#shared/psp/paypal/error.rules.ts';
import { atThePayer, canceledOutcome, captureIn, orderOutcome, readOrder } from '#shared/psp/paypal/mapping.rules.ts';
import type { Order } from '#shared/psp/paypal/objects.schema.ts';
import { ask, type PaypalContext, type Purpose } from '#shared/psp/paypal/paypal.client.ts';
import { fetchOrder, orderPath } from '#shared/psp/paypal/paypal.lookups.ts';

/** An order as it stands, and its money taken where the payer has approved that. Once nobody wants it, an approval is as good as none. */
export async function settledOrder(order: Order, purpose: Purpose, psp: PaypalContext): Promise<PspOutcome> {
  const isApproved = order.status === 'APPROVED' && !captureIn(order);
  if (isApproved && purpose.wanted !== false) return captureOrder(order, purpose, psp);
  return unauthenticated(order) ?? (isApproved ? canceledOutcome(order) : orderOutcome(order));
}

/**
 * Takes the money. The key hangs on the order, and on the moment it last changed: whoever finds it approved makes the same
 * call, and once the payer has chosen another way to pay it is another one. PayPal takes one capture an order in any case.
 */
export async function captureOrder(order: Order, purpose: Purpose, psp: PaypalContext): Promise<PspOutcome> {
  const failure = unauthenticated(order);
  if (failure) return failure;
  const stamp = order.update_time?.replaceAll(/\D/g, '').slice(0, 20);
  const requestId = [order.id, 'capture', order.status.toLowerCase(), ...(stamp ? [stamp] : [])].join('-').slice(0, 108);
  try {
    const answer = await ask({ ...purpose, path: `${orderPath(order.id)}/capture`, body: {}, requestId }, psp);
    return answer.ok ? orderOutcome(readOrder(answer.body)) : await refusedCapture(order, answer, purpose, psp);
  } catch (error) {
    // The order stays as it is, or holds its capture: either is found by the next look. Until then no cancel may take it for
    // untouched; nor does this one's not being sent say anything of one that was sent before.
    if (error instanceof PspNotSent || error instanceof PspOutcomeUnknown) return { kind: 'processing', reference: order.id, taking: true };
    throw error;
  }
}

function unauthenticated(order: Order): PspOutcome | undefined {
  const decline = captureIn(order) ? undefined : failedAuthentication(order);
  return decline && { kind: 'declined', reference: order.id, decline };
}

/** A payer at PayPal's page goes back there to pay with something else; a saved method has had its chance. */
async function refusedCapture(
  order: Order,
  { status, fault }: Extract<PaypalAnswer, { ok: false }>,
  purpose: Purpose,
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
