import { type ChargeOrder, type PspOutcome, PspOutcomeUnknown } from '#shared/ports/psp.port.ts';
import type { ChargePurpose } from '#shared/psp/kit/purpose.ts';
import { isRepeat } from '#shared/psp/kit/repeat.ts';
import { asUnattended, declineBefore, tokenDecline, unattendedDecline } from '#shared/psp/razorpay/decline.rules.ts';
import { paymentIn, type Refused, refusal } from '#shared/psp/razorpay/error.rules.ts';
import { readBegun, readLink, readOrder } from '#shared/psp/razorpay/mapping.rules.ts';
import { toNextAction, wantsOtp } from '#shared/psp/razorpay/next-action.rules.ts';
import type { Begun, Order } from '#shared/psp/razorpay/objects.schema.ts';
import { afterSending, ask, type RazorpayContext } from '#shared/psp/razorpay/razorpay.client.ts';
import {
  fetchPayment,
  linkOf,
  linkOutcome,
  ordersOf,
  ordersOutcome,
  paymentOutcome,
  paymentPath,
} from '#shared/psp/razorpay/razorpay.lookups.ts';
import { linkBody, orderBody, type Plan, paymentBody, planOf } from '#shared/psp/razorpay/request.rules.ts';

export async function createCharge(order: ChargeOrder, psp: RazorpayContext): Promise<PspOutcome> {
  const purpose = { operation: 'create', paymentId: order.paymentId } as const;
  const plan = planOf(order);
  return plan.kind === 'link'
    ? createLink(order, purpose, psp)
    : asUnattended(await createPayment(order, plan, purpose, psp), order);
}

async function createLink(order: ChargeOrder, purpose: ChargePurpose, psp: RazorpayContext): Promise<PspOutcome> {
  const body = linkBody(order);
  const earlier = isRepeat(order, psp) ? await linkOf(order, purpose, psp) : undefined;
  if (earlier) return afterSending(() => linkOutcome(earlier, purpose, psp));
  const answer = await ask({ ...purpose, path: '/v1/payment_links', body }, psp);
  if (answer.ok) return afterSending(() => linkOutcome(readLink(answer.body), purpose, psp));
  // References are unique: an earlier send of ours may have it.
  const known = answer.status === 400 ? await afterSending(() => linkOf(order, purpose, psp)) : undefined;
  return known ? afterSending(() => linkOutcome(known, purpose, psp)) : refusedUnbegun(answer);
}

/** One order per charge, and one payment per order: if an order has any payment, no further one is begun. */
async function createPayment(
  order: ChargeOrder,
  plan: Extract<Plan, { kind: 'payment' }>,
  purpose: ChargePurpose,
  psp: RazorpayContext,
): Promise<PspOutcome> {
  const asked = await ordersFor(order, purpose, psp);
  if (!asked.ok) return refusedUnbegun(asked);
  const { orders } = asked;
  const begunBefore = await outcomeBefore(order, orders, purpose, psp);
  const [first] = orders;
  if (begunBefore) return begunBefore;
  if (!first) throw new PspOutcomeUnknown('Razorpay names no order.');
  const answer = await ask({ ...purpose, path: plan.path, body: paymentBody(order, plan, first.id) }, psp);
  return answer.ok ? goOn(readBegun(answer.body), purpose, psp) : refused(answer, order, orders, purpose, psp);
}

type Ordered = { readonly ok: true; readonly orders: readonly Order[] } | Refused;

async function ordersFor(order: ChargeOrder, purpose: ChargePurpose, psp: RazorpayContext): Promise<Ordered> {
  const body = orderBody(order);
  const earlier = isRepeat(order, psp) ? await ordersOf(order, purpose, psp) : [];
  if (earlier.length > 0) return { ok: true, orders: earlier };
  const answer = await ask({ ...purpose, path: '/v1/orders', body }, psp);
  if (answer.ok) return { ok: true, orders: [readOrder(answer.body)] };
  const known = answer.status === 400 ? await afterSending(() => ordersOf(order, purpose, psp)) : [];
  return known.length === 0 ? answer : { ok: true, orders: known };
}

/** Nothing was begun, neither a page nor an order. */
function refusedUnbegun(answer: Refused): PspOutcome {
  const decline = declineBefore(answer);
  if (decline) return { kind: 'declined', reference: null, decline };
  throw refusal(answer);
}

const isUsed = ({ status, attempts }: Order): boolean => status !== 'created' || (attempts ?? 0) > 0;

async function outcomeBefore(
  order: ChargeOrder,
  orders: readonly Order[],
  purpose: ChargePurpose,
  psp: RazorpayContext,
): Promise<PspOutcome | undefined> {
  const mayHaveOne = isRepeat(order, psp) || orders.length > 1 || orders.some(isUsed);
  return mayHaveOne ? afterSending(() => ordersOutcome(orders, purpose, psp)) : undefined;
}

/** From here on the payment has a reference: whatever fails next, it is not lost. */
async function goOn(
  { razorpay_payment_id: reference, next }: Begun,
  purpose: ChargePurpose,
  psp: RazorpayContext,
): Promise<PspOutcome> {
  const action = toNextAction(next);
  if (!action) return asItStands(reference, purpose, psp);
  if (action.type === 'collect' && wantsOtp(next) && !(await otpIsSent(reference, purpose, psp)))
    return { kind: 'processing', reference };
  return { kind: 'requires_action', reference, action };
}

async function asItStands(reference: string, purpose: ChargePurpose, psp: RazorpayContext): Promise<PspOutcome> {
  try {
    return await paymentOutcome(await fetchPayment(reference, purpose, psp), purpose, psp);
  } catch {
    return { kind: 'processing', reference };
  }
}

const otpIsSent = (reference: string, purpose: ChargePurpose, psp: RazorpayContext): Promise<boolean> =>
  ask({ ...purpose, path: `${paymentPath(reference)}/otp_generate`, body: {} }, psp).then(
    ({ ok }) => ok,
    () => false,
  );

/** A refusal that names a payment is about that one, which may have continued since; without one, none was begun. */
async function refused(
  answer: Refused,
  order: ChargeOrder,
  orders: readonly Order[],
  purpose: ChargePurpose,
  psp: RazorpayContext,
): Promise<PspOutcome> {
  const { reason } = answer.fault;
  const payment = paymentIn(answer);
  if (payment) return asItStands(payment, purpose, psp);
  if (reason === 'order_already_paid') {
    const paid = await afterSending(() => ordersOutcome(orders, purpose, psp));
    if (!paid) throw new PspOutcomeUnknown('Razorpay calls the order paid and shows no payment of it.');
    return paid;
  }
  const read = order.offSession
    ? unattendedDecline
    : order.paymentMethod.token === undefined
      ? declineBefore
      : tokenDecline;
  const decline = read(answer);
  if (decline) return { kind: 'declined', reference: null, decline };
  throw refusal(answer);
}
