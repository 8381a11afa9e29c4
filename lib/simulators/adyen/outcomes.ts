import { additionalDataOf, keepMethod } from '#lib/simulators/adyen/cards.ts';
import { reasonOf, refusalCodeFor, resultOf } from '#lib/simulators/adyen/declines.ts';
import { notify } from '#lib/simulators/adyen/events.ts';
import { toIsoUnits, withExtraUnit } from '#lib/simulators/adyen/money.ts';
import {
  newPspReference,
  type Payment,
  type PaymentNotes,
  type StoredPayment,
  type TestMethod,
} from '#lib/simulators/adyen/objects.ts';
import type { Behaviour } from '#lib/simulators/kit/behaviour.ts';
import type { UnitOfWork } from '#lib/simulators/kit/provider-simulator.port.ts';
import { DAY } from '#shared/kernel/clock.ts';

type PaymentInput = {
  readonly body: Omit<Payment, 'status' | 'code'>;
  readonly notes: PaymentNotes;
  readonly paymentId: string | null;
  readonly parent: string | null;
};

/** Builds a payment without storing it; the first outcome stores it. The merchant's reference becomes an alias. */
export function newPayment(work: UnitOfWork, { body, notes, paymentId, parent }: PaymentInput): StoredPayment {
  const id = newPspReference();
  addAlias(work, body.merchantReference, id);
  return {
    id,
    account: work.account,
    kind: 'payment',
    paymentId,
    parent,
    due: null,
    body: { ...body, status: 'waiting', code: null },
    notes,
  };
}

export function addAlias(work: UnitOfWork, name: string, id: string): void {
  work.objects.put({
    id: name,
    account: work.account,
    kind: 'name',
    paymentId: null,
    parent: id,
    due: null,
    body: {},
    notes: {},
  });
}

/** One attempt to pay. A scenario overrides the behaviour of the payment method. */
export function attemptPayment(
  work: UnitOfWork,
  payment: StoredPayment,
  behaviour: Behaviour | null,
  authenticated: boolean,
): StoredPayment {
  const { method } = payment.notes;
  if (authenticated && !payment.notes.authenticated)
    return attemptPayment(work, work.objects.change(payment, {}, { authenticated: true }), behaviour, true);
  if (behaviour?.kind === 'decline') return refuse(work, payment, refusalCodeFor(behaviour.code));
  if (behaviour?.kind === 'requires_action' && !authenticated) return requireRedirect(work, payment, method);
  if (behaviour?.kind === 'pending') return markPending(work, payment);
  if (behaviour?.kind === 'approve') return authorise(work, payment);
  if (behaviour?.kind === 'partial_approval') return authorise(work, partlyApproved(work, payment));
  if (behaviour?.kind === 'wrong_amount')
    return authorise(work, work.objects.change(payment, { amount: withExtraUnit(payment.body.amount) }));
  if (method.flow === 'redirect' && !authenticated) return requireRedirect(work, payment, method);
  if (method.refusal !== null) return refuse(work, payment, method.refusal);
  return method.flow === 'pending' ? markPending(work, payment) : authorise(work, payment);
}

/** Only what is captured later can be approved in part. */
function partlyApproved(work: UnitOfWork, payment: StoredPayment): StoredPayment {
  const { amount } = payment.body;
  if (!payment.notes.manual) return payment;
  const value = Math.max(1, Math.floor(amount.value / 2));
  return work.objects.change(payment, { amount: { ...amount, value } }, { partial: true });
}

/** Adyen reserves the money for so long. */
export const HOLD_MS = 28 * DAY;

/** Authorises, and captures at once unless the payment is captured later. */
export function authorise(work: UnitOfWork, payment: StoredPayment): StoredPayment {
  const due = payment.notes.manual ? work.now.getTime() + HOLD_MS : null;
  const paid = work.objects.change({ ...payment, due }, { status: 'authorised', code: null }, { behaviour: null });
  const after = keepMethod(work, paid);
  const { amount } = after.body;
  const money = { id: after.id, paymentId: after.paymentId, amount: toIsoUnits(amount), currency: amount.currency };
  if (payment.notes.manual) work.recordHold(money);
  else work.recordCharge(money);
  notifyAuthorisation(work, after, true, '044925:1142:03/2030', additionalDataOf(after));
  return after;
}

export function refuse(work: UnitOfWork, payment: StoredPayment, code: string): StoredPayment {
  const after = work.objects.change(
    payment,
    { status: resultOf(code) === 'Cancelled' ? 'cancelled' : 'refused', code },
    { behaviour: null },
  );
  notifyAuthorisation(work, after, false, reasonOf(code), after.notes.method.data);
  return after;
}

function notifyAuthorisation(
  work: UnitOfWork,
  payment: StoredPayment,
  success: boolean,
  reason: string,
  data: Readonly<Record<string, string>> = {},
): void {
  const additionalData = { ...data, ...(payment.parent !== null && { paymentLinkId: payment.parent }) };
  notify(work, payment, {
    eventCode: 'AUTHORISATION',
    success,
    pspReference: payment.id,
    amount: payment.body.amount,
    reason,
    additionalData,
  });
}

/** Sends the customer to the bank's page. */
const requireRedirect = (work: UnitOfWork, payment: StoredPayment, method: TestMethod): StoredPayment =>
  work.objects.change(payment, { status: 'waiting' }, { behaviour: null, method: { ...method, flow: 'redirect' } });

const isCancelable = ({ body: { status }, notes: { manual, captured = 0 } }: StoredPayment): boolean =>
  status === 'waiting' || status === 'pending' || (status === 'authorised' && manual === true && captured === 0);

const markPending = (work: UnitOfWork, payment: StoredPayment): StoredPayment =>
  work.objects.change(payment, { status: 'pending' }, { behaviour: null });

/** Only a payment without captured money can be cancelled. A captured one can only be refunded. */
export function cancel(
  work: UnitOfWork,
  payment: StoredPayment,
  eventCode: 'CANCELLATION' | 'TECHNICAL_CANCEL',
  reference: string,
  declined: boolean,
): string {
  const pspReference = newPspReference();
  const success = !declined && isCancelable(payment);
  const after = success ? work.objects.change({ ...payment, due: null }, { status: 'cancelled', code: null }) : payment;
  if (success && payment.notes.manual && payment.body.status === 'authorised') work.recordRelease(payment.id);
  const reason = success ? '' : 'Transaction has already been captured, cancel not possible';
  notify(work, after, {
    eventCode,
    success,
    pspReference,
    originalReference: payment.id,
    merchantReference: reference,
    amount: payment.body.amount,
    reason,
  });
  return pspReference;
}
