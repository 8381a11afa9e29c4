import { following } from '#lib/simulators/frame/following.ts';
import type { Work } from '#lib/simulators/frame/provider.port.ts';
import { type Ask, api, collection, find } from '#lib/simulators/razorpay/ask.ts';
import { impossible, invalid, noSuchId } from '#lib/simulators/razorpay/errors.ts';
import { announce } from '#lib/simulators/razorpay/events.ts';
import { step } from '#lib/simulators/razorpay/money.ts';
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
import { integerIn, notesIn, textIn } from '#lib/simulators/razorpay/validation.ts';

/** What counts as refunded, refunds under way included: no more than the rest can be asked for. */
function giveBack(work: Work, payment: StoredPayment, amount: number): StoredPayment {
  const amount_refunded = payment.body.amount_refunded + amount;
  const whole = amount_refunded >= payment.body.amount;
  const refund_status = whole ? 'full' : amount_refunded > 0 ? 'partial' : null;
  return changePayment(work, payment, { amount_refunded, refund_status, status: whole ? 'refunded' : 'captured' });
}

function tell(work: Work, event: string, refund: StoredRefund): void {
  const payment = work.objects.get(refund.body.payment_id);
  if (payment && isPayment(payment)) announce(work, event, { refund: refund.body, payment: payment.body });
}

const settle = (work: Work, refund: StoredRefund, status: Refund['status']): StoredRefund =>
  work.objects.put({ ...refund, body: { ...refund.body, status } });

export function completeRefund(work: Work, refund: StoredRefund): StoredRefund {
  if (refund.body.status !== 'pending') return refund;
  const after = settle(work, refund, 'processed');
  work.gaveBack(refund.body.payment_id, refund.body.amount);
  tell(work, 'refund.processed', after);
  return after;
}

/** The money comes back to the merchant, also from a refund that was processed already. */
export function failRefund(work: Work, refund: StoredRefund): StoredRefund {
  const payment = work.objects.get(refund.body.payment_id);
  if (refund.body.status === 'failed' || !payment || !isPayment(payment)) return refund;
  giveBack(work, payment, -refund.body.amount);
  if (refund.body.status === 'processed') work.gaveBack(payment.id, -refund.body.amount);
  const after = settle(work, refund, 'failed');
  tell(work, 'refund.failed', after);
  return after;
}

function amountOf({ input }: Ask, { body }: StoredPayment): number {
  const left = body.amount - body.amount_refunded;
  if (body.captured && left <= 0) throw impossible('The payment has been fully refunded already');
  if (body.status !== 'captured') throw impossible('The payment status should be captured for action to be taken');
  const amount = integerIn(input, 'amount') ?? left;
  if (amount < 1 || amount % step(body.currency) !== 0) throw invalid('The refund amount is not valid.', 'amount');
  if (amount > left) throw impossible('The refund amount provided is greater than amount captured');
  return amount;
}

function create(ask: Ask, work: Work): Refund {
  const { input, id: paymentId, call } = ask;
  if (call.key !== null && !/^[A-Za-z0-9_-]{10,}$/.test(call.key))
    throw invalid('The idempotency key must have at least 10 letters, digits, hyphens or underscores.');
  const payment = find(work, paymentId, isPayment);
  const amount = amountOf(ask, payment);
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
  const notes = { webhook: following(call.script).webhook };
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
  giveBack(work, payment, amount);
  tell(work, 'refund.created', stored);
  const behaviour = call.script?.behaviour.kind;
  if (behaviour === 'decline') return failRefund(work, stored).body;
  return behaviour === 'pending' || behaviour === 'requires_action' ? body : completeRefund(work, stored).body;
}

const refundsOf = (work: Work, id: string): readonly StoredRefund[] =>
  work.objects.childrenOf(find(work, id, isPayment).id).filter(isRefund);

function ofPayment({ id, call }: Ask, work: Work): Refund {
  const refund = refundsOf(work, id).find((one) => one.id === call.params.refund);
  if (!refund) throw noSuchId();
  return refund.body;
}

export const refundRoutes = [
  api('POST', '/v1/payments/{id}/refund', 'refund', {
    shape: { amount: 'integer', speed: ['normal', 'optimum'], notes: 'notes', receipt: 'text' },
    run: create,
  }),
  api('GET', '/v1/payments/{id}/refunds', 'fetch_refund', {
    filters: ['count', 'skip', 'from', 'to'],
    run: ({ id, query }, work) => {
      const newestFirst = refundsOf(work, id).toReversed();
      return collection(
        newestFirst.map(({ body }) => body),
        query,
      );
    },
  }),
  api('GET', '/v1/payments/{id}/refunds/{refund}', 'fetch_refund', { run: ofPayment }),
  api('GET', '/v1/refunds/{id}', 'fetch_refund', { run: ({ id }, work) => find(work, id, isRefund).body }),
];
