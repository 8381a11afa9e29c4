import { scenarioNotes } from '#lib/simulators/kit/behaviour.ts';
import type { UnitOfWork } from '#lib/simulators/kit/provider-simulator.port.ts';
import { invalid, invalidState, unknownId } from '#lib/simulators/razorpay/errors.ts';
import { announce } from '#lib/simulators/razorpay/events.ts';
import { smallestStep } from '#lib/simulators/razorpay/money.ts';
import {
  isPayment,
  isRefund,
  newId,
  type Refund,
  type StoredPayment,
  type StoredRefund,
  seconds,
} from '#lib/simulators/razorpay/objects.ts';
import { changePayment } from '#lib/simulators/razorpay/outcomes.ts';
import {
  type ApiRequest,
  apiRoute,
  collection,
  findObject,
  integerIn,
  notesIn,
  textIn,
} from '#lib/simulators/razorpay/requests.ts';

/** Adds to the refunded amount of the payment. Pending refunds count too, so that the rest limits further refunds. */
function countRefunded(work: UnitOfWork, payment: StoredPayment, amount: number): StoredPayment {
  const amount_refunded = payment.body.amount_refunded + amount;
  const full = amount_refunded >= payment.body.amount;
  const partial = amount_refunded > 0 ? 'partial' : null;
  return changePayment(work, payment, {
    amount_refunded,
    refund_status: full ? 'full' : partial,
    status: full ? 'refunded' : 'captured',
  });
}

function announceRefund(work: UnitOfWork, event: string, refund: StoredRefund): void {
  const payment = work.objects.get(refund.body.payment_id);
  if (payment && isPayment(payment)) announce(work, event, { refund: refund.body, payment: payment.body });
}

const changeRefund = (work: UnitOfWork, refund: StoredRefund, status: Refund['status']): StoredRefund =>
  work.objects.put({ ...refund, body: { ...refund.body, status } });

export function completeRefund(work: UnitOfWork, refund: StoredRefund): StoredRefund {
  if (refund.body.status !== 'pending') return refund;
  const after = changeRefund(work, refund, 'processed');
  work.recordRefund(refund.body.payment_id, refund.body.amount);
  announceRefund(work, 'refund.processed', after);
  return after;
}

/** Fails a refund, also one that was processed: the money returns to the merchant. */
export function failRefund(work: UnitOfWork, refund: StoredRefund): StoredRefund {
  const payment = work.objects.get(refund.body.payment_id);
  if (refund.body.status === 'failed' || !payment || !isPayment(payment)) return refund;
  countRefunded(work, payment, -refund.body.amount);
  if (refund.body.status === 'processed') work.recordRefund(payment.id, -refund.body.amount);
  const after = changeRefund(work, refund, 'failed');
  announceRefund(work, 'refund.failed', after);
  return after;
}

function refundAmount({ input }: ApiRequest, { body }: StoredPayment): number {
  const remaining = body.amount - body.amount_refunded;
  if (body.captured && remaining <= 0) throw invalidState('The payment has been fully refunded already');
  if (body.status !== 'captured') throw invalidState('The payment status should be captured for action to be taken');
  const amount = integerIn(input, 'amount') ?? remaining;
  if (amount < 1 || amount % smallestStep(body.currency) !== 0)
    throw invalid('The refund amount is not valid.', 'amount');
  if (amount > remaining) throw invalidState('The refund amount provided is greater than amount captured');
  return amount;
}

function createRefund(request: ApiRequest, work: UnitOfWork): Refund {
  const { input, id: paymentId, call } = request;
  if (call.key !== null && !/^[A-Za-z0-9_-]{10,}$/.test(call.key))
    throw invalid('The idempotency key must have at least 10 letters, digits, hyphens or underscores.');
  const payment = findObject(work, paymentId, isPayment);
  const amount = refundAmount(request, payment);
  const speed = textIn(input, 'speed') ?? 'normal';
  const id = newId('rfnd');
  const body: Refund = {
    id,
    entity: 'refund',
    amount,
    currency: payment.body.currency,
    payment_id: payment.id,
    notes: notesIn(input),
    receipt: textIn(input, 'receipt'),
    acquirer_data: { arn: null },
    created_at: seconds(work.now),
    batch_id: null,
    status: 'pending',
    speed_processed: 'normal',
    speed_requested: speed,
  };
  const notes = { webhook: scenarioNotes(call.scenario).webhook };
  const stored: StoredRefund = {
    id,
    account: work.account,
    kind: 'refund',
    paymentId: payment.paymentId,
    parent: payment.id,
    due: null,
    body,
    notes,
  };
  work.objects.put(stored);
  countRefunded(work, payment, amount);
  announceRefund(work, 'refund.created', stored);
  const behaviour = call.scenario?.behaviour.kind;
  if (behaviour === 'decline') return failRefund(work, stored).body;
  return behaviour === 'pending' || behaviour === 'requires_action' ? body : completeRefund(work, stored).body;
}

const refundsOf = (work: UnitOfWork, id: string): readonly StoredRefund[] =>
  work.objects.childrenOf(findObject(work, id, isPayment).id).filter(isRefund);

function getRefundOfPayment({ id, call }: ApiRequest, work: UnitOfWork): Refund {
  const refund = refundsOf(work, id).find((one) => one.id === call.params.refund);
  if (!refund) throw unknownId();
  return refund.body;
}

export const refundRoutes = [
  apiRoute('POST', '/v1/payments/{id}/refund', 'refund', {
    shape: { amount: 'integer', speed: ['normal', 'optimum'], notes: 'notes', receipt: 'text' },
    run: createRefund,
  }),
  apiRoute('GET', '/v1/payments/{id}/refunds', 'fetch_refund', {
    filters: ['count', 'skip', 'from', 'to'],
    run: ({ id, query }, work) => {
      const newestFirst = refundsOf(work, id).toReversed();
      return collection(
        newestFirst.map(({ body }) => body),
        query,
      );
    },
  }),
  apiRoute('GET', '/v1/payments/{id}/refunds/{refund}', 'fetch_refund', { run: getRefundOfPayment }),
  apiRoute('GET', '/v1/refunds/{id}', 'fetch_refund', { run: ({ id }, work) => findObject(work, id, isRefund).body }),
];
