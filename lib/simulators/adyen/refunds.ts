import { notify } from '#lib/simulators/adyen/events.ts';
import { inIso } from '#lib/simulators/adyen/money.ts';
import {
  type Amount,
  isPayment,
  newPspReference,
  type StoredPayment,
  type StoredRefund,
} from '#lib/simulators/adyen/objects.ts';
import { following } from '#lib/simulators/frame/following.ts';
import type { Ending, Work } from '#lib/simulators/frame/provider.port.ts';
import type { Script } from '#lib/simulators/frame/scenario-book.ts';

type Making = { readonly amount: Amount; readonly reference: string; readonly script: Script | null };

/** Taken up in any case. What can't be given back fails a moment later, by webhook as everything. */
export function newRefund(work: Work, payment: StoredPayment, { amount, reference, script }: Making): string {
  const id = newPspReference();
  const { webhook } = following(script);
  const stored: StoredRefund = {
    id,
    account: work.account,
    kind: 'refund',
    paymentId: payment.paymentId,
    parent: payment.id,
    due: null,
    body: { amount, reference: reference || payment.body.merchantReference, status: 'received' },
    notes: { webhook },
  };
  const left = payment.body.status === 'authorised' ? payment.body.amount.value - payment.notes.refunded : 0;
  const behaviour = script?.behaviour.kind;
  if (behaviour === 'pending' || behaviour === 'requires_action') reserve(work, payment, work.objects.put(stored));
  else if (behaviour === 'decline' || amount.value > left) settle(work, payment, stored, 'REFUND', false);
  else settle(work, reserve(work, payment, stored), stored, 'REFUND', true);
  return id;
}

/** Refunds on their way count against the payment, too. */
const reserve = (work: Work, payment: StoredPayment, { body }: StoredRefund, sign: 1 | -1 = 1): StoredPayment =>
  work.objects.change(payment, {}, { refunded: payment.notes.refunded + sign * body.amount.value });

function settle(
  work: Work,
  payment: StoredPayment,
  refund: StoredRefund,
  eventCode: 'REFUND' | 'REFUND_FAILED',
  success: boolean,
): void {
  const { amount, reference: merchantReference } = refund.body;
  const good = eventCode === 'REFUND' && success;
  work.objects.change(refund, { status: good ? 'refunded' : 'failed' });
  if (good) work.gaveBack(payment.id, inIso(amount));
  const reason = good ? '' : eventCode === 'REFUND' ? 'Insufficient balance on payment' : 'Refund Failed';
  notify(work, payment, {
    eventCode,
    success,
    pspReference: refund.id,
    originalReference: payment.id,
    merchantReference,
    amount,
    reason,
  });
}

/** What the bank does with a refund in the end; one that had succeeded can still fail. */
export function completeRefund(work: Work, refund: StoredRefund, outcome: Ending): void {
  const payment = work.objects.find(refund.parent, isPayment);
  if (!payment) return;
  const { status, amount } = refund.body;
  if (status === 'received')
    settle(
      work,
      outcome === 'succeeded' ? payment : reserve(work, payment, refund, -1),
      refund,
      'REFUND',
      outcome === 'succeeded',
    );
  if (status !== 'refunded' || outcome === 'succeeded') return;
  settle(work, reserve(work, payment, refund, -1), refund, 'REFUND_FAILED', true);
  work.gaveBack(payment.id, -inIso(amount));
}
