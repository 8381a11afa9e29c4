import { invalid } from '#lib/simulators/adyen/errors.ts';
import { notify } from '#lib/simulators/adyen/events.ts';
import { toIsoUnits } from '#lib/simulators/adyen/money.ts';
import {
  type Amount,
  isPayment,
  newPspReference,
  type StoredPayment,
  type StoredRefund,
} from '#lib/simulators/adyen/objects.ts';
import { checkModification, findPayment, receivedResponse } from '#lib/simulators/adyen/payments.ts';
import { type ApiRequest, amountIn, apiRoute, checkRefundFields, textIn } from '#lib/simulators/adyen/requests.ts';
import { type ActiveScenario, scenarioNotes } from '#lib/simulators/kit/behaviour.ts';
import type { FinalOutcome, UnitOfWork } from '#lib/simulators/kit/provider-simulator.port.ts';

type RefundInput = { readonly amount: Amount; readonly reference: string; readonly scenario: ActiveScenario | null };

/** Every refund is accepted. One that is not possible fails a moment later, by webhook. */
function newRefund(work: UnitOfWork, payment: StoredPayment, { amount, reference, scenario }: RefundInput): string {
  const id = newPspReference();
  const { webhook } = scenarioNotes(scenario);
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
  const left = capturedOf(payment) - payment.notes.refunded;
  const behaviour = scenario?.behaviour.kind;
  if (behaviour === 'pending' || behaviour === 'requires_action') reserve(work, payment, work.objects.put(stored));
  else if (behaviour === 'decline' || amount.value > left) settleRefund(work, payment, stored, 'REFUND', false);
  else settleRefund(work, reserve(work, payment, stored), stored, 'REFUND', true);
  return id;
}

function capturedOf({ body: { status, amount }, notes: { manual, captured = 0 } }: StoredPayment): number {
  if (status !== 'authorised') return 0;
  return manual ? captured : amount.value;
}

/** Pending refunds count against the payment too. */
const reserve = (work: UnitOfWork, payment: StoredPayment, { body }: StoredRefund, sign: 1 | -1 = 1): StoredPayment =>
  work.objects.change(payment, {}, { refunded: payment.notes.refunded + sign * body.amount.value });

function settleRefund(
  work: UnitOfWork,
  payment: StoredPayment,
  refund: StoredRefund,
  eventCode: 'REFUND' | 'REFUND_FAILED',
  success: boolean,
): void {
  const { amount, reference: merchantReference } = refund.body;
  const refunded = eventCode === 'REFUND' && success;
  work.objects.change(refund, { status: refunded ? 'refunded' : 'failed' });
  if (refunded) work.recordRefund(payment.id, toIsoUnits(amount));
  const failure = eventCode === 'REFUND' ? 'Insufficient balance on payment' : 'Refund Failed';
  notify(work, payment, {
    eventCode,
    success,
    pspReference: refund.id,
    originalReference: payment.id,
    merchantReference,
    amount,
    reason: refunded ? '' : failure,
  });
}

/** The bank ends a refund. A refund that succeeded can still fail. */
export function completeRefund(work: UnitOfWork, refund: StoredRefund, outcome: FinalOutcome): void {
  const payment = work.objects.find(refund.parent, isPayment);
  if (!payment) return;
  const { status, amount } = refund.body;
  if (status === 'received')
    settleRefund(
      work,
      outcome === 'succeeded' ? payment : reserve(work, payment, refund, -1),
      refund,
      'REFUND',
      outcome === 'succeeded',
    );
  if (status !== 'refunded' || outcome === 'succeeded') return;
  settleRefund(work, reserve(work, payment, refund, -1), refund, 'REFUND_FAILED', true);
  work.recordRefund(payment.id, -toIsoUnits(amount));
}

function createRefund(request: ApiRequest, work: UnitOfWork): object {
  const payment = findPayment(request, work);
  const amount = amountIn(request.body);
  if (amount.currency !== payment.body.amount.currency)
    throw invalid('138', 'The currency differs from that of the payment');
  return receivedResponse(
    newRefund(work, payment, { amount, reference: textIn(request.body, 'reference'), scenario: request.call.scenario }),
    request,
    { amount },
  );
}

export const refundRoutes = [
  apiRoute({
    method: 'POST',
    path: '/v72/payments/{id}/refunds',
    operation: 'refund',
    status: 201,
    check: checkModification(checkRefundFields),
    run: createRefund,
  }),
];
