import type { Work } from '#lib/simulators/frame/provider.port.ts';
import { type Ask, api } from '#lib/simulators/stripe/ask.ts';
import { impossible, invalid, missing, unexpectedState } from '#lib/simulators/stripe/errors.ts';
import { findCharge, findIntent, findRefund } from '#lib/simulators/stripe/find.ts';
import { integerAt, textAt } from '#lib/simulators/stripe/form.ts';
import { overRefund } from '#lib/simulators/stripe/money.ts';
import { isRefund, type Refund, type StoredCharge } from '#lib/simulators/stripe/objects.ts';
import { failRefund, newRefund } from '#lib/simulators/stripe/refund-outcomes.ts';
import { CREATE_REFUND, EXPAND_ONLY } from '#lib/simulators/stripe/shapes.ts';

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
  if (!charge.body.captured)
    throw impossible('This charge has not been captured; cancel its PaymentIntent instead.', { param: 'charge' });
  const left = charge.body.amount_captured - charge.body.amount_refunded;
  const amount = integerAt(input, 'amount') ?? left;
  if (left <= 0)
    throw impossible(`Charge ${charge.id} has already been refunded.`, { code: 'charge_already_refunded' });
  if (amount < 1) throw invalid('Invalid positive integer', { param: 'amount', code: 'parameter_invalid_integer' });
  if (amount > left) throw overRefund(amount, left, charge.body.currency);
  const behaviour = call.script?.behaviour.kind;
  const slow =
    behaviour === 'pending' ||
    behaviour === 'requires_action' ||
    (behaviour !== 'approve' && charge.notes.refunds === 'pending');
  const refund = newRefund(ask, work, { charge, amount, status: slow ? 'pending' : 'succeeded' });
  return behaviour === 'decline' ? failRefund(work, refund).body : refund.body;
}

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
  api('POST', '/v1/refunds', 'refund', { shows: 'refund', shape: CREATE_REFUND, run: create }),
  api('GET', '/v1/refunds', 'fetch_refund', {
    shows: 'list:refund',
    shape: {
      charge: 'text',
      created: 'hash',
      ending_before: 'text',
      expand: 'texts',
      limit: 'integer',
      payment_intent: 'text',
      starting_after: 'text',
    },
    required: ['payment_intent'],
    run: list,
  }),
  api('GET', '/v1/refunds/{id}', 'fetch_refund', {
    shows: 'refund',
    shape: EXPAND_ONLY,
    run: ({ id }, work) => findRefund(work, id).body,
  }),
  api('GET', '/v1/charges/{id}', 'fetch', {
    shows: 'charge',
    shape: EXPAND_ONLY,
    run: ({ id }, work) => findCharge(work, id).body,
  }),
];
