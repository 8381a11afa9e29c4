import { following } from '#lib/simulators/frame/following.ts';
import { ownOf } from '#lib/simulators/frame/own.ts';
import type { Work } from '#lib/simulators/frame/provider.port.ts';
import {
  type Ask,
  api,
  integerIn,
  need,
  notFound,
  refused,
  type Told,
  textIn,
} from '#lib/simulators/paystack/answers.ts';
import { needTransaction } from '#lib/simulators/paystack/finding.ts';
import {
  INTEGRATION,
  isRefund,
  isTransaction,
  newNumber,
  type Refund,
  type StoredRefund,
  type StoredTransaction,
} from '#lib/simulators/paystack/objects.ts';
import { announce, change } from '#lib/simulators/paystack/outcomes.ts';
import { shownRefund, shownRefundEvent, shownTransaction } from '#lib/simulators/paystack/showing.ts';

const refuse = (message: string, code: string) => refused(400, { message, code });

/**
 * A refund is only queued by the call. Unless a scenario holds it back it is through a moment later, as the events
 * tell.
 */
function create(ask: Ask, work: Work): Told {
  const { input, call } = ask;
  const charge = needTransaction(work, need(input, 'transaction'));
  const { status, amount: charged, currency } = charge.body;
  if (status === 'reversed') throw refuse('Transaction has been fully reversed', 'transaction_reversed');
  if (status !== 'success') throw refuse('Transaction has not been charged', 'transaction_not_charged');
  const left = charged - charge.notes.refunded;
  const amount = integerIn(input, 'amount') ?? left;
  if (amount > left) throw refuse('Refund amount cannot be more than transaction amount', 'refund_amount_exceeded');
  if ((textIn(input, 'currency') ?? currency) !== currency)
    throw refuse('Refund currency must be that of the transaction', 'invalid_currency');
  const { webhook } = following(call.script);
  const refund = queue(work, charge, input, amount, webhook);
  const behaviour = call.script?.behaviour.kind;
  if (behaviour === 'decline') failRefund(work, refund);
  else if (behaviour !== 'pending' && behaviour !== 'requires_action') processRefund(work, refund);
  const data = { ...shownRefund(refund.body), transaction: shownTransaction(charge) };
  return { message: 'Refund has been queued for processing', data };
}

function queue(
  work: Work,
  charge: StoredTransaction,
  input: Ask['input'],
  amount: number,
  webhook: StoredRefund['notes']['webhook'],
): StoredRefund {
  const { id: transaction, reference: transaction_reference, domain, currency, email } = charge.body;
  const body: Refund = {
    id: newNumber(),
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
  change(work, charge, {}, { refunded: charge.notes.refunded + amount });
  // All refunds of an account hang together: that is how Paystack lists them.
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
  announce(work, 'refund.pending', () => shownRefundEvent(body));
  return stored;
}

const isOpen = ({ body }: StoredRefund): boolean => body.status !== 'processed' && body.status !== 'failed';

function move(work: Work, refund: StoredRefund, status: Refund['status']): StoredRefund {
  const after: StoredRefund = work.objects.put({ ...refund, body: { ...refund.body, status } });
  announce(work, `refund.${status}`, () => shownRefundEvent(after.body));
  return after;
}

/** A transaction that has gone back whole is called reversed. */
export function processRefund(work: Work, refund: StoredRefund): void {
  if (!isOpen(refund)) return;
  move(work, move(work, refund, 'processing'), 'processed');
  work.gaveBack(refund.body.transaction_reference, refund.body.amount);
  const charge = work.objects.get(refund.body.transaction_reference);
  if (charge && isTransaction(charge) && charge.notes.refunded >= charge.body.amount)
    change(work, charge, { status: 'reversed' });
}

export function failRefund(work: Work, refund: StoredRefund): void {
  if (!isOpen(refund)) return;
  const charge = work.objects.get(refund.body.transaction_reference);
  if (charge && isTransaction(charge))
    change(work, charge, {}, { refunded: charge.notes.refunded - refund.body.amount });
  move(work, refund, 'failed');
}

/** Newest first. `from` and `to` are days. */
function list({ call }: Ask, work: Work): Told {
  const { query } = call.request;
  const [from, to] = [query.get('from') ?? '', query.get('to') ?? '9999'];
  const perPage = Number(query.get('perPage') ?? 50);
  const page = Number(query.get('page') ?? 1);
  if (![perPage, page].every((n) => Number.isInteger(n) && n > 0))
    throw refuse('Invalid pagination values passed', 'invalid_pagination');
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
  return { message: 'Refunds retrieved', data: all.slice((page - 1) * perPage, page * perPage).map(shownRefund), meta };
}

function fetch({ id }: Ask, work: Work): Told {
  const refund = ownOf(work, id, isRefund);
  if (!refund) throw notFound('Refund not found', 'refund_not_found');
  return { message: 'Refund retrieved', data: shownRefund(refund.body) };
}

export const refundRoutes = [
  api('POST', '/refund', 'refund', create),
  api('GET', '/refund', 'fetch_refund', list),
  api('GET', '/refund/{id}', 'fetch_refund', fetch),
];
