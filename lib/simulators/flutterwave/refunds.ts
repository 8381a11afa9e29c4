import { invalid, notFound } from '#lib/simulators/flutterwave/errors.ts';
import { announceRefund } from '#lib/simulators/flutterwave/events.ts';
import { toMajorAmount, toMinorUnits } from '#lib/simulators/flutterwave/money.ts';
import {
  isRefund,
  newNumericId,
  type Refund,
  type StoredRefund,
  type StoredTransaction,
} from '#lib/simulators/flutterwave/objects.ts';
import { findTransaction } from '#lib/simulators/flutterwave/payments.ts';
import { apiRoute, checkBody, textIn } from '#lib/simulators/flutterwave/requests.ts';
import { findOwned } from '#lib/simulators/kit/account-scope.ts';
import { scenarioNotes } from '#lib/simulators/kit/behaviour.ts';
import type { Call, UnitOfWork } from '#lib/simulators/kit/provider-simulator.port.ts';

const PER_PAGE = 10;

const refundsOf = (work: UnitOfWork, charge: StoredTransaction): readonly StoredRefund[] =>
  work.objects.childrenOf(charge.id).filter(isRefund);

const amountOf = ({ body }: StoredRefund, { body: { currency } }: StoredTransaction): number =>
  toMinorUnits(body.amount_refunded, currency);

/** The amount that can still be refunded. Pending refunds count as refunded. */
function refundableAmount(work: UnitOfWork, charge: StoredTransaction): number {
  const refunds = refundsOf(work, charge).filter(({ body }) => body.status !== 'failed');
  return refunds.reduce(
    (left, refund) => left - amountOf(refund, charge),
    toMinorUnits(charge.body.amount, charge.body.currency),
  );
}

const STATUS_BY_BEHAVIOUR: Readonly<Record<string, Refund['status']>> = {
  decline: 'failed',
  pending: 'pending',
  requires_action: 'pending',
};

/** Without idempotency keys, a repeated request is a second refund. */
function createRefund(call: Call, work: UnitOfWork) {
  // Flutterwave's library also sends the transaction's id.
  checkBody(call, ['id', 'amount', 'comments', 'callbackurl']);
  const { input, params, scenario } = call;
  const charge = findTransaction(work, params.id ?? '');
  if (charge.body.status !== 'successful') throw invalid('Transaction status is not valid for refund');
  const left = refundableAmount(work, charge);
  const amount = input.amount === undefined ? left : toMinorUnits(input.amount, charge.body.currency);
  if (amount > left || left === 0) throw invalid('Refund amount exceeds the amount left of the transaction');
  const id = newNumericId(work);
  const refund: Refund = {
    id,
    account_id: charge.body.account_id,
    tx_id: charge.body.id,
    flw_ref: `URF_${work.now.getTime()}_${id}`,
    wallet_id: charge.body.account_id,
    amount_refunded: toMajorAmount(amount, charge.body.currency),
    status: STATUS_BY_BEHAVIOUR[scenario?.behaviour.kind ?? ''] ?? 'completed',
    destination: 'payment_source',
    comments: textIn(input, 'comments'),
    meta: { source: 'availablebalance' },
    created_at: work.now.toISOString(),
  };
  const { webhook } = scenarioNotes(scenario);
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
  announceResult(work, work.objects.put(stored), amount);
  return { message: 'Transaction refund initiated', data: refund };
}

function announceResult(work: UnitOfWork, refund: StoredRefund, amount: number): void {
  if (refund.body.status === 'completed') work.recordRefund(refund.parent ?? '', amount);
  if (refund.body.status !== 'pending') announceRefund(work, refund);
}

/** The bank settles a pending refund, or fails one that had completed. */
export function settleRefund(work: UnitOfWork, refund: StoredRefund, status: 'completed' | 'failed'): void {
  const before = refund.body.status;
  if (before === status || (before === 'failed' && status === 'completed')) return;
  const charge = findTransaction(work, refund.parent ?? '');
  const after: StoredRefund = work.objects.put({ ...refund, body: { ...refund.body, status } });
  if (before === 'completed') work.recordRefund(charge.id, -amountOf(refund, charge));
  announceResult(work, after, amountOf(refund, charge));
}

/** Of one transaction, or of the account. */
function listedRefunds(id: string | null, work: UnitOfWork): readonly StoredRefund[] {
  if (id === null) return work.objects.ofKind(work.account, 'refund').filter(isRefund);
  const stored = work.objects.get(id);
  return stored?.account === work.account ? work.objects.childrenOf(id).filter(isRefund) : [];
}

/** Newest first. `from` and `to` are days. */
function listRefunds({ request: { query } }: Call, work: UnitOfWork) {
  const page = Number(query.get('page') ?? '1');
  const [from, to] = [query.get('from') ?? '', query.get('to') ?? '9999'];
  const dayOf = ({ body }: StoredRefund) => String(body.created_at).slice(0, 10);
  const all = listedRefunds(query.get('id'), work).filter((refund) => dayOf(refund) >= from && dayOf(refund) <= to);
  const newest = all.toReversed().map(({ body }) => body);
  const page_info = { total: all.length, current_page: page, total_pages: Math.ceil(all.length / PER_PAGE) };
  return {
    message: 'Refunds fetched',
    meta: { page_info },
    data: newest.slice((page - 1) * PER_PAGE, page * PER_PAGE),
  };
}

function getRefund({ params }: Call, work: UnitOfWork) {
  const stored = findOwned(work, params.id, isRefund);
  if (!stored) throw notFound('refund');
  return { message: 'Refund fetched', data: stored.body };
}

export const refundRoutes = [
  apiRoute('POST', '/v3/transactions/{id}/refund', 'refund', createRefund),
  apiRoute('GET', '/v3/refunds', 'fetch_refund', listRefunds),
  apiRoute('GET', '/v3/refunds/{id}', 'fetch_refund', getRefund),
];
