import { findOwned } from '#lib/simulators/kit/account-scope.ts';
import { scenarioNotes } from '#lib/simulators/kit/behaviour.ts';
import { textAt } from '#lib/simulators/kit/json.ts';
import type { Call, UnitOfWork } from '#lib/simulators/kit/provider-simulator.port.ts';
import type { WireResponse } from '#lib/simulators/kit/wire.ts';
import { invalidRequest, json, notFound, unprocessable } from '#lib/simulators/paypal/errors.ts';
import { announceRefund } from '#lib/simulators/paypal/events.ts';
import { isGreater, isZero, type Money, minus, readMoney, toMinorUnits } from '#lib/simulators/paypal/money.ts';
import {
  behaviourIn,
  isCapture,
  isRefund,
  newPaypalId,
  nextTime,
  type Refund,
  refundsOf,
  refundView,
  type StoredCapture,
  type StoredRefund,
} from '#lib/simulators/paypal/objects.ts';
import { changeCapture, checkInvoice, claimInvoice } from '#lib/simulators/paypal/outcomes.ts';
import { findCapture } from '#lib/simulators/paypal/payments.ts';
import { apiRoute, wantsRepresentation } from '#lib/simulators/paypal/requests.ts';

/** The amount that is neither refunded nor being refunded. */
function refundableAmount(work: UnitOfWork, capture: StoredCapture): Money {
  const others = refundsOf(work, capture).filter(({ body }) => body.status !== 'FAILED');
  return minus(
    capture.body.amount,
    others.map(({ body }) => body.amount),
  );
}

function refundAmount({ input }: Call, capture: StoredCapture, left: Money): Money {
  const amount = input.amount === undefined ? left : readMoney(input.amount, '/amount');
  if (amount.currency_code !== capture.body.amount.currency_code) {
    throw unprocessable(
      'REFUND_CAPTURE_CURRENCY_MISMATCH',
      'Refund must be in the same currency as the capture.',
      '/amount/currency_code',
    );
  }
  if (isZero(left)) throw unprocessable('CAPTURE_FULLY_REFUNDED', 'The capture has already been fully refunded.');
  if (isGreater(amount, left)) {
    throw unprocessable(
      'REFUND_AMOUNT_EXCEEDED',
      'The refund amount must be less than or equal to the capture amount that has not yet been refunded.',
      '/amount/value',
    );
  }
  return amount;
}

function labelsOf({ input }: Call): Partial<Refund> {
  const found = ['custom_id', 'invoice_id', 'note_to_payer'].flatMap((name) => {
    const text = textAt(input, name);
    if (text !== null && (text.length < 1 || text.length > 255))
      throw invalidRequest(`/${name}`, 'INVALID_STRING_LENGTH', 'The value of a field is too short or too long.');
    return text === null ? [] : [[name, text]];
  });
  return Object.fromEntries(found);
}

function createRefund(call: Call, work: UnitOfWork): WireResponse {
  const capture = findCapture(work, call.params.id);
  if (capture.body.status === 'PENDING')
    throw unprocessable('PENDING_CAPTURE', 'Cannot initiate a refund as the capture is pending.');
  if (capture.body.status === 'DECLINED') throw unprocessable('REFUND_NOT_ALLOWED', 'Capture cannot be refunded.');
  const labels = labelsOf(call);
  const amount = refundAmount(call, capture, refundableAmount(work, capture));
  checkInvoice(work, 'refund', labels.invoice_id);
  claimInvoice(work, 'refund', labels.invoice_id);
  const time = nextTime(work.now);
  const body: Refund = {
    ...labels,
    id: newPaypalId(),
    status: 'PENDING',
    amount,
    create_time: time,
    update_time: time,
  };
  const { webhook } = scenarioNotes(call.scenario);
  const { account, paymentId } = capture;
  const refund: StoredRefund = work.objects.put({
    id: body.id,
    account,
    kind: 'refund',
    paymentId,
    parent: capture.id,
    due: null,
    body,
    notes: { webhook },
  });
  const after = settleRefund(call, work, refund);
  const { id, status } = after.body;
  const shown = refundView(after);
  return json(201, wantsRepresentation(call) ? shown : { id, status, links: Object(shown).links });
}

function settleRefund(call: Call, work: UnitOfWork, refund: StoredRefund): StoredRefund {
  const behaviour = behaviourIn(call);
  if (behaviour?.kind === 'decline') return failRefund(work, refund);
  if (behaviour?.kind !== 'pending') return completeRefund(work, refund);
  announceRefund(work, refund);
  return refund;
}

function changeRefund(work: UnitOfWork, refund: StoredRefund, status: Refund['status']): StoredRefund {
  const after = work.objects.put({
    ...refund,
    body: { ...refund.body, status, update_time: nextTime(work.now, refund.body.update_time) },
  });
  const capture = work.objects.get(refund.parent ?? '');
  if (capture && isCapture(capture)) {
    const completed = refundsOf(work, capture).filter(({ body }) => body.status === 'COMPLETED');
    const left = minus(
      capture.body.amount,
      completed.map(({ body }) => body.amount),
    );
    const refunded = isZero(left) ? 'REFUNDED' : 'PARTIALLY_REFUNDED';
    changeCapture(work, capture, { status: completed.length === 0 ? 'COMPLETED' : refunded });
  }
  announceRefund(work, after);
  return after;
}

export function completeRefund(work: UnitOfWork, refund: StoredRefund): StoredRefund {
  if (refund.body.status !== 'PENDING') return refund;
  work.recordRefund(refund.parent ?? '', toMinorUnits(refund.body.amount));
  return changeRefund(work, refund, 'COMPLETED');
}

/** Fails a refund, also one that had completed: the money returns to the merchant. */
export function failRefund(work: UnitOfWork, refund: StoredRefund): StoredRefund {
  if (refund.body.status === 'FAILED') return refund;
  if (refund.body.status === 'COMPLETED') work.recordRefund(refund.parent ?? '', -toMinorUnits(refund.body.amount));
  return changeRefund(work, refund, 'FAILED');
}

function getRefund({ params }: Call, work: UnitOfWork): WireResponse {
  const found = findOwned(work, params.id, isRefund);
  if (!found) throw notFound();
  return json(200, refundView(found));
}

export const refundRoutes = [
  apiRoute('POST', '/v2/payments/captures/{id}/refund', 'refund', createRefund),
  apiRoute('GET', '/v2/payments/refunds/{id}', 'fetch_refund', getRefund),
];
