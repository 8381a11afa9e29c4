import type { Behaviour } from '#lib/simulators/kit/behaviour.ts';
import type { FinalOutcome, UnitOfWork } from '#lib/simulators/kit/provider-simulator.port.ts';
import { declineFor, type RazorpayDecline } from '#lib/simulators/razorpay/declines.ts';
import { announce } from '#lib/simulators/razorpay/events.ts';
import { smallestStep } from '#lib/simulators/razorpay/money.ts';
import {
  type Link,
  linkOf,
  newId,
  type Order,
  orderOf,
  type Payment,
  type PaymentNotes,
  type StoredLink,
  type StoredOrder,
  type StoredPayment,
  seconds,
} from '#lib/simulators/razorpay/objects.ts';
import type { Fields } from '#lib/simulators/razorpay/requests.ts';
import { DAY } from '#shared/kernel/clock.ts';

/** After this time an uncaptured payment is returned to the customer, unless its order says otherwise. */
const HOLD_LIFE_MS = 3 * DAY;

export function changePayment(
  work: UnitOfWork,
  payment: StoredPayment,
  change: Partial<Payment>,
  notes: Partial<PaymentNotes> = {},
): StoredPayment {
  const body = { ...payment.body, ...change };
  const life = payment.notes.capture.life ?? HOLD_LIFE_MS;
  const due = body.status === 'authorized' ? body.created_at * 1_000 + life : null;
  return work.objects.put({ ...payment, due, body, notes: { ...payment.notes, ...notes } });
}

const changeOrder = (work: UnitOfWork, order: StoredOrder, change: Partial<Order>): StoredOrder =>
  work.objects.put({ ...order, body: { ...order.body, ...change } });

export function changeLink(
  work: UnitOfWork,
  link: StoredLink,
  change: Partial<Link>,
  notes: Partial<StoredLink['notes']> = {},
): StoredLink {
  const body = { ...link.body, ...change, updated_at: seconds(work.now) };
  return work.objects.put({
    ...link,
    body,
    notes: { ...link.notes, ...notes },
    due: body.status === 'created' ? link.due : null,
  });
}

type PaymentInput = {
  readonly id?: string;
  readonly order: StoredOrder;
  readonly paymentId: string | null;
  readonly notes: PaymentNotes;
  readonly fields: Fields;
};

const NO_RESULT = {
  invoice_id: null,
  international: false,
  bank: null,
  wallet: null,
  vpa: null,
  fee: null,
  tax: null,
  error_code: null,
  error_description: null,
  error_source: null,
  error_step: null,
  error_reason: null,
} as const;

/** Stores a new attempt to pay an order. */
export function newPayment(
  work: UnitOfWork,
  { id = newId('pay'), order, paymentId, notes, fields }: PaymentInput,
): StoredPayment {
  const { amount, currency } = order.body;
  const { method } = notes.method;
  const body: Payment = {
    id,
    entity: 'payment',
    amount,
    currency,
    status: 'created',
    order_id: order.id,
    method,
    amount_refunded: 0,
    refund_status: null,
    captured: false,
    card_id: method === 'card' ? newId('card') : null,
    ...NO_RESULT,
    fee_bearer: notes.method.feeBearer ?? 'platform',
    description: null,
    email: null,
    contact: null,
    notes: [],
    ...fields,
    acquirer_data: {},
    created_at: seconds(work.now),
  };
  changeOrder(work, order, {
    status: order.body.status === 'paid' ? 'paid' : 'attempted',
    attempts: order.body.attempts + 1,
  });
  return work.objects.put({
    id,
    account: work.account,
    kind: 'payment',
    paymentId,
    parent: order.id,
    due: null,
    body,
    notes,
  });
}

export type AttemptResult = 'succeeded' | 'failed' | 'requires_action' | 'waiting';
type Attempt = { readonly payment: StoredPayment; readonly result: AttemptResult };

/** One attempt to pay. A scenario overrides the behaviour of the payment method. */
export function attemptPayment(
  work: UnitOfWork,
  payment: StoredPayment,
  behaviour: Behaviour | null,
  authenticated = false,
): Attempt {
  const { method } = payment.notes;
  const approved = approvedAmount(payment, behaviour);
  if (approved !== undefined) return { payment: succeed(work, payment, approved), result: 'succeeded' };
  if (behaviour?.kind === 'decline')
    return { payment: fail(work, payment, declineFor(behaviour.code)), result: 'failed' };
  if (behaviour?.kind === 'pending') return { payment, result: 'waiting' };
  if (!authenticated && (behaviour?.kind === 'requires_action' || method.authentication))
    return { payment, result: 'requires_action' };
  if (method.decline) return { payment: fail(work, payment, method.decline), result: 'failed' };
  return method.pending && !authenticated
    ? { payment, result: 'waiting' }
    : { payment: succeed(work, payment), result: 'succeeded' };
}

/** What a scenario approves; undefined if it does not. A bank approves a part only of what is captured later. */
function approvedAmount({ body, notes }: StoredPayment, behaviour: Behaviour | null): number | undefined {
  const { amount, currency } = body;
  if (behaviour?.kind === 'approve') return amount;
  if (behaviour?.kind === 'wrong_amount') return amount + smallestStep(currency);
  if (behaviour?.kind !== 'partial_approval') return undefined;
  const half = Math.floor(amount / 2);
  return notes.capture.automatic ? amount : half - (half % smallestStep(currency));
}

/** The bank approves. The payment is captured automatically if the order wants that and it is in time. */
function succeed(work: UnitOfWork, payment: StoredPayment, amount = payment.body.amount): StoredPayment {
  const { automatic, within } = payment.notes.capture;
  const authorized = changePayment(
    work,
    payment,
    { ...NO_RESULT, amount: amount + customerFee(payment, amount), status: 'authorized', captured: false },
    { price: amount },
  );
  announce(work, 'payment.authorized', { payment: authorized.body });
  const inTime = within === null || work.now.getTime() - payment.body.created_at * 1_000 <= within;
  if (automatic && inTime) return capture(work, authorized);
  work.recordHold({ id: payment.id, paymentId: payment.paymentId, amount, currency: payment.body.currency });
  return changePayment(work, authorized, {}, { held: true });
}

/** What the customer pays beside the price. */
function customerFee({ notes: { method } }: StoredPayment, price: number): number {
  if (method.feeBearer === 'dynamic') return Math.floor(feeOf(price) / 2);
  return method.feeBearer === 'customer' ? feeOf(price) : 0;
}

const feeOf = (price: number): number => Math.ceil(price / 50);

export function capture(work: UnitOfWork, payment: StoredPayment): StoredPayment {
  const { id, paymentId, notes, body } = payment;
  const amount = notes.price ?? body.amount;
  const after = changePayment(work, payment, { status: 'captured', captured: true, fee: feeOf(amount), tax: 0 });
  if (notes.held) work.recordCapture({ hold: id, amount });
  else work.recordCharge({ id, paymentId, amount, currency: body.currency });
  announce(work, 'payment.captured', { payment: after.body });
  const order = orderOf(work.objects, payment);
  const paid =
    order &&
    changeOrder(work, order, {
      status: 'paid',
      amount_paid: amount,
      amount_due: Math.max(0, order.body.amount - amount),
    });
  if (paid) announce(work, 'order.paid', { payment: after.body, order: paid.body });
  const link = linkOf(work.objects, payment);
  if (link?.body.status === 'created' && paid) markLinkPaid(work, link, after, paid);
  return after;
}

function markLinkPaid(work: UnitOfWork, link: StoredLink, payment: StoredPayment, order: StoredOrder): void {
  const { amount, created_at, method } = payment.body;
  const line = {
    amount,
    created_at,
    method,
    payment_id: payment.id,
    plink_id: link.id,
    status: 'captured',
    updated_at: seconds(work.now),
  };
  const paid = changeLink(work, link, { status: 'paid', amount_paid: order.body.amount_paid, payments: [line] });
  announce(work, 'payment_link.paid', { payment_link: paid.body, order: order.body, payment: payment.body });
}

export function fail(
  work: UnitOfWork,
  payment: StoredPayment,
  { reason, source, step: at, description }: RazorpayDecline,
): StoredPayment {
  const error = {
    error_code: 'BAD_REQUEST_ERROR',
    error_description: description,
    error_source: source,
    error_step: at,
    error_reason: reason,
  };
  const after = changePayment(work, payment, { ...error, status: 'failed' });
  announce(work, 'payment.failed', { payment: after.body });
  return after;
}

/** A bank may approve a declined payment days later. */
export function settlePayment(work: UnitOfWork, payment: StoredPayment, outcome: FinalOutcome): StoredPayment {
  work.setWebhookMode(payment.notes.webhook);
  const { status } = payment.body;
  if (outcome === 'failed')
    return status === 'created'
      ? fail(work, payment, declineFor(payment.notes.method.authentication ? 'authentication_failed' : 'card_declined'))
      : payment;
  if (status === 'created') return attemptPayment(work, payment, null, true).payment;
  return status === 'failed' ? succeed(work, payment) : payment;
}
