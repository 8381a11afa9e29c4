import { api, invalid, missing } from '#lib/simulators/flutterwave/answers.ts';
import { checkBody } from '#lib/simulators/flutterwave/asked.ts';
import { announceRefund } from '#lib/simulators/flutterwave/events.ts';
import { findTransaction } from '#lib/simulators/flutterwave/lookups.ts';
import { majorFrom, minorFrom } from '#lib/simulators/flutterwave/money.ts';
import {
  isRefund,
  newNumber,
  type Refund,
  type StoredRefund,
  type StoredTransaction,
} from '#lib/simulators/flutterwave/objects.ts';
import { textAt } from '#lib/simulators/flutterwave/reading.ts';
import { following } from '#lib/simulators/frame/following.ts';
import { ownOf } from '#lib/simulators/frame/own.ts';
import type { Call, Work } from '#lib/simulators/frame/provider.port.ts';

const PER_PAGE = 10;

const refundsOf = (work: Work, charge: StoredTransaction): readonly StoredRefund[] =>
  work.objects.childrenOf(charge.id).filter(isRefund);

const amountOf = ({ body }: StoredRefund, { body: { currency } }: StoredTransaction): number =>
  minorFrom(body.amount_refunded, currency);

/** Pending refunds count: no more than the rest can be asked for. */
function leftOf(work: Work, charge: StoredTransaction): number {
  const given = refundsOf(work, charge).filter(({ body }) => body.status !== 'failed');
  return given.reduce(
    (left, refund) => left - amountOf(refund, charge),
    minorFrom(charge.body.amount, charge.body.currency),
  );
}

const STATES: Readonly<Record<string, Refund['status']>> = {
  decline: 'failed',
  pending: 'pending',
  requires_action: 'pending',
};

/** The same refund asked for twice is two refunds: there is no key here. */
function create(call: Call, work: Work) {
  checkBody(call, ['amount', 'comments', 'callbackurl']);
  const { input, params, script } = call;
  const charge = findTransaction(work, params.id ?? '');
  if (charge.body.status !== 'successful') throw invalid('Transaction status is not valid for refund');
  const left = leftOf(work, charge);
  const amount = input.amount === undefined ? left : minorFrom(input.amount, charge.body.currency);
  if (amount > left || left === 0) throw invalid('Refund amount exceeds the amount left of the transaction');
  const id = newNumber(work);
  const refund: Refund = {
    id,
    account_id: charge.body.account_id,
    tx_id: charge.body.id,
    flw_ref: `URF_${work.now.getTime()}_${id}`,
    wallet_id: charge.body.account_id,
    amount_refunded: majorFrom(amount, charge.body.currency),
    status: STATES[script?.behaviour.kind ?? ''] ?? 'completed',
    destination: 'payment_source',
    comments: textAt(input, 'comments'),
    meta: { source: 'availablebalance' },
    created_at: work.now.toISOString(),
  };
  const { webhook } = following(script);
  const stored: StoredRefund = {
    id: String(id),
    account: work.account,
    kind: 'refund',
    paymentId: charge.paymentId,
    parent: charge.id,
    due: null,
    body: refund,
    notes: { webhook },
  };
  settled(work, work.objects.put(stored), amount);
  return { message: 'Transaction refund initiated', data: refund };
}

function settled(work: Work, refund: StoredRefund, amount: number): void {
  if (refund.body.status === 'completed') work.gaveBack(refund.parent ?? '', amount);
  if (refund.body.status !== 'pending') announceRefund(work, refund);
}

/** The bank decides on a pending refund, or sends back one that had gone through. */
export function settleRefund(work: Work, refund: StoredRefund, status: 'completed' | 'failed'): void {
  const before = refund.body.status;
  if (before === status || (before === 'failed' && status === 'completed')) return;
  const charge = findTransaction(work, refund.parent ?? '');
  const after: StoredRefund = work.objects.put({ ...refund, body: { ...refund.body, status } });
  if (before === 'completed') work.gaveBack(charge.id, -amountOf(refund, charge));
  settled(work, after, amountOf(refund, charge));
}

function list({ request }: Call, work: Work) {
  const id = request.query.get('id') ?? '';
  const page = Number(request.query.get('page') ?? '1');
  const stored = work.objects.get(id);
  const all = stored?.account === work.account ? work.objects.childrenOf(id).filter(isRefund) : [];
  const newest = all.toReversed().map(({ body }) => body);
  const page_info = { total: all.length, current_page: page, total_pages: Math.ceil(all.length / PER_PAGE) };
  return {
    message: 'Refunds fetched',
    meta: { page_info },
    data: newest.slice((page - 1) * PER_PAGE, page * PER_PAGE),
  };
}

function show({ params }: Call, work: Work) {
  const stored = ownOf(work, params.id, isRefund);
  if (!stored) throw missing('refund');
  return { message: 'Refund fetched', data: stored.body };
}

export const refundRoutes = [
  api('POST', '/v3/transactions/{id}/refund', 'refund', create),
  api('GET', '/v3/refunds', 'fetch_refund', list),
  api('GET', '/v3/refunds/{id}', 'fetch_refund', show),
];
