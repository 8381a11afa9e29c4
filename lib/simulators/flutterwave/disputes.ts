import { invalid, notFound } from '#lib/simulators/flutterwave/errors.ts';
import { toMajorAmount } from '#lib/simulators/flutterwave/money.ts';
import { isTransaction } from '#lib/simulators/flutterwave/objects.ts';
import { apiRoute, checkBody, requiredText, type Success } from '#lib/simulators/flutterwave/requests.ts';
import { findOwned } from '#lib/simulators/kit/account-scope.ts';
import {
  type Dispute,
  disputeLife,
  disputesOf,
  isDispute,
  type StoredDispute,
} from '#lib/simulators/kit/dispute-life.ts';
import type { Call, NewDispute, UnitOfWork } from '#lib/simulators/kit/provider-simulator.port.ts';
import { randomId } from '#lib/simulators/kit/random-id.ts';
import { HOUR } from '#shared/kernel/clock.ts';

/** In the bank's words. */
const COMMENTS: Readonly<Record<NewDispute['reason'], string>> = {
  fraudulent: 'Fraudulent transaction',
  unrecognized: 'Cardholder does not recognize the transaction',
  duplicate: 'Duplicate processing',
  product_not_received: 'Product/service not received',
  product_unacceptable: 'Product not as described',
  subscription_canceled: 'Cancelled merchandise/Service',
  credit_not_processed: 'Credit not processed',
  processing_error: 'Incorrect amount',
  authorization: 'No authorization',
  debit_not_authorized: 'General',
  insufficient_funds: 'General',
  general: 'General',
};

/** A chargeback that nobody answered is lost, and its history says why. */
const STATUSES: Readonly<Record<Dispute['state'], string>> = {
  inquiry: 'initiated',
  needs_response: 'initiated',
  under_review: 'declined',
  won: 'won',
  lost: 'lost',
  accepted: 'accepted',
  expired: 'lost',
};

const iso = (at: number): string => new Date(at).toISOString();

/** Without the transaction, as the answer to an action shows it. */
const bare = ({ id, body }: StoredDispute) => ({
  id: Number(id),
  amount: toMajorAmount(body.amount, body.currency),
  flw_ref: `FLW-MOCK-${id}`,
  status: STATUSES[body.state],
  stage: 'new',
  comment: COMMENTS[body.reason],
  meta: {
    uploaded_proof: body.evidence.comment ?? null,
    history: [
      { action: 'initiated', stage: 'new', date: iso(body.openedAt), description: 'Debit and hold chargeback amount' },
      ...(body.state === 'expired'
        ? [{ action: 'lost', stage: 'new', date: iso(body.changedAt), description: 'No merchant response' }]
        : []),
    ],
  },
  due_date: iso(body.answerBy),
  settlement_id: 'N/A',
  created_at: iso(body.openedAt),
});

function view(work: UnitOfWork, dispute: StoredDispute): object {
  const transaction = work.objects.find(dispute.parent, isTransaction);
  return { ...bare(dispute), transaction_id: Number(dispute.parent), tx_ref: transaction?.body.tx_ref };
}

/** Flutterwave tells in its dashboard; callbacks about chargebacks are switched on by its staff alone. */
const life = disputeLife({
  newId: () => String(100_000 + (Number.parseInt(randomId(6), 36) % 900_000_000)),
  timeToAnswerMs: 48 * HOUR,
  currencyOf: (charged) => (isTransaction(charged) ? charged.body.currency : undefined),
  tell: () => {},
});

export const { controls: disputeControls, expire: expireDispute } = life;

const PAGE_SIZE = 20;

/** `id` is the transaction's. `from` and `to` are days. */
function listChargebacks({ request: { query } }: Call, work: UnitOfWork): Success {
  const page = Number(query.get('page') ?? 1);
  if (!Number.isInteger(page) || page < 1) throw invalid('page must be a positive number');
  const [transaction, from, to] = [query.get('id'), query.get('from') ?? '', query.get('to') ?? '9999'];
  const found = disputesOf(work)
    .filter(({ parent }) => transaction === null || parent === transaction)
    .filter(({ body }) => iso(body.openedAt) >= from && iso(body.openedAt).slice(0, 10) <= to)
    .toReversed();
  const pages = Math.ceil(found.length / PAGE_SIZE);
  const page_info = { total: found.length, current_page: page, total_pages: pages, page_size: PAGE_SIZE };
  const data = found.slice((page - 1) * PAGE_SIZE, page * PAGE_SIZE).map((dispute) => view(work, dispute));
  return { message: 'Chargebacks fetched', meta: { page_info }, data };
}

function updateChargeback(call: Call, work: UnitOfWork): Success {
  checkBody(call, ['action', 'comment']);
  const dispute = findOwned(work, call.params.id, isDispute);
  if (!dispute) throw notFound('chargeback');
  const action = requiredText(call.input, 'action');
  if (action !== 'accept' && action !== 'decline') throw invalid('action must be one of [accept, decline]');
  if (!life.isAnswerable(dispute)) throw invalid('This chargeback has already been treated');
  if (action === 'accept') return { message: 'Chargeback accepted', data: bare(life.accept(work, dispute)) };
  const comment = requiredText(call.input, 'comment');
  return { message: 'Chargeback declined', data: bare(life.answer(work, dispute, { comment })) };
}

export const disputeRoutes = [
  apiRoute('GET', '/v3/chargebacks', 'dispute', listChargebacks),
  apiRoute('PUT', '/v3/chargebacks/{id}', 'dispute', updateChargeback),
];
