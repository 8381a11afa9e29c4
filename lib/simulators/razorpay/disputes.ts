import {
  type Dispute,
  disputeLife,
  disputesOf,
  isDispute,
  type StoredDispute,
} from '#lib/simulators/kit/dispute-life.ts';
import type { NewDispute, UnitOfWork } from '#lib/simulators/kit/provider-simulator.port.ts';
import { randomId } from '#lib/simulators/kit/random-id.ts';
import { invalid, invalidState } from '#lib/simulators/razorpay/errors.ts';
import { announce } from '#lib/simulators/razorpay/events.ts';
import { isPayment } from '#lib/simulators/razorpay/objects.ts';
import { type ApiRequest, apiRoute, collection, findObject } from '#lib/simulators/razorpay/requests.ts';
import { DAY } from '#shared/kernel/clock.ts';

const REASONS: Readonly<Record<NewDispute['reason'], string>> = {
  fraudulent: 'fraudulent_transaction',
  unrecognized: 'cardholder_does_not_recognize_transaction',
  duplicate: 'duplicate_processing',
  product_not_received: 'goods_or_services_not_received',
  product_unacceptable: 'goods_not_as_described',
  subscription_canceled: 'cancelled_recurring_transaction',
  credit_not_processed: 'credit_not_processed',
  processing_error: 'processed_invalid_expired_card',
  authorization: 'no_authorization',
  debit_not_authorized: 'chargeback',
  insufficient_funds: 'chargeback',
  general: 'chargeback',
};

/** A dispute that was given up, or that nobody answered, is lost. */
const STATUSES: Readonly<Record<Dispute['state'], string>> = {
  inquiry: 'open',
  needs_response: 'open',
  under_review: 'under_review',
  won: 'won',
  lost: 'lost',
  accepted: 'lost',
  expired: 'lost',
};

const NO_EVIDENCE = {
  summary: null,
  shipping_proof: null,
  billing_proof: null,
  cancellation_proof: null,
  customer_communication: null,
  proof_of_service: null,
  explanation_letter: null,
  refund_confirmation: null,
  access_activity_log: null,
  refund_cancellation_policy: null,
  term_and_conditions: null,
  others: null,
  submitted_at: null,
};

const seconds = (at: number): number => Math.floor(at / 1_000);

function view({ id, parent, body }: StoredDispute): object {
  const status = STATUSES[body.state];
  return {
    id,
    entity: 'dispute',
    payment_id: parent,
    amount: body.amount,
    currency: body.currency,
    amount_deducted: status === 'lost' ? body.amount : 0,
    reason_code: REASONS[body.reason],
    respond_by: seconds(body.answerBy),
    status,
    phase: body.state === 'inquiry' ? 'retrieval' : 'chargeback',
    created_at: seconds(body.openedAt),
    evidence: { ...NO_EVIDENCE, amount: body.amount, ...body.evidence },
  };
}

function tell(work: UnitOfWork, dispute: StoredDispute, before: Dispute['state'] | undefined): void {
  const payment = work.objects.find(dispute.parent, isPayment);
  if (!payment) return;
  // An inquiry that becomes a chargeback is announced as one that was created.
  const status = STATUSES[dispute.body.state];
  const event = before === undefined || status === 'open' ? 'created' : status;
  announce(work, `payment.dispute.${event}`, { payment: payment.body, dispute: view(dispute) });
}

const life = disputeLife({
  newId: () => `disp_${randomId(14)}`,
  timeToAnswerMs: 7 * DAY,
  inquiries: true,
  withholdsWhenLost: true,
  currencyOf: (charged) => (isPayment(charged) ? charged.body.currency : undefined),
  tell,
});

export const { controls: disputeControls, expire: expireDispute } = life;

const find = (work: UnitOfWork, id: string): StoredDispute => findObject(work, id, isDispute);

function findAnswerable(work: UnitOfWork, id: string): StoredDispute {
  const dispute = find(work, id);
  if (!life.isAnswerable(dispute)) throw invalidState('Dispute is not in open status.', 'invalid_dispute_status');
  return dispute;
}

const DOCUMENT_LISTS = Object.keys(NO_EVIDENCE).filter((name) => name !== 'summary' && name !== 'submitted_at');

/** A draft may be anything; what is submitted has at least one document. */
function contest({ id, input }: ApiRequest, work: UnitOfWork): object {
  const dispute = findAnswerable(work, id);
  const { action, ...evidence } = input;
  if (action !== 'submit') return view(life.draft(work, dispute, evidence));
  const all = { ...dispute.body.evidence, ...evidence };
  const hasDocument = DOCUMENT_LISTS.some((name) => Array.isArray(all[name]) && all[name].length > 0);
  if (!hasDocument) throw invalid('At least one document must be given to contest a dispute.', 'shipping_proof');
  return view(life.answer(work, dispute, { ...all, submitted_at: seconds(work.now.getTime()) }));
}

function listDisputes({ query }: ApiRequest, work: UnitOfWork): object {
  const bound = (name: string, none: number) => Number(query.get(name) ?? none);
  const found = disputesOf(work).filter(({ body }) => {
    const at = seconds(body.openedAt);
    return at >= bound('from', 0) && at <= bound('to', Number.MAX_SAFE_INTEGER);
  });
  return collection(found.toReversed().map(view), query);
}

const CONTEST = Object.fromEntries(
  ['action', 'amount', 'summary', ...DOCUMENT_LISTS].map((name) => [name, name === 'summary' ? 1_000 : 'any'] as const),
);

export const disputeRoutes = [
  apiRoute('GET', '/v1/disputes', 'dispute', {
    filters: ['count', 'skip', 'from', 'to', 'expand[]'],
    run: listDisputes,
  }),
  apiRoute('GET', '/v1/disputes/{id}', 'dispute', {
    filters: ['expand[]'],
    run: ({ id }, work) => view(find(work, id)),
  }),
  apiRoute('POST', '/v1/disputes/{id}/accept', 'dispute', {
    run: ({ id }, work) => view(life.accept(work, findAnswerable(work, id))),
  }),
  apiRoute('PATCH', '/v1/disputes/{id}/contest', 'dispute', { shape: CONTEST, run: contest }),
];
