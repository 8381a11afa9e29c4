import type { Behaviour } from '#lib/simulators/frame/behaviour.ts';
import type { Work } from '#lib/simulators/frame/provider.port.ts';
import { declineFor, type RazorpayDecline } from '#lib/simulators/razorpay/declines.ts';
import { announce } from '#lib/simulators/razorpay/events.ts';
import { step } from '#lib/simulators/razorpay/money.ts';
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
import type { Fields } from '#lib/simulators/razorpay/validation.ts';

const DAY = 86_400_000;
/** An uncaptured payment returns to the customer then. */
const KEPT = 3 * DAY;

export function changePayment(
  work: Work,
  payment: StoredPayment,
  change: Partial<Payment>,
  notes: Partial<PaymentNotes> = {},
): StoredPayment {
  const body = { ...payment.body, ...change };
  const due = body.status === 'authorized' ? body.created_at * 1_000 + KEPT : null;
  return work.objects.put({ ...payment, due, body, notes: { ...payment.notes, ...notes } });
}

const changeOrder = (work: Work, order: StoredOrder, change: Partial<Order>): StoredOrder =>
  work.objects.put({ ...order, body: { ...order.body, ...change } });

export function changeLink(
  work: Work,
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

type Making = {
  readonly id?: string;
  readonly order: StoredOrder;
  readonly paymentId: string | null;
  readonly notes: PaymentNotes;
  readonly shown: Fields;
};

const NOTHING_YET = {
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

/** A try to pay an order, before anything has come of it. */
export function newPayment(work: Work, { id = newId('pay'), order, paymentId, notes, shown }: Making): StoredPayment {
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
    ...NOTHING_YET,
    description: null,
    email: null,
    contact: null,
    notes: [],
    ...shown,
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

export type Came = 'succeeded' | 'failed' | 'asked' | 'waiting';
type Tried = { readonly payment: StoredPayment; readonly came: Came };

/** What a scenario orders comes before what is paid with would do. */
export function attempt(work: Work, payment: StoredPayment, behaviour: Behaviour | null, authenticated = false): Tried {
  const { method } = payment.notes;
  if (behaviour?.kind === 'approve' || behaviour?.kind === 'wrong_amount') {
    const amount = payment.body.amount + (behaviour.kind === 'wrong_amount' ? step(payment.body.currency) : 0);
    return { payment: succeed(work, payment, amount), came: 'succeeded' };
  }
  if (behaviour?.kind === 'decline')
    return { payment: fail(work, payment, declineFor(behaviour.code)), came: 'failed' };
  if (behaviour?.kind === 'pending') return { payment, came: 'waiting' };
  if (!authenticated && (behaviour?.kind === 'requires_action' || method.asks)) return { payment, came: 'asked' };
  if (method.decline) return { payment: fail(work, payment, method.decline), came: 'failed' };
  return method.pending && !authenticated
    ? { payment, came: 'waiting' }
    : { payment: succeed(work, payment), came: 'succeeded' };
}

/** The bank approves. It is captured automatically where the order says so and it is not too late. */
export function succeed(work: Work, payment: StoredPayment, amount = payment.body.amount): StoredPayment {
  const { automatic, within } = payment.notes.capture;
  const authorized = changePayment(work, payment, { ...NOTHING_YET, amount, status: 'authorized', captured: false });
  announce(work, 'payment.authorized', { payment: authorized.body });
  const inTime = within === null || work.now.getTime() - payment.body.created_at * 1_000 <= within;
  return automatic && inTime ? capture(work, authorized) : authorized;
}

export function capture(work: Work, payment: StoredPayment): StoredPayment {
  const { amount, currency } = payment.body;
  const after = changePayment(work, payment, {
    status: 'captured',
    captured: true,
    fee: Math.ceil(amount / 50),
    tax: 0,
  });
  work.took({ id: payment.id, paymentId: payment.paymentId, amount, currency });
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
  if (link?.body.status === 'created' && paid) payLink(work, link, after, paid);
  return after;
}

function payLink(work: Work, link: StoredLink, payment: StoredPayment, order: StoredOrder): void {
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
  const paid = changeLink(work, link, { status: 'paid', amount_paid: amount, payments: [line] });
  announce(work, 'payment_link.paid', { payment_link: paid.body, order: order.body, payment: payment.body });
}

export function fail(
  work: Work,
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

/** It was not captured: no money was taken, and yet its status is refunded. */
export function lapse(work: Work, payment: StoredPayment): void {
  if (payment.body.status === 'authorized') {
    changePayment(work, payment, { status: 'refunded', refund_status: 'full', amount_refunded: payment.body.amount });
  }
}
