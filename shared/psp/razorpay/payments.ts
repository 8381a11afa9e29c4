import type { Decline } from '#shared/domain/payments/declines.catalog.ts';
import {
  type ChargeOrder,
  type ChargeRef,
  type PspOutcome,
  PspOutcomeUnknown,
  PspRefused,
} from '#shared/ports/psp.port.ts';
import { type ChargePurpose, isRepeat, manualOf } from '#shared/psp/kit/requests.ts';
import {
  lookUpAfterSending,
  paymentIn,
  type RazorpayContext,
  type RefusedResponse,
  refusal,
  sendRequest,
} from '#shared/psp/razorpay/client.ts';
import {
  asOffSession,
  declineBeforePayment,
  isUndecided,
  offSessionDecline,
  tokenDecline,
} from '#shared/psp/razorpay/declines.catalog.ts';
import {
  fetchCharge,
  fetchLink,
  fetchPayment,
  findLink,
  findOrders,
  isLink,
  linkOutcome,
  linkPath,
  ordersOutcome,
  paymentOutcome,
  paymentPath,
} from '#shared/psp/razorpay/lookups.ts';
import { toNextAction, wantsOtp } from '#shared/psp/razorpay/outcomes.rules.ts';
import {
  type ChargeRequest,
  chargeRequest,
  linkBody,
  orderBody,
  paymentBody,
} from '#shared/psp/razorpay/requests.rules.ts';
import { paidPaymentId } from '#shared/psp/razorpay/returns.ts';
import {
  type Order,
  readLink,
  readOrder,
  readStartedPayment,
  type StartedPayment,
} from '#shared/psp/razorpay/schema.ts';

export async function createCharge(order: ChargeOrder, psp: RazorpayContext): Promise<PspOutcome> {
  const purpose = { operation: 'create', paymentId: order.paymentId, ...manualOf(order) } as const;
  const request = chargeRequest(order);
  return request.kind === 'link'
    ? createLink(order, purpose, psp)
    : asOffSession(await createPayment(order, request, purpose, psp), order);
}

async function createLink(order: ChargeOrder, purpose: ChargePurpose, psp: RazorpayContext): Promise<PspOutcome> {
  const body = linkBody(order);
  const earlier = isRepeat(order, psp) ? await findLink(order, purpose, psp) : undefined;
  if (earlier) return lookUpAfterSending(() => linkOutcome(earlier, purpose, psp));
  const response = await sendRequest({ ...purpose, path: '/v1/payment_links', body }, psp);
  if (response.ok) return lookUpAfterSending(() => linkOutcome(readLink(response.body), purpose, psp));
  // References are unique, so an earlier send of ours may have this one.
  const known = mayBeKnown(response) ? await lookUpAfterSending(() => findLink(order, purpose, psp)) : undefined;
  return known ? lookUpAfterSending(() => linkOutcome(known, purpose, psp)) : refusedBeforePayment(response);
}

/** A wrong key is a 400 too. With it, nothing can be looked up either. */
const mayBeKnown = (response: RefusedResponse): boolean =>
  response.status === 400 && refusal(response).kind !== 'credentials';

/** One order per charge, and one payment per order. If an order has a payment, no further one is started. */
async function createPayment(
  order: ChargeOrder,
  request: Extract<ChargeRequest, { kind: 'payment' }>,
  purpose: ChargePurpose,
  psp: RazorpayContext,
): Promise<PspOutcome> {
  const ordered = await ensureOrder(order, purpose, psp);
  if (!ordered.ok) return refusedBeforePayment(ordered);
  const { orders } = ordered;
  const earlier = await earlierOutcome(order, orders, purpose, psp);
  const [first] = orders;
  if (earlier) return earlier;
  if (!first) throw new PspOutcomeUnknown('Razorpay returned no order.');
  const response = await sendRequest(
    { ...purpose, path: request.path, body: paymentBody(order, request, first.id) },
    psp,
  );
  return response.ok
    ? continuePayment(readStartedPayment(response.body), purpose, psp)
    : refusedOutcome(response, order, orders, purpose, psp);
}

type OrdersResult = { readonly ok: true; readonly orders: readonly Order[] } | RefusedResponse;

async function ensureOrder(order: ChargeOrder, purpose: ChargePurpose, psp: RazorpayContext): Promise<OrdersResult> {
  const body = orderBody(order);
  const earlier = isRepeat(order, psp) ? await findOrders(order, purpose, psp) : [];
  if (earlier.length > 0) return { ok: true, orders: earlier };
  const response = await sendRequest({ ...purpose, path: '/v1/orders', body }, psp);
  if (response.ok) return { ok: true, orders: [readOrder(response.body)] };
  const known = mayBeKnown(response) ? await lookUpAfterSending(() => findOrders(order, purpose, psp)) : [];
  return known.length === 0 ? response : { ok: true, orders: known };
}

/** Neither a page nor an order was made. */
function refusedBeforePayment(response: RefusedResponse): PspOutcome {
  const decline = declineBeforePayment(response);
  if (decline) return { kind: 'declined', reference: null, decline };
  if (isUndecided(response)) throw new PspOutcomeUnknown('Razorpay has not decided about an earlier request.');
  throw refusal(response);
}

const hasAttempts = ({ status, attempts }: Order): boolean => status !== 'created' || (attempts ?? 0) > 0;

async function earlierOutcome(
  order: ChargeOrder,
  orders: readonly Order[],
  purpose: ChargePurpose,
  psp: RazorpayContext,
): Promise<PspOutcome | undefined> {
  const mayHavePayment = isRepeat(order, psp) || orders.length > 1 || orders.some(hasAttempts);
  return mayHavePayment ? lookUpAfterSending(() => ordersOutcome(orders, purpose, psp)) : undefined;
}

/** From here on the payment has a reference, so it is not lost if something fails. */
async function continuePayment(
  { razorpay_payment_id: reference, next }: StartedPayment,
  purpose: ChargePurpose,
  psp: RazorpayContext,
): Promise<PspOutcome> {
  const action = toNextAction(next);
  if (!action) return currentOutcome(reference, purpose, psp);
  if (action.type === 'collect' && wantsOtp(next) && !(await requestOtp(reference, purpose, psp)))
    return { kind: 'processing', reference };
  return { kind: 'requires_action', reference, action };
}

async function currentOutcome(reference: string, purpose: ChargePurpose, psp: RazorpayContext): Promise<PspOutcome> {
  try {
    return await paymentOutcome(await fetchPayment(reference, purpose, psp), purpose, psp);
  } catch {
    return { kind: 'processing', reference };
  }
}

const requestOtp = (reference: string, purpose: ChargePurpose, psp: RazorpayContext): Promise<boolean> =>
  sendRequest({ ...purpose, path: `${paymentPath(reference)}/otp_generate`, body: {} }, psp).then(
    ({ ok }) => ok,
    () => false,
  );

function declineOf(response: RefusedResponse, { offSession, paymentMethod }: ChargeOrder): Decline | undefined {
  if (offSession) return offSessionDecline(response);
  return paymentMethod.token === undefined ? declineBeforePayment(response) : tokenDecline(response);
}

/** A refusal that names a payment is about that payment, which may have continued since. Otherwise none was started. */
async function refusedOutcome(
  response: RefusedResponse,
  order: ChargeOrder,
  orders: readonly Order[],
  purpose: ChargePurpose,
  psp: RazorpayContext,
): Promise<PspOutcome> {
  const isPaidAlready = response.error.reason === 'order_already_paid';
  const payment = paymentIn(response);
  if (payment && !isPaidAlready) return currentOutcome(payment, purpose, psp);
  if (isUndecided(response)) {
    const known = await lookUpAfterSending(() => ordersOutcome(orders, purpose, psp));
    if (!known) throw new PspOutcomeUnknown('Razorpay reports a payment of the order, and lists none.');
    return known;
  }
  const decline = declineOf(response, order);
  if (decline) return { kind: 'declined', reference: null, decline };
  throw refusal(response);
}

type Confirmation = {
  readonly reference: string;
  readonly order: ChargeOrder;
  readonly input: Readonly<Record<string, unknown>>;
};

/** Continues with the bank's code or the page's return parameters. Without either, the charge is only looked up. */
export async function confirmCharge(
  { reference, order, input }: Confirmation,
  psp: RazorpayContext,
): Promise<PspOutcome> {
  const purpose = { operation: 'confirm', paymentId: order.paymentId, ...manualOf(order) } as const;
  if (input.otp !== undefined && !isLink(reference)) return submitOtp(reference, String(input.otp), purpose, psp);
  const paid = paidPaymentId(input, reference, order.attemptId, psp.credentials.key_secret);
  return paid
    ? paymentOutcome(await fetchPayment(paid, purpose, psp), purpose, psp)
    : fetchCharge(reference, purpose, psp);
}

/** The payment shows whether the bank accepted the code. An open one waits for another code. */
async function submitOtp(
  reference: string,
  otp: string,
  purpose: ChargePurpose,
  psp: RazorpayContext,
): Promise<PspOutcome> {
  if (!/^\d{1,10}$/.test(otp)) throw new PspRefused('request', 'A one-time code has up to ten digits.');
  const response = await sendRequest({ ...purpose, path: `${paymentPath(reference)}/otp/submit`, body: { otp } }, psp);
  const payment = await lookUpAfterSending(() => fetchPayment(reference, purpose, psp));
  const isStillOpen = !response.ok && payment.status === 'created';
  return isStillOpen
    ? { kind: 'requires_action', reference, action: { type: 'collect', field: 'otp' } }
    : paymentOutcome(payment, purpose, psp);
}

/**
 * Only a payment link can be canceled. Razorpay has no call to cancel a payment: the bank releases an uncaptured one
 * within days, and its status then says so.
 */
export async function cancelCharge({ reference, paymentId }: ChargeRef, psp: RazorpayContext): Promise<PspOutcome> {
  if (!isLink(reference)) throw new PspRefused('state', 'Razorpay cannot cancel a payment that was started.');
  const purpose = { operation: 'cancel', paymentId, mayCapture: false } as const;
  const response = await sendRequest({ ...purpose, path: `${linkPath(reference)}/cancel`, body: {} }, psp);
  if (response.ok && readLink(response.body).status === 'cancelled') return { kind: 'canceled', reference };
  if (!response.ok) throwUnlessTooLate(refusal(response));
  const outcome = await linkOutcome(await fetchLink(reference, purpose, psp), purpose, psp);
  // An expired page takes no more money, so the cancel has succeeded.
  return outcome.kind === 'declined' && outcome.reference === reference ? { kind: 'canceled', reference } : outcome;
}

/** A 400 for an existing link means that it is too late to cancel. Anything else is our mistake. */
function throwUnlessTooLate(refused: PspRefused): void {
  if (refused.kind !== 'request') throw refused;
}
