import type { Work } from '#lib/local/simulators/frame/provider.port.ts';
import { type Ask, api } from '#lib/local/simulators/stripe/ask.ts';
import { changeCharge } from '#lib/local/simulators/stripe/charges.ts';
import { impossible, invalid, missing, unexpectedState } from '#lib/local/simulators/stripe/errors.ts';
import { announce } from '#lib/local/simulators/stripe/events.ts';
import { findCharge, findIntent, findRefund } from '#lib/local/simulators/stripe/find.ts';
import { integerAt, metadataOf, textAt } from '#lib/local/simulators/stripe/form.ts';
import { overRefund } from '#lib/local/simulators/stripe/money.ts';
import { following, isRefund, newStripeId, type Refund, type StoredCharge, type StoredRefund, seconds } from '#lib/local/simulators/stripe/objects.ts';
import { CREATE_REFUND } from '#lib/local/simulators/stripe/shapes.ts';

function refundedCharge({ input }: Ask, work: Work): StoredCharge {
  const intentId = textAt(input, 'payment_intent');
  const chargeId = textAt(input, 'charge');
  if (intentId === null && chargeId === null) throw missing('payment_intent');
  if (intentId === null) return findCharge(work, chargeId ?? '', 'charge', 404);
  const intent = findIntent(work, intentId, 'payment_intent', 404);
  const latest = intent.body.latest_charge;
  if (intent.body.status !== 'succeeded' || latest === null) {
    throw unexpectedState(`This PaymentIntent (${intentId}) does not have a successful charge to refund.`, intent.body);
  }
  return findCharge(work, latest);
}

function create(ask: Ask, work: Work): Refund {
  const { input, call } = ask;
  const charge = refundedCharge(ask, work);
  if (!charge.body.captured) throw impossible('This charge has not been captured; cancel its PaymentIntent instead.', { param: 'charge' });
  const left = charge.body.amount_captured - charge.body.amount_refunded;
  const amount = integerAt(input, 'amount') ?? left;
  if (left <= 0) throw impossible(`Charge ${charge.id} has already been refunded.`, { code: 'charge_already_refunded' });
  if (amount < 1) throw invalid('Invalid positive integer', { param: 'amount', code: 'parameter_invalid_integer' });
  if (amount > left) throw overRefund(amount, left, charge.body.currency);
  const behaviour = call.script?.behaviour.kind;
  const slow = behaviour === 'pending' || behaviour === 'requires_action' || (behaviour !== 'approve' && charge.notes.refunds === 'pending');
  const refund = newRefund(ask, work, charge, amount, slow ? 'pending' : 'succeeded');
  return behaviour === 'decline' ? failRefund(work, refund).body : refund.body;
}

function newRefund({ input, call }: Ask, work: Work, charge: StoredCharge, amount: number, status: Refund['status']): StoredRefund {
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
    destination_details: { card: { reference_status: 'pending', reference_type: 'acquirer_reference_number', type: 'refund' }, type: 'card' },
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
  const notes = { webhook: following(call.script).webhook };
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
  const after = giveBack(work, charge, amount);
  if (status === 'succeeded') work.gaveBack(charge.id, amount);
  announce(work, 'refund.created', body, charge.body.livemode);
  announce(work, 'charge.refunded', after.body);
  return stored;
}

/** What counts as refunded on the charge, pending ones included: no more than the rest can be asked for. */
function giveBack(work: Work, charge: StoredCharge, amount: number): StoredCharge {
  const amount_refunded = charge.body.amount_refunded + amount;
  return changeCharge(work, charge, { amount_refunded, refunded: amount_refunded >= charge.body.amount_captured });
}

export function completeRefund(work: Work, refund: StoredRefund): StoredRefund {
  if (refund.body.status !== 'pending') return refund;
  const { pending_reason: _, ...rest } = refund.body;
  const after: StoredRefund = work.objects.put({ ...refund, body: { ...rest, status: 'succeeded' } });
  work.gaveBack(refund.body.charge, refund.body.amount);
  announce(work, 'refund.updated', after.body, livemodeOf(work, refund));
  return after;
}

/** The money comes back to the merchant, also from a refund that had succeeded already. */
export function failRefund(work: Work, refund: StoredRefund): StoredRefund {
  if (refund.body.status === 'failed') return refund;
  const { pending_reason: _, ...rest } = refund.body;
  const failure = { failure_balance_transaction: newStripeId('txn'), failure_reason: 'lost_or_stolen_card' };
  const after: StoredRefund = work.objects.put({ ...refund, body: { ...rest, ...failure, status: 'failed' } });
  const charge = findCharge(work, refund.body.charge);
  giveBack(work, charge, -refund.body.amount);
  if (refund.body.status === 'succeeded') work.gaveBack(charge.id, -refund.body.amount);
  announce(work, 'refund.updated', after.body, charge.body.livemode);
  announce(work, 'refund.failed', after.body, charge.body.livemode);
  return after;
}

const livemodeOf = (work: Work, refund: StoredRefund): boolean => findCharge(work, refund.body.charge).body.livemode;

function list({ input }: Ask, work: Work): object {
  const intentId = textAt(input, 'payment_intent') ?? '';
  const intent = findIntent(work, intentId, 'payment_intent', 400);
  const data = work.objects
    .childrenOf(intent.id)
    .filter(isRefund)
    .map(({ body }) => body);
  return { object: 'list', data: data.toReversed(), has_more: false, url: '/v1/refunds' };
}

export const refundRoutes = [
  api('POST', '/v1/refunds', 'refund', { shape: CREATE_REFUND, run: create }),
  api('GET', '/v1/refunds', 'fetch_refund', {
    shape: { charge: 'text', created: 'hash', ending_before: 'text', expand: 'texts', limit: 'integer', payment_intent: 'text', starting_after: 'text' },
    required: ['payment_intent'],
    run: list,
  }),
  api('GET', '/v1/refunds/{id}', 'fetch_refund', { shape: { expand: 'texts' }, run: ({ id }, work) => findRefund(work, id).body }),
  api('GET', '/v1/charges/{id}', 'fetch', { shape: { expand: 'texts' }, run: ({ id }, work) => findCharge(work, id).body }),
];
