import { following } from '#lib/simulators/frame/following.ts';
import { textAt } from '#lib/simulators/frame/json.ts';
import { ownOf } from '#lib/simulators/frame/own.ts';
import type { Call, Work } from '#lib/simulators/frame/provider.port.ts';
import type { WireAnswer } from '#lib/simulators/frame/wire.ts';
import { api, wantsAll } from '#lib/simulators/paypal/api.ts';
import { impossible, json, malformed, missing } from '#lib/simulators/paypal/errors.ts';
import { announceRefund } from '#lib/simulators/paypal/events.ts';
import { isMore, isNothing, type Money, minorOf, minus, readMoney } from '#lib/simulators/paypal/money.ts';
import {
  behaviourIn,
  isCapture,
  isRefund,
  newPaypalId,
  nextTime,
  type Refund,
  refundsOf,
  type StoredCapture,
  type StoredRefund,
  showRefund,
} from '#lib/simulators/paypal/objects.ts';
import { findCapture } from '#lib/simulators/paypal/orders.ts';
import { changeCapture, checkInvoice, claimInvoice } from '#lib/simulators/paypal/taking.ts';

/** What is neither given back nor on its way back. */
function remaining(work: Work, capture: StoredCapture): Money {
  const others = refundsOf(work, capture).filter(({ body }) => body.status !== 'FAILED');
  return minus(
    capture.body.amount,
    others.map(({ body }) => body.amount),
  );
}

function amountOf({ input }: Call, capture: StoredCapture, left: Money): Money {
  const amount = input.amount === undefined ? left : readMoney(input.amount, '/amount');
  if (amount.currency_code !== capture.body.amount.currency_code) {
    throw impossible(
      'REFUND_CAPTURE_CURRENCY_MISMATCH',
      'Refund must be in the same currency as the capture.',
      '/amount/currency_code',
    );
  }
  if (isNothing(left)) throw impossible('CAPTURE_FULLY_REFUNDED', 'The capture has already been fully refunded.');
  if (isMore(amount, left)) {
    throw impossible(
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
      throw malformed(`/${name}`, 'INVALID_STRING_LENGTH', 'The value of a field is too short or too long.');
    return text === null ? [] : [[name, text]];
  });
  return Object.fromEntries(found);
}

function create(call: Call, work: Work): WireAnswer {
  const capture = findCapture(work, call.params.id);
  if (capture.body.status === 'PENDING')
    throw impossible('PENDING_CAPTURE', 'Cannot initiate a refund as the capture is pending.');
  if (capture.body.status === 'DECLINED') throw impossible('REFUND_NOT_ALLOWED', 'Capture cannot be refunded.');
  const labels = labelsOf(call);
  const amount = amountOf(call, capture, remaining(work, capture));
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
  const { webhook } = following(call.script);
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
  const after = settle(call, work, refund);
  const { id, status } = after.body;
  const shown = showRefund(after);
  return json(201, wantsAll(call) ? shown : { id, status, links: Object(shown).links });
}

function settle(call: Call, work: Work, refund: StoredRefund): StoredRefund {
  const behaviour = behaviourIn(call);
  if (behaviour?.kind === 'decline') return failRefund(work, refund);
  if (behaviour?.kind !== 'pending') return completeRefund(work, refund);
  announceRefund(work, refund);
  return refund;
}

function changeRefund(work: Work, refund: StoredRefund, status: Refund['status']): StoredRefund {
  const after = work.objects.put({
    ...refund,
    body: { ...refund.body, status, update_time: nextTime(work.now, refund.body.update_time) },
  });
  const capture = work.objects.get(refund.parent ?? '');
  if (capture && isCapture(capture)) {
    const given = refundsOf(work, capture).filter(({ body }) => body.status === 'COMPLETED');
    const left = minus(
      capture.body.amount,
      given.map(({ body }) => body.amount),
    );
    changeCapture(work, capture, {
      status: given.length === 0 ? 'COMPLETED' : isNothing(left) ? 'REFUNDED' : 'PARTIALLY_REFUNDED',
    });
  }
  announceRefund(work, after);
  return after;
}

export function completeRefund(work: Work, refund: StoredRefund): StoredRefund {
  if (refund.body.status !== 'PENDING') return refund;
  work.gaveBack(refund.parent ?? '', minorOf(refund.body.amount));
  return changeRefund(work, refund, 'COMPLETED');
}

/** Also one that had gone through: the money comes back from the bank. */
export function failRefund(work: Work, refund: StoredRefund): StoredRefund {
  if (refund.body.status === 'FAILED') return refund;
  if (refund.body.status === 'COMPLETED') work.gaveBack(refund.parent ?? '', -minorOf(refund.body.amount));
  return changeRefund(work, refund, 'FAILED');
}

function show({ params }: Call, work: Work): WireAnswer {
  const found = ownOf(work, params.id, isRefund);
  if (!found) throw missing();
  return json(200, showRefund(found));
}

export const refundRoutes = [
  api('POST', '/v2/payments/captures/{id}/refund', 'refund', create),
  api('GET', '/v2/payments/refunds/{id}', 'fetch_refund', show),
];
