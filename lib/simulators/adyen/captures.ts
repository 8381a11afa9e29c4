import { invalid } from '#lib/simulators/adyen/errors.ts';
import { notify } from '#lib/simulators/adyen/events.ts';
import { toIsoUnits } from '#lib/simulators/adyen/money.ts';
import {
  type Amount,
  isPayment,
  newPspReference,
  type StoredCapture,
  type StoredPayment,
} from '#lib/simulators/adyen/objects.ts';
import { HOLD_MS } from '#lib/simulators/adyen/outcomes.ts';
import { checkModification, findPayment, receivedResponse } from '#lib/simulators/adyen/payments.ts';
import { type ApiRequest, amountIn, apiRoute, checkCaptureFields, textIn } from '#lib/simulators/adyen/requests.ts';
import { type ActiveScenario, scenarioNotes } from '#lib/simulators/kit/behaviour.ts';
import type { FinalOutcome, UnitOfWork } from '#lib/simulators/kit/provider-simulator.port.ts';

type CaptureInput = { readonly amount: Amount; readonly reference: string; readonly scenario: ActiveScenario | null };

/** Why a capture is not possible; undefined if it is. */
function refusalOf({ body, notes: { manual, captured = 0 } }: StoredPayment, { value }: Amount): string | undefined {
  if (body.status !== 'authorised') return 'Transaction is not authorised';
  if (!manual) return 'Transaction has already been captured';
  // The first capture cancels the rest: the account takes no several partial captures.
  const left = captured > 0 ? 0 : body.amount.value;
  return value > left ? 'Insufficient balance on payment' : undefined;
}

/** Every capture is accepted. One that is not possible fails a moment later, by webhook. */
function newCapture(work: UnitOfWork, payment: StoredPayment, { amount, reference, scenario }: CaptureInput): string {
  const { webhook } = scenarioNotes(scenario);
  const stored: StoredCapture = work.objects.put({
    id: newPspReference(),
    account: work.account,
    kind: 'capture',
    paymentId: payment.paymentId,
    parent: payment.id,
    due: null,
    body: { amount, reference: reference || payment.body.merchantReference, status: 'received' },
    notes: { webhook },
  });
  const behaviour = scenario?.behaviour.kind;
  const reason = behaviour === 'decline' ? 'Capture declined' : refusalOf(payment, amount);
  if (reason !== undefined) settleCapture(work, payment, stored, { eventCode: 'CAPTURE', reason });
  else if (behaviour === 'pending') reserve(work, payment, amount);
  else settleCapture(work, reserve(work, payment, amount), stored, { eventCode: 'CAPTURE' });
  return stored.id;
}

/** The payment takes no other capture. */
const reserve = (work: UnitOfWork, payment: StoredPayment, { value }: Amount): StoredPayment =>
  work.objects.change(payment, {}, { captured: value });

type Result = { readonly eventCode: 'CAPTURE' | 'CAPTURE_FAILED'; readonly reason?: string };

function settleCapture(
  work: UnitOfWork,
  payment: StoredPayment,
  capture: StoredCapture,
  { eventCode, reason }: Result,
): void {
  const captured = reason === undefined;
  const { amount, reference: merchantReference } = capture.body;
  work.objects.change(capture, { status: captured ? 'captured' : 'failed' });
  if (captured) {
    work.objects.change({ ...payment, due: null }, {});
    work.recordCapture({ hold: payment.id, amount: toIsoUnits(amount) });
    work.recordRelease(payment.id);
  }
  notify(work, payment, {
    eventCode,
    success: captured || eventCode === 'CAPTURE_FAILED',
    pspReference: capture.id,
    originalReference: payment.id,
    merchantReference,
    amount,
    reason: reason ?? '',
  });
}

/** The bank ends a capture. One that succeeded can still fail: then the payment is only authorised again. */
export function completeCapture(work: UnitOfWork, capture: StoredCapture, outcome: FinalOutcome): void {
  const payment = work.objects.find(capture.parent, isPayment);
  if (!payment) return;
  work.setWebhookMode(capture.notes.webhook);
  const { status, amount } = capture.body;
  if (status === 'received' && outcome === 'succeeded') settleCapture(work, payment, capture, { eventCode: 'CAPTURE' });
  if (status === 'received' && outcome === 'failed') {
    const free = work.objects.change(payment, {}, { captured: 0 });
    settleCapture(work, free, capture, { eventCode: 'CAPTURE', reason: 'Capture declined' });
  }
  if (status !== 'captured' || outcome === 'succeeded') return;
  const reversed = work.objects.change({ ...payment, due: work.now.getTime() + HOLD_MS }, {}, { captured: 0 });
  work.recordCapture({ hold: payment.id, amount: -toIsoUnits(amount) });
  settleCapture(work, reversed, capture, { eventCode: 'CAPTURE_FAILED', reason: 'Capture Failed' });
}

function createCapture(request: ApiRequest, work: UnitOfWork): object {
  const payment = findPayment(request, work);
  const amount = amountIn(request.body);
  if (amount.currency !== payment.body.amount.currency)
    throw invalid('138', 'The currency differs from that of the payment');
  const reference = textIn(request.body, 'reference');
  return receivedResponse(newCapture(work, payment, { amount, reference, scenario: request.call.scenario }), request, {
    amount,
  });
}

/** Nobody captured the money in time. */
export function expireHold(work: UnitOfWork, payment: StoredPayment): void {
  const ended = work.objects.change({ ...payment, due: null }, {});
  if (ended.body.status !== 'authorised' || (ended.notes.captured ?? 0) > 0) return;
  work.setWebhookMode(payment.notes.webhook);
  const after = work.objects.change(ended, { status: 'cancelled', code: null });
  work.recordRelease(payment.id);
  notify(work, after, { eventCode: 'EXPIRE', success: true, pspReference: payment.id, amount: payment.body.amount });
}

export const captureRoutes = [
  apiRoute({
    method: 'POST',
    path: '/v72/payments/{id}/captures',
    operation: 'capture',
    status: 201,
    check: checkModification(checkCaptureFields),
    run: createCapture,
  }),
];
