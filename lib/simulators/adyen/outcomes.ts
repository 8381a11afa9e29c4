import { notify } from '#lib/simulators/adyen/events.ts';
import { inIso, oneMore } from '#lib/simulators/adyen/money.ts';
import {
  newPspReference,
  type Payment,
  type PaymentNotes,
  type StoredPayment,
  type TestMethod,
} from '#lib/simulators/adyen/objects.ts';
import { codeFor, reasonOf } from '#lib/simulators/adyen/refusals.ts';
import type { Behaviour } from '#lib/simulators/frame/behaviour.ts';
import type { Work } from '#lib/simulators/frame/provider.port.ts';

type Making = {
  readonly body: Omit<Payment, 'status' | 'code'>;
  readonly notes: PaymentNotes;
  readonly paymentId: string | null;
  readonly parent: string | null;
};

/**
 * A payment that nothing has happened to yet; what happens first keeps it. The merchant's reference is a second name of
 * it.
 */
export function newPayment(work: Work, { body, notes, paymentId, parent }: Making): StoredPayment {
  const id = newPspReference();
  nameIt(work, body.merchantReference, id);
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

export function nameIt(work: Work, name: string, id: string): void {
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

/** What a scenario orders comes before what the method would do. `acted`: the customer has done what was asked. */
export function tryToPay(
  work: Work,
  payment: StoredPayment,
  behaviour: Behaviour | null,
  acted: boolean,
): StoredPayment {
  const { method } = payment.notes;
  if (behaviour?.kind === 'decline') return refuse(work, payment, codeFor(behaviour.code));
  if (behaviour?.kind === 'requires_action' && !acted) return askCustomer(work, payment, method);
  if (behaviour?.kind === 'pending') return wait(work, payment);
  if (behaviour?.kind === 'approve') return authorise(work, payment);
  if (behaviour?.kind === 'wrong_amount')
    return authorise(work, work.objects.change(payment, { amount: oneMore(payment.body.amount) }));
  if (method.flow === 'redirect' && !acted) return askCustomer(work, payment, method);
  if (method.refusal !== null) return refuse(work, payment, method.refusal);
  return method.flow === 'pending' ? wait(work, payment) : authorise(work, payment);
}

/** Authorised, and captured at once. */
export function authorise(work: Work, payment: StoredPayment): StoredPayment {
  const after = work.objects.change(payment, { status: 'authorised', code: null }, { behaviour: null });
  const { amount } = after.body;
  work.took({ id: after.id, paymentId: after.paymentId, amount: inIso(amount), currency: amount.currency });
  tell(work, after, true, '044925:1142:03/2030');
  return after;
}

export function refuse(work: Work, payment: StoredPayment, code: string): StoredPayment {
  const after = work.objects.change(
    payment,
    { status: code === '16' ? 'cancelled' : 'refused', code },
    { behaviour: null },
  );
  tell(work, after, false, reasonOf(code));
  return after;
}

function tell(work: Work, payment: StoredPayment, success: boolean, reason: string): void {
  const additionalData: Readonly<Record<string, string>> =
    payment.parent === null ? {} : { paymentLinkId: payment.parent };
  notify(work, payment, {
    eventCode: 'AUTHORISATION',
    success,
    pspReference: payment.id,
    amount: payment.body.amount,
    reason,
    additionalData,
  });
}

/** The customer is sent to the bank's page. */
const askCustomer = (work: Work, payment: StoredPayment, method: TestMethod): StoredPayment =>
  work.objects.change(payment, { status: 'waiting' }, { behaviour: null, method: { ...method, flow: 'redirect' } });

const wait = (work: Work, payment: StoredPayment): StoredPayment =>
  work.objects.change(payment, { status: 'pending' }, { behaviour: null });

/** An authorisation that is captured already can't be taken back, only refunded. */
export function cancel(
  work: Work,
  payment: StoredPayment,
  eventCode: 'CANCELLATION' | 'TECHNICAL_CANCEL',
  reference: string,
  refused: boolean,
): string {
  const pspReference = newPspReference();
  const success = !refused && (payment.body.status === 'waiting' || payment.body.status === 'pending');
  const after = success ? work.objects.change(payment, { status: 'cancelled', code: null }) : payment;
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
