import type { ChargeOrder, PspOutcome } from '#shared/ports/psp.port.ts';
import { type ChargePurpose, manualOf } from '#shared/psp/kit/requests.ts';
import { type RazorpayContext, requestOrThrow, sendRequest } from '#shared/psp/razorpay/client.ts';
import { asOffSession } from '#shared/psp/razorpay/declines.catalog.ts';
import {
  decidingPayment,
  isApproved,
  isUndecidedPayment,
  mayContainFee,
  sharesFee,
  toLinkOutcome,
  toOutcome,
} from '#shared/psp/razorpay/outcomes.rules.ts';
import { chargeRequest } from '#shared/psp/razorpay/requests.rules.ts';
import {
  type Link,
  type Order,
  type Payment,
  readItems,
  readLink,
  readLinks,
  readOrder,
  readPayment,
} from '#shared/psp/razorpay/schema.ts';

export const isLink = (reference: string): boolean => reference.startsWith('plink_');

export const paymentPath = (id: string): string => `/v1/payments/${encodeURIComponent(id)}`;

export const linkPath = (id: string): string => `/v1/payment_links/${encodeURIComponent(id)}`;

const orderPath = (id: string): string => `/v1/orders/${encodeURIComponent(id)}`;

/** Most charges request automatic capture. If such a one is only authorized, we capture it. */
export async function paymentOutcome(
  payment: Payment,
  purpose: ChargePurpose,
  psp: RazorpayContext,
): Promise<PspOutcome> {
  const { mayCapture = true, manual = false } = purpose;
  const isToCapture = payment.status === 'authorized' && mayCapture && !manual;
  const current = isToCapture ? await capture(payment, purpose, psp) : payment;
  const needsOrder = manual ? mayContainFee(current) : sharesFee(current);
  return toOutcome(current, needsOrder ? await orderOf(current, purpose, psp) : undefined, manual);
}

/** Without its order the whole amount counts, fee included. */
export async function orderOf(
  { order_id }: Payment,
  purpose: ChargePurpose,
  psp: RazorpayContext,
): Promise<Order | undefined> {
  try {
    return order_id ? readOrder(await requestOrThrow({ ...purpose, path: orderPath(order_id) }, psp)) : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Captures the whole amount. If a second capture is refused, the payment is read. After any other failure it stays
 * authorized, and the next look-up captures it.
 */
async function capture(payment: Payment, purpose: ChargePurpose, psp: RazorpayContext): Promise<Payment> {
  const { amount, currency } = payment;
  try {
    const response = await sendRequest(
      { ...purpose, path: `${paymentPath(payment.id)}/capture`, body: { amount, currency } },
      psp,
    );
    return response.ok ? readPayment(response.body) : await fetchPayment(payment.id, purpose, psp);
  } catch {
    return payment;
  }
}

/** With its card, which a payment shows only if it is asked for. */
export async function fetchPayment(id: string, purpose: ChargePurpose, psp: RazorpayContext): Promise<Payment> {
  return readPayment(await requestOrThrow({ ...purpose, path: `${paymentPath(id)}?expand[]=card` }, psp));
}

export async function fetchLink(id: string, purpose: ChargePurpose, psp: RazorpayContext): Promise<Link> {
  return readLink(await requestOrThrow({ ...purpose, path: linkPath(id) }, psp));
}

async function paymentsOf(orderId: string, purpose: ChargePurpose, psp: RazorpayContext): Promise<readonly Payment[]> {
  return readItems(await requestOrThrow({ ...purpose, path: `${orderPath(orderId)}/payments` }, psp)).map(readPayment);
}

/**
 * Once a payment is approved, its id becomes the charge's reference. Until then the customer may try again. A page that
 * has ended may still be paid by a try that is undecided.
 */
export async function linkOutcome(link: Link, purpose: ChargePurpose, psp: RazorpayContext): Promise<PspOutcome> {
  const payment = await paymentOfLink(link, purpose, psp);
  if (payment && isApproved(payment)) return paymentOutcome(payment, purpose, psp);
  const outcome = toLinkOutcome(link);
  const isOpen = outcome.kind === 'requires_action';
  return payment && !isOpen && isUndecidedPayment(payment) ? { kind: 'processing', reference: payment.id } : outcome;
}

async function paymentOfLink(
  { payments, order_id }: Link,
  purpose: ChargePurpose,
  psp: RazorpayContext,
): Promise<Payment | undefined> {
  const [captured] = payments ?? [];
  if (captured) return fetchPayment(captured.payment_id, purpose, psp);
  return order_id ? decidingPayment(await paymentsOf(order_id, purpose, psp)) : undefined;
}

export async function fetchCharge(
  reference: string,
  purpose: ChargePurpose,
  psp: RazorpayContext,
): Promise<PspOutcome> {
  if (isLink(reference)) return linkOutcome(await fetchLink(reference, purpose, psp), purpose, psp);
  return paymentOutcome(await fetchPayment(reference, purpose, psp), purpose, psp);
}

/** Razorpay's filters may return more than they should. */
export async function findOrders(
  { attemptId }: ChargeOrder,
  purpose: ChargePurpose,
  psp: RazorpayContext,
): Promise<readonly Order[]> {
  const found = readItems(
    await requestOrThrow({ ...purpose, path: `/v1/orders?receipt=${encodeURIComponent(attemptId)}&count=100` }, psp),
  );
  return found.map(readOrder).filter(({ receipt }) => receipt === attemptId);
}

export async function findLink(
  { attemptId }: ChargeOrder,
  purpose: ChargePurpose,
  psp: RazorpayContext,
): Promise<Link | undefined> {
  const found = readLinks(
    await requestOrThrow({ ...purpose, path: `/v1/payment_links?reference_id=${encodeURIComponent(attemptId)}` }, psp),
  );
  return found.map(readLink).find(({ reference_id }) => reference_id === attemptId);
}

/** Undefined if these orders have no payment. */
export async function ordersOutcome(
  orders: readonly Order[],
  purpose: ChargePurpose,
  psp: RazorpayContext,
): Promise<PspOutcome | undefined> {
  const payments: Payment[] = [];
  for (const { id } of orders) payments.push(...(await paymentsOf(id, purpose, psp)));
  const payment = decidingPayment(payments);
  return payment && paymentOutcome(payment, purpose, psp);
}

/**
 * Whether the charge may still be captured is unknown here, so nothing is captured. A look-up by its reference does
 * that.
 */
export async function findCharge(order: ChargeOrder, psp: RazorpayContext): Promise<PspOutcome | undefined> {
  const purpose = { operation: 'find', paymentId: order.paymentId, mayCapture: false, ...manualOf(order) } as const;
  if (chargeRequest(order).kind === 'payment') {
    const outcome = await ordersOutcome(await findOrders(order, purpose, psp), purpose, psp);
    return outcome && asOffSession(outcome, order);
  }
  const link = await findLink(order, purpose, psp);
  return link && linkOutcome(link, purpose, psp);
}
