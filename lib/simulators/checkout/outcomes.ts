import { announce } from '#lib/simulators/checkout/events.ts';
import { isoUnits } from '#lib/simulators/checkout/money.ts';
import {
  type Action,
  type Balances,
  newId,
  type Payment,
  type PaymentStatus,
  type StoredAction,
  type StoredPayment,
} from '#lib/simulators/checkout/objects.ts';
import { APPROVED, NOT_AUTHENTICATED, type Verdict } from '#lib/simulators/checkout/response-codes.ts';
import type { Work } from '#lib/simulators/frame/provider.port.ts';

/** A payment and the action that brought it there. */
export type Step = { readonly payment: StoredPayment; readonly action: Action };

export const change = (work: Work, payment: StoredPayment, body: Partial<Payment>): StoredPayment =>
  work.objects.put({ ...payment, body: { ...payment.body, ...body } });

type Making = Pick<Action, 'type' | 'amount'> &
  Partial<Pick<Action, 'approved' | 'reference' | 'metadata'>> & { readonly verdict?: Verdict };

/** Where the request gives it neither, an action is called and described as its payment. */
export function act(
  work: Work,
  payment: StoredPayment,
  { type, amount, approved, verdict, reference, metadata }: Making,
): StoredAction {
  const body: Action = {
    id: newId('act'),
    type,
    processed_on: work.now.toISOString(),
    amount,
    ...(approved !== undefined && { approved }),
    ...verdict,
    reference: reference ?? payment.body.reference,
    metadata: metadata ?? payment.body.metadata,
  };
  const { account, paymentId } = payment;
  return work.objects.put({
    id: body.id,
    account,
    kind: 'action',
    paymentId,
    parent: payment.id,
    due: null,
    body,
    notes: { webhook: payment.notes.webhook },
  });
}

export const NO_BALANCES: Balances = {
  total_authorized: 0,
  total_voided: 0,
  available_to_void: 0,
  total_captured: 0,
  available_to_capture: 0,
  total_refunded: 0,
  available_to_refund: 0,
};

/** The money is held; `amount` differs from what was asked where a scenario says so. */
function authorize(work: Work, before: StoredPayment, amount = before.body.amount): Step {
  const balances = {
    ...NO_BALANCES,
    total_authorized: amount,
    available_to_void: amount,
    available_to_capture: amount,
  };
  const payment = change(work, before, { status: 'Authorized', approved: true, amount, balances });
  const action = act(work, payment, { type: 'Authorization', amount, approved: true, verdict: APPROVED }).body;
  announce(work, 'payment_approved', payment, action);
  return { payment, action };
}

/** Takes what is held, or a part of it; the rest is released. */
export function capture(
  work: Work,
  before: StoredPayment,
  amount = before.body.amount,
  own: Pick<Making, 'reference' | 'metadata'> = {},
): Step {
  const part = amount < before.body.amount;
  const balances = {
    ...before.body.balances,
    total_captured: amount,
    available_to_void: 0,
    available_to_capture: 0,
    available_to_refund: amount,
  };
  const payment = change(work, before, { status: part ? 'Partially Captured' : 'Captured', balances });
  const action = act(work, payment, { type: 'Capture', amount, approved: true, verdict: APPROVED, ...own }).body;
  const { currency } = payment.body;
  work.took({ id: payment.id, paymentId: payment.paymentId, amount: isoUnits(amount, currency), currency });
  announce(work, 'payment_captured', payment, action);
  return { payment, action };
}

/** Approved, and captured a moment later: the request is answered in between. */
export function succeed(work: Work, before: StoredPayment, amount = before.body.amount): Step {
  const authorized = authorize(work, before, amount);
  if (before.notes.capture) capture(work, authorized.payment);
  return authorized;
}

export function decline(work: Work, before: StoredPayment, verdict: Verdict): Step {
  const payment = change(work, before, { status: 'Declined', approved: false });
  const action = act(work, payment, {
    type: 'Authorization',
    amount: payment.body.amount,
    approved: false,
    verdict,
  }).body;
  if (verdict === NOT_AUTHENTICATED) announce(work, 'payment_authentication_failed', payment, action);
  announce(work, 'payment_declined', payment, action);
  return { payment, action };
}

export function wait(work: Work, before: StoredPayment, redirect: boolean): StoredPayment {
  const payment: StoredPayment = work.objects.put({ ...before, notes: { ...before.notes, redirect } });
  announce(work, 'payment_pending', payment);
  return payment;
}

/** Ends a payment without money: the customer went away, or what was held is let go. */
export function end(
  work: Work,
  before: StoredPayment,
  status: PaymentStatus & ('Canceled' | 'Voided'),
  own: Pick<Making, 'reference' | 'metadata'> = {},
): Step {
  const held = before.body.balances.available_to_void;
  const balances = { ...before.body.balances, total_voided: held, available_to_void: 0, available_to_capture: 0 };
  const payment = change(work, before, { status, approved: status === 'Voided', balances });
  const action = act(work, payment, { type: 'Void', amount: held, approved: true, verdict: APPROVED, ...own }).body;
  announce(work, status === 'Voided' ? 'payment_voided' : 'payment_canceled', payment, action);
  return { payment, action };
}
