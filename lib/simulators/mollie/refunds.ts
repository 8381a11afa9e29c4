import { scenarioNotes } from '#lib/simulators/kit/behaviour.ts';
import { textAt } from '#lib/simulators/kit/json.ts';
import type { UnitOfWork } from '#lib/simulators/kit/provider-simulator.port.ts';
import { apiError, invalidState, notFound } from '#lib/simulators/mollie/errors.ts';
import { announceRefund } from '#lib/simulators/mollie/events.ts';
import { halPage } from '#lib/simulators/mollie/lists.ts';
import { amountOf, minorUnits, readAmount } from '#lib/simulators/mollie/money.ts';
import {
  findPayment,
  isRefund,
  newMollieId,
  type Refund,
  type StoredPayment,
  type StoredRefund,
  timestamp,
} from '#lib/simulators/mollie/objects.ts';
import { changePayment } from '#lib/simulators/mollie/outcomes.ts';
import { type ApiRequest, apiRoute, checkMetadata } from '#lib/simulators/mollie/requests.ts';
import { MINUTE, SECOND } from '#shared/kernel/clock.ts';

/** Mollie takes until the next working day. Here it is just long enough that the response comes first. */
const REFUND_DELAY_MS = SECOND;

/** Two equal refunds within this time are treated as a duplicate. */
const DUPLICATE_WINDOW_MS = MINUTE;

const refundsOf = (work: UnitOfWork, { id }: StoredPayment): readonly StoredRefund[] =>
  work.objects.childrenOf(id).filter(isRefund);

/** Adds to the refunded amount of the payment. Pending refunds count too, so that the rest limits further refunds. */
function addToRefunded(work: UnitOfWork, payment: StoredPayment, minorAmount: number): StoredPayment {
  const { amountRefunded, amountRemaining } = payment.body;
  const { currency } = payment.body.amount;
  const add = (amount = amountOf(0, currency), by: number) => amountOf(minorUnits(amount) + by, currency);
  return changePayment(work, payment, {
    amountRefunded: add(amountRefunded, minorAmount),
    amountRemaining: add(amountRemaining, -minorAmount),
  });
}

function createRefund({ id, input, call }: ApiRequest, work: UnitOfWork): Refund {
  const payment = findPayment(work, id);
  const amount = readAmount(input.amount);
  checkMetadata(input.metadata);
  const { status, amountRemaining, amount: paid } = payment.body;
  if (status !== 'paid' || !amountRemaining) throw invalidState('The payment is not paid and cannot be refunded.');
  if (amount.currency !== paid.currency)
    throw invalidState('The amount contains an invalid currency', 'amount.currency');
  const description = textAt(input, 'description') || 'Refund';
  const metadata = input.metadata ?? null;
  const isSame = (body: Refund) =>
    JSON.stringify([body.amount, body.description, body.metadata]) === JSON.stringify([amount, description, metadata]);
  const isRecent = ({ body }: StoredRefund) => Date.parse(body.createdAt) + DUPLICATE_WINDOW_MS > work.now.getTime();
  if (refundsOf(work, payment).some((refund) => isRecent(refund) && isSame(refund.body)))
    throw apiError(409, 'A duplicate refund has been detected');
  if (minorUnits(amount) > minorUnits(amountRemaining))
    throw invalidState('The specified amount cannot be refunded. It is higher than the remaining amount.', 'amount');
  const refund = newRefund(work, payment, { amount, description, metadata }, scenarioNotes(call.scenario).webhook);
  addToRefunded(work, payment, minorUnits(amount));
  const behaviour = call.scenario?.behaviour.kind;
  if (behaviour === 'decline') return failRefund(work, refund).body;
  if (behaviour === 'approve') return completeRefund(work, refund).body;
  announceRefund(work, payment, refund.body);
  return behaviour === 'pending' ? work.objects.put({ ...refund, due: null }).body : refund.body;
}

function newRefund(
  work: UnitOfWork,
  payment: StoredPayment,
  fields: Pick<Refund, 'amount' | 'description' | 'metadata'>,
  webhook: StoredRefund['notes']['webhook'],
) {
  const id = newMollieId('re');
  const paymentUrl = `https://api.mollie.com/v2/payments/${payment.id}`;
  const body: Refund = {
    resource: 'refund',
    id,
    mode: payment.body.mode,
    ...fields,
    status: 'pending',
    paymentId: payment.id,
    createdAt: timestamp(work.now),
    _links: {
      self: { href: `${paymentUrl}/refunds/${id}`, type: 'application/hal+json' },
      payment: { href: paymentUrl, type: 'application/hal+json' },
      documentation: { href: 'https://docs.mollie.com/reference/create-refund', type: 'text/html' },
    },
  };
  const due = work.now.getTime() + REFUND_DELAY_MS;
  return work.objects.put({
    id,
    account: work.account,
    kind: 'refund',
    paymentId: payment.paymentId,
    parent: payment.id,
    due,
    body,
    notes: { webhook },
  });
}

function finishRefund(work: UnitOfWork, refund: StoredRefund, status: Refund['status']): StoredRefund {
  const after = work.objects.put({ ...refund, due: null, body: { ...refund.body, status } });
  announceRefund(work, findPayment(work, refund.body.paymentId), after.body);
  return after;
}

const OPEN_STATUSES: ReadonlySet<string> = new Set(['queued', 'pending', 'processing']);

export function completeRefund(work: UnitOfWork, refund: StoredRefund): StoredRefund {
  if (!OPEN_STATUSES.has(refund.body.status)) return refund;
  work.recordRefund(refund.body.paymentId, minorUnits(refund.body.amount));
  return finishRefund(work, refund, 'refunded');
}

/** Fails or cancels a refund, also one that had completed. The money returns to the merchant. */
export function failRefund(
  work: UnitOfWork,
  refund: StoredRefund,
  status: 'failed' | 'canceled' = 'failed',
): StoredRefund {
  if (refund.body.status === 'failed' || refund.body.status === 'canceled') return refund;
  const minorAmount = minorUnits(refund.body.amount);
  if (refund.body.status === 'refunded') work.recordRefund(refund.body.paymentId, -minorAmount);
  addToRefunded(work, findPayment(work, refund.body.paymentId), -minorAmount);
  return finishRefund(work, refund, status);
}

/** Mollie reports a canceled refund as missing. */
function findRefund({ id, call }: ApiRequest, work: UnitOfWork): StoredRefund {
  const payment = findPayment(work, id);
  const token = call.params.refund ?? '';
  const refund = refundsOf(work, payment).find((each) => each.id === token && each.body.status !== 'canceled');
  if (!refund) throw notFound(token);
  return refund;
}

function cancelRefund(request: ApiRequest, work: UnitOfWork): undefined {
  const refund = findRefund(request, work);
  if (!OPEN_STATUSES.has(refund.body.status)) throw invalidState('The refund cannot be cancelled');
  failRefund(work, refund, 'canceled');
}

/** Those of one payment. */
function listRefunds(request: ApiRequest, work: UnitOfWork): object {
  const url = `https://api.mollie.com/v2/payments/${request.id}/refunds`;
  const refunds = refundsOf(work, findPayment(work, request.id)).toReversed();
  return halPage(refunds, request, { url, name: 'refunds', documentation: 'list-refunds' });
}

export const refundRoutes = [
  apiRoute('POST', '/v2/payments/{id}/refunds', 'refund', {
    shape: { amount: 'object', description: 'text', metadata: 'any' },
    status: 201,
    run: createRefund,
  }),
  apiRoute('GET', '/v2/payments/{id}/refunds', 'fetch_refund', { query: ['embed', 'from', 'limit'], run: listRefunds }),
  apiRoute('GET', '/v2/payments/{id}/refunds/{refund}', 'fetch_refund', {
    query: ['embed'],
    run: (request, work) => findRefund(request, work).body,
  }),
  apiRoute('DELETE', '/v2/payments/{id}/refunds/{refund}', 'cancel_refund', { status: 204, run: cancelRefund }),
];
