import type { ChargeOrder, PspOutcome } from '#shared/ports/psp.port.ts';
import type { ChargePurpose } from '#shared/psp/kit/purpose.ts';
import { asUnattended } from '#shared/psp/razorpay/decline.rules.ts';
import {
  deciding,
  isPaid,
  readItems,
  readLink,
  readLinks,
  readOrder,
  readPayment,
  toLinkOutcome,
  toOutcome,
} from '#shared/psp/razorpay/mapping.rules.ts';
import type { Link, Order, Payment } from '#shared/psp/razorpay/objects.schema.ts';
import { ask, get, type RazorpayContext } from '#shared/psp/razorpay/razorpay.client.ts';
import { planOf } from '#shared/psp/razorpay/request.rules.ts';

export const isLink = (reference: string): boolean => reference.startsWith('plink_');
export const paymentPath = (id: string): string => `/v1/payments/${encodeURIComponent(id)}`;
export const linkPath = (id: string): string => `/v1/payment_links/${encodeURIComponent(id)}`;
const orderPath = (id: string): string => `/v1/orders/${encodeURIComponent(id)}`;

/** Charges ask for automatic capture; one that is only authorized is captured by us. */
export async function paymentOutcome(
  payment: Payment,
  purpose: ChargePurpose,
  psp: RazorpayContext,
): Promise<PspOutcome> {
  return toOutcome(
    payment.status === 'authorized' && purpose.wanted !== false ? await capture(payment, purpose, psp) : payment,
  );
}

/**
 * Captures the whole amount. A second capture is refused, and then the payment is read; any other failure leaves it
 * authorized, and is repeated.
 */
async function capture(payment: Payment, purpose: ChargePurpose, psp: RazorpayContext): Promise<Payment> {
  const { amount, currency } = payment;
  try {
    const answer = await ask(
      { ...purpose, path: `${paymentPath(payment.id)}/capture`, body: { amount, currency } },
      psp,
    );
    return answer.ok ? readPayment(answer.body) : await fetchPayment(payment.id, purpose, psp);
  } catch {
    return payment;
  }
}

export async function fetchPayment(id: string, purpose: ChargePurpose, psp: RazorpayContext): Promise<Payment> {
  return readPayment(await get({ ...purpose, path: paymentPath(id) }, psp));
}

export async function fetchLink(id: string, purpose: ChargePurpose, psp: RazorpayContext): Promise<Link> {
  return readLink(await get({ ...purpose, path: linkPath(id) }, psp));
}

async function paymentsOf(orderId: string, purpose: ChargePurpose, psp: RazorpayContext): Promise<readonly Payment[]> {
  return readItems(await get({ ...purpose, path: `${orderPath(orderId)}/payments` }, psp)).map(readPayment);
}

/** Once a payment decides, the charge is known by its reference; until then the customer may try again. */
export async function linkOutcome(link: Link, purpose: ChargePurpose, psp: RazorpayContext): Promise<PspOutcome> {
  const payment = await behindLink(link, purpose, psp);
  return payment && isPaid(payment) ? paymentOutcome(payment, purpose, psp) : toLinkOutcome(link);
}

async function behindLink(
  { payments, order_id }: Link,
  purpose: ChargePurpose,
  psp: RazorpayContext,
): Promise<Payment | undefined> {
  const [captured] = payments ?? [];
  if (captured) return fetchPayment(captured.payment_id, purpose, psp);
  return order_id ? deciding(await paymentsOf(order_id, purpose, psp)) : undefined;
}

export async function fetchCharge(
  reference: string,
  purpose: ChargePurpose,
  psp: RazorpayContext,
): Promise<PspOutcome> {
  if (isLink(reference)) return linkOutcome(await fetchLink(reference, purpose, psp), purpose, psp);
  return paymentOutcome(await fetchPayment(reference, purpose, psp), purpose, psp);
}

/** Razorpay's filters may match more than they were asked for. */
export async function ordersOf(
  { attemptId }: ChargeOrder,
  purpose: ChargePurpose,
  psp: RazorpayContext,
): Promise<readonly Order[]> {
  const found = readItems(
    await get({ ...purpose, path: `/v1/orders?receipt=${encodeURIComponent(attemptId)}&count=100` }, psp),
  );
  return found.map(readOrder).filter(({ receipt }) => receipt === attemptId);
}

export async function linkOf(
  { attemptId }: ChargeOrder,
  purpose: ChargePurpose,
  psp: RazorpayContext,
): Promise<Link | undefined> {
  const found = readLinks(
    await get({ ...purpose, path: `/v1/payment_links?reference_id=${encodeURIComponent(attemptId)}` }, psp),
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
  const payment = deciding(payments);
  return payment && paymentOutcome(payment, purpose, psp);
}

/**
 * It is unknown here whether the money is still wanted, so nothing is captured: a look-up by its reference does that.
 */
export async function findCharge(order: ChargeOrder, psp: RazorpayContext): Promise<PspOutcome | undefined> {
  const purpose = { operation: 'find', paymentId: order.paymentId, wanted: false } as const;
  if (planOf(order).kind === 'payment') {
    const outcome = await ordersOutcome(await ordersOf(order, purpose, psp), purpose, psp);
    return outcome && asUnattended(outcome, order);
  }
  const link = await linkOf(order, purpose, psp);
  return link && linkOutcome(link, purpose, psp);
}
