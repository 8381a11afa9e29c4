import { scenarioNotes } from '#lib/simulators/kit/behaviour.ts';
import type { UnitOfWork } from '#lib/simulators/kit/provider-simulator.port.ts';
import { changeCharge } from '#lib/simulators/stripe/charges.ts';
import { checkRefundable } from '#lib/simulators/stripe/disputes.ts';
import { invalid, invalidState, missingParameter, unexpectedState } from '#lib/simulators/stripe/errors.ts';
import { announce } from '#lib/simulators/stripe/events.ts';
import { integerAt, metadataOf, textAt } from '#lib/simulators/stripe/form.ts';
import { checkStep, refundTooLarge, toIsoUnits } from '#lib/simulators/stripe/money.ts';
import {
  findCharge,
  findIntent,
  findRefund,
  newStripeId,
  type Refund,
  type StoredCharge,
  type StoredRefund,
  seconds,
} from '#lib/simulators/stripe/objects.ts';
import { CREATE_REFUND, EXPAND_ONLY } from '#lib/simulators/stripe/parameters.ts';
import { type ApiRequest, apiRoute } from '#lib/simulators/stripe/requests.ts';

type RefundInput = { readonly charge: StoredCharge; readonly amount: number; readonly status: Refund['status'] };

/** Stores a refund, which reduces the refundable amount at once. The money moves when it succeeds. */
function newRefund(
  { input, call }: ApiRequest,
  work: UnitOfWork,
  { charge, amount, status }: RefundInput,
): StoredRefund {
  const id = newStripeId('re');
  const body: Refund = {
    id,
    object: 'refund',
    amount,
    balance_transaction: newStripeId('txn'),
    charge: charge.id,
    created: seconds(work.now),
    currency: charge.body.currency,
    customer: null,
    customer_account: null,
    destination_details: {
      card: { reference_status: 'pending', reference_type: 'acquirer_reference_number', type: 'refund' },
      type: 'card',
    },
    metadata: metadataOf(input),
    payment_intent: charge.body.payment_intent ?? '',
    payment_method: null,
    ...(status === 'pending' && { pending_reason: 'processing' }),
    reason: textAt(input, 'reason'),
    receipt_number: null,
    source_transfer_reversal: null,
    status,
    transfer_reversal: null,
  };
  const notes = { webhook: scenarioNotes(call.scenario).webhook };
  const stored = work.objects.put({
    id,
    account: work.account,
    kind: 'refund',
    paymentId: charge.paymentId,
    parent: body.payment_intent,
    due: null,
    body,
    notes,
  });
  const after = countRefunded(work, charge, amount);
  if (status === 'succeeded') work.recordRefund(charge.id, toIsoUnits(amount, body.currency));
  announce(work, 'refund.created', body, charge.body.livemode);
  announce(work, 'charge.refunded', after.body);
  return stored;
}

/** Adds to the refunded amount of the charge. Pending refunds count too, so that the rest limits further refunds. */
function countRefunded(work: UnitOfWork, charge: StoredCharge, amount: number): StoredCharge {
  const amount_refunded = charge.body.amount_refunded + amount;
  return changeCharge(work, charge, { amount_refunded, refunded: amount_refunded >= charge.body.amount_captured });
}

const isoUnitsOf = ({ body }: StoredRefund): number => toIsoUnits(body.amount, body.currency);

export function completeRefund(work: UnitOfWork, refund: StoredRefund): StoredRefund {
  if (refund.body.status !== 'pending') return refund;
  const { pending_reason: _, ...rest } = refund.body;
  const after: StoredRefund = work.objects.put({ ...refund, body: { ...rest, status: 'succeeded' } });
  work.recordRefund(refund.body.charge, isoUnitsOf(refund));
  announce(work, 'refund.updated', after.body, livemodeOf(work, refund));
  return after;
}

/** Fails a refund, also one that had succeeded: the money returns to the merchant. */
export function failRefund(work: UnitOfWork, refund: StoredRefund): StoredRefund {
  if (refund.body.status === 'failed') return refund;
  const { pending_reason: _, ...rest } = refund.body;
  const failure = { failure_balance_transaction: newStripeId('txn'), failure_reason: 'lost_or_stolen_card' };
  const after: StoredRefund = work.objects.put({ ...refund, body: { ...rest, ...failure, status: 'failed' } });
  const charge = findCharge(work, refund.body.charge);
  countRefunded(work, charge, -refund.body.amount);
  if (refund.body.status === 'succeeded') work.recordRefund(charge.id, -isoUnitsOf(refund));
  announce(work, 'refund.updated', after.body, charge.body.livemode);
  announce(work, 'refund.failed', after.body, charge.body.livemode);
  return after;
}

const livemodeOf = (work: UnitOfWork, refund: StoredRefund): boolean =>
  findCharge(work, refund.body.charge).body.livemode;

function refundedCharge({ input }: ApiRequest, work: UnitOfWork): StoredCharge {
  const intentId = textAt(input, 'payment_intent');
  const chargeId = textAt(input, 'charge');
  if (intentId === null && chargeId === null) throw missingParameter('payment_intent');
  if (intentId === null) return findCharge(work, chargeId ?? '', 'charge', 404);
  const intent = findIntent(work, intentId, 'payment_intent', 404);
  const latest = intent.body.latest_charge;
  if (intent.body.status !== 'succeeded' || latest === null) {
    throw unexpectedState(`This PaymentIntent (${intentId}) does not have a successful charge to refund.`, intent.body);
  }
  return findCharge(work, latest);
}

function createRefund(request: ApiRequest, work: UnitOfWork): Refund {
  const { input, call } = request;
  const charge = refundedCharge(request, work);
  if (!charge.body.captured)
    throw invalidState('This charge has not been captured; cancel its PaymentIntent instead.', { param: 'charge' });
  checkRefundable(work, charge);
  const remaining = charge.body.amount_captured - charge.body.amount_refunded;
  const amount = integerAt(input, 'amount') ?? remaining;
  if (remaining <= 0)
    throw invalidState(`Charge ${charge.id} has already been refunded.`, { code: 'charge_already_refunded' });
  if (amount < 1) throw invalid('Invalid positive integer', { param: 'amount', code: 'parameter_invalid_integer' });
  checkStep(amount, charge.body.currency);
  if (amount > remaining) throw refundTooLarge(amount, remaining, charge.body.currency);
  const behaviour = call.scenario?.behaviour.kind;
  const pending =
    behaviour === 'pending' ||
    behaviour === 'requires_action' ||
    (behaviour !== 'approve' && charge.notes.refunds === 'pending');
  const refund = newRefund(request, work, { charge, amount, status: pending ? 'pending' : 'succeeded' });
  return behaviour === 'decline' ? failRefund(work, refund).body : refund.body;
}

function updateRefund({ input, id }: ApiRequest, work: UnitOfWork): Refund {
  const refund = findRefund(work, id);
  const metadata = { ...refund.body.metadata, ...metadataOf(input) };
  return work.objects.put({ ...refund, body: { ...refund.body, metadata } }).body;
}

export const refundRoutes = [
  apiRoute('POST', '/v1/refunds', 'refund', { responseType: 'refund', shape: CREATE_REFUND, run: createRefund }),
  apiRoute('GET', '/v1/refunds/{id}', 'fetch_refund', {
    responseType: 'refund',
    shape: EXPAND_ONLY,
    run: ({ id }, work) => findRefund(work, id).body,
  }),
  apiRoute('POST', '/v1/refunds/{id}', 'update', {
    responseType: 'refund',
    shape: { ...EXPAND_ONLY, metadata: 'metadata' },
    run: updateRefund,
  }),
  apiRoute('GET', '/v1/charges/{id}', 'fetch', {
    responseType: 'charge',
    shape: EXPAND_ONLY,
    run: ({ id }, work) => findCharge(work, id).body,
  }),
];
