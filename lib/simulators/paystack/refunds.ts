import { findOwned } from '#lib/simulators/kit/account-scope.ts';
import { scenarioNotes } from '#lib/simulators/kit/behaviour.ts';
import type { UnitOfWork } from '#lib/simulators/kit/provider-simulator.port.ts';
import { apiError, notFound } from '#lib/simulators/paystack/errors.ts';
import { announce, refundEventView } from '#lib/simulators/paystack/events.ts';
import {
  getTransaction,
  INTEGRATION,
  isRefund,
  isTransaction,
  newNumericId,
  type Refund,
  refundListView,
  refundView,
  type StoredRefund,
  type StoredTransaction,
  transactionView,
} from '#lib/simulators/paystack/objects.ts';
import { changeTransaction } from '#lib/simulators/paystack/outcomes.ts';
import {
  type ApiRequest,
  apiRoute,
  integerIn,
  requiredText,
  type Success,
  textIn,
} from '#lib/simulators/paystack/requests.ts';

const refundError = (message: string, code: string) => apiError(400, { message, code });

/** The call only queues a refund. Unless a scenario delays it, it is processed a moment later, with events. */
function createRefund(request: ApiRequest, work: UnitOfWork): Success {
  const { input, call } = request;
  const charge = getTransaction(work, requiredText(input, 'transaction'));
  const { status, amount: charged, currency } = charge.body;
  if (status === 'reversed') throw refundError('Transaction has been fully reversed', 'transaction_reversed');
  if (status !== 'success') throw refundError('Transaction has not been charged', 'transaction_not_charged');
  const remaining = charged - charge.notes.refunded;
  const amount = integerIn(input, 'amount') ?? remaining;
  if (amount > remaining)
    throw refundError('Refund amount cannot be more than transaction amount', 'refund_amount_exceeded');
  if ((textIn(input, 'currency') ?? currency) !== currency)
    throw refundError('Refund currency must be that of the transaction', 'invalid_currency');
  const { webhook } = scenarioNotes(call.scenario);
  const refund = queueRefund(work, charge, input, amount, webhook);
  const behaviour = call.scenario?.behaviour.kind;
  if (behaviour === 'decline') failRefund(work, refund);
  else if (behaviour !== 'pending' && behaviour !== 'requires_action') processRefund(work, refund);
  const data = { ...refundView(refund.body), transaction: transactionView(charge) };
  return { message: 'Refund has been queued for processing', data };
}

function queueRefund(
  work: UnitOfWork,
  charge: StoredTransaction,
  input: ApiRequest['input'],
  amount: number,
  webhook: StoredRefund['notes']['webhook'],
): StoredRefund {
  const { id: transaction, reference: transaction_reference, domain, currency, email } = charge.body;
  const body: Refund = {
    id: newNumericId(),
    integration: INTEGRATION,
    transaction,
    transaction_reference,
    domain,
    currency,
    amount,
    status: 'pending',
    merchant_note: textIn(input, 'merchant_note') ?? `Refund for transaction ${transaction_reference}`,
    customer_note: textIn(input, 'customer_note') ?? `Refund for transaction ${transaction_reference}`,
    refunded_by: 'owner@example.com',
    createdAt: work.now.toISOString(),
    email,
  };
  changeTransaction(work, charge, {}, { refunded: charge.notes.refunded + amount });
  // Paystack lists all refunds of an account, so they share one parent.
  const parent = `refunds of ${work.account}`;
  const stored = work.objects.put({
    id: String(body.id),
    account: work.account,
    kind: 'refund',
    paymentId: charge.paymentId,
    parent,
    due: null,
    body,
    notes: { webhook },
  });
  announce(work, 'refund.pending', () => refundEventView(body));
  return stored;
}

const isOpen = ({ body }: StoredRefund): boolean => body.status !== 'processed' && body.status !== 'failed';

function moveRefund(work: UnitOfWork, refund: StoredRefund, status: Refund['status']): StoredRefund {
  const after: StoredRefund = work.objects.put({ ...refund, body: { ...refund.body, status } });
  announce(work, `refund.${status}`, () => refundEventView(after.body));
  return after;
}

/** A transaction that is fully refunded becomes reversed. */
export function processRefund(work: UnitOfWork, refund: StoredRefund): void {
  if (!isOpen(refund)) return;
  moveRefund(work, moveRefund(work, refund, 'processing'), 'processed');
  work.recordRefund(refund.body.transaction_reference, refund.body.amount);
  const charge = work.objects.get(refund.body.transaction_reference);
  if (charge && isTransaction(charge) && charge.notes.refunded >= charge.body.amount)
    changeTransaction(work, charge, { status: 'reversed' });
}

export function failRefund(work: UnitOfWork, refund: StoredRefund): void {
  if (!isOpen(refund)) return;
  const charge = work.objects.get(refund.body.transaction_reference);
  if (charge && isTransaction(charge))
    changeTransaction(work, charge, {}, { refunded: charge.notes.refunded - refund.body.amount });
  moveRefund(work, refund, 'failed');
}

/** Newest first. `from` and `to` are dates. */
function listRefunds({ call }: ApiRequest, work: UnitOfWork): Success {
  const { query } = call.request;
  const [from, to] = [query.get('from') ?? '', query.get('to') ?? '9999'];
  const perPage = Number(query.get('perPage') ?? 50);
  const page = Number(query.get('page') ?? 1);
  if (![perPage, page].every((n) => Number.isInteger(n) && n > 0))
    throw refundError('Invalid pagination values passed', 'invalid_pagination');
  const all = work.objects
    .childrenOf(`refunds of ${work.account}`)
    .filter(isRefund)
    .map(({ body }) => body)
    .filter(({ createdAt }) => createdAt.slice(0, 10) >= from && createdAt.slice(0, 10) <= to)
    .toReversed();
  const meta = {
    total: all.length,
    skipped: (page - 1) * perPage,
    perPage,
    page,
    pageCount: Math.ceil(all.length / perPage),
  };
  return {
    message: 'Refunds retrieved',
    data: all.slice((page - 1) * perPage, page * perPage).map(refundListView),
    meta,
  };
}

function getRefund({ id }: ApiRequest, work: UnitOfWork): Success {
  const refund = findOwned(work, id, isRefund);
  if (!refund) throw notFound('Refund not found', 'refund_not_found');
  return { message: 'Refund retrieved', data: refundView(refund.body) };
}

export const refundRoutes = [
  apiRoute('POST', '/refund', 'refund', createRefund),
  apiRoute('GET', '/refund', 'fetch_refund', listRefunds),
  apiRoute('GET', '/refund/{id}', 'fetch_refund', getRefund),
];
