import { invalid, json, notFound } from '#lib/simulators/checkout/errors.ts';
import { fromIsoUnits } from '#lib/simulators/checkout/money.ts';
import { isPayment, newDisputeId, newId, paymentUrl } from '#lib/simulators/checkout/objects.ts';
import { apiRoute, checkBody, textIn } from '#lib/simulators/checkout/requests.ts';
import { findOwned } from '#lib/simulators/kit/account-scope.ts';
import {
  type Dispute,
  disputeLife,
  disputesOf,
  isDispute,
  type StoredDispute,
} from '#lib/simulators/kit/dispute-life.ts';
import type { Call, NewDispute, UnitOfWork } from '#lib/simulators/kit/provider-simulator.port.ts';
import { BASE_URL, type WireResponse } from '#lib/simulators/kit/wire.ts';
import { DAY } from '#shared/kernel/clock.ts';

/** Our words for reasons → Checkout.com's category, and Visa's code. */
const REASONS: Readonly<Record<NewDispute['reason'], readonly [category: string, code: string]>> = {
  fraudulent: ['fraudulent', '10.4'],
  unrecognized: ['unrecognized', '10.4'],
  duplicate: ['duplicate', '12.6.1'],
  product_not_received: ['product_service_not_received', '13.1'],
  product_unacceptable: ['not_as_described', '13.3'],
  subscription_canceled: ['canceled_recurring', '13.2'],
  credit_not_processed: ['credit_not_issued', '13.6'],
  processing_error: ['incorrect_amount', '12.5'],
  authorization: ['general', '11.3'],
  debit_not_authorized: ['general', 'MD01'],
  insufficient_funds: ['general', 'AM04'],
  general: ['general', '13.9'],
};

/** Each state as the API names it, and as its event does. Checkout.com has no inquiries. */
const STATES: Readonly<Record<Dispute['state'], readonly [status: string, event: string]>> = {
  inquiry: ['evidence_required', 'dispute_evidence_required'],
  needs_response: ['evidence_required', 'dispute_evidence_required'],
  under_review: ['evidence_under_review', 'dispute_evidence_submitted'],
  won: ['won', 'dispute_won'],
  lost: ['lost', 'dispute_lost'],
  accepted: ['accepted', 'dispute_accepted'],
  expired: ['expired', 'dispute_expired'],
};

const iso = (at: number): string => new Date(at).toISOString();

const common = ({ id, body }: StoredDispute) => ({
  id,
  category: REASONS[body.reason][0],
  amount: fromIsoUnits(body.amount, body.currency),
  currency: body.currency,
  reason_code: REASONS[body.reason][1],
  evidence_required_by: iso(body.answerBy),
});

function tell(work: UnitOfWork, dispute: StoredDispute): void {
  const [, type] = STATES[dispute.body.state];
  const payment = work.objects.find(dispute.parent, isPayment);
  work.emit(() =>
    JSON.stringify({
      id: newId('evt'),
      type,
      timestamp: work.now.toISOString(),
      version: '1.0.6',
      data: {
        ...common(dispute),
        date: work.now.toISOString(),
        payment_id: dispute.parent,
        payment_reference: payment?.body.reference,
        payment_method: 'VISA',
      },
      _links: { payment: { href: paymentUrl(dispute.parent ?? '') } },
    }),
  );
}

const life = disputeLife({
  newId: newDisputeId,
  timeToAnswerMs: 10 * DAY,
  currencyOf: (charged) => (isPayment(charged) ? charged.body.currency : undefined),
  tell,
});

export const { controls: disputeControls, expire: expireDispute } = life;

const summary = (dispute: StoredDispute) => ({
  ...common(dispute),
  status: STATES[dispute.body.state][0],
  payment_id: dispute.parent,
  payment_method: 'VISA',
  received_on: iso(dispute.body.openedAt),
  last_update: iso(dispute.body.changedAt),
  _links: { self: { href: `${BASE_URL}/checkout/disputes/${dispute.id}` } },
});

function view(dispute: StoredDispute): object {
  const { payment_id: id, payment_method: method, ...fields } = summary(dispute);
  const { amount, currency } = fields;
  return { ...fields, relevant_evidence: ['additional_evidence'], payment: { id, amount, currency, method } };
}

const find = (work: UnitOfWork, { params }: Call): StoredDispute => {
  const dispute = findOwned(work, params.id, isDispute);
  if (!dispute) throw notFound();
  return dispute;
};

function findAnswerable(work: UnitOfWork, call: Call): StoredDispute {
  const dispute = find(work, call);
  if (!life.isAnswerable(dispute)) throw invalid('dispute_not_open');
  return dispute;
}

const NO_CONTENT: WireResponse = { status: 204, headers: {}, body: '' };

const TEXTS = [
  'additional_evidence_text',
  'customer_communication_text',
  'invoice_or_receipt_text',
  'invoice_showing_distinct_transactions_text',
  'proof_of_delivery_or_service_text',
  'proof_of_delivery_or_service_date_text',
  'recurring_transaction_agreement_text',
  'refund_or_cancellation_policy_text',
];

function provideEvidence(call: Call, work: UnitOfWork): WireResponse {
  checkBody(call);
  const dispute = findAnswerable(work, call);
  const names = Object.keys(call.input);
  if (names.length === 0) throw invalid('evidence_required');
  const unknown = names.find((name) => !TEXTS.includes(name));
  if (unknown !== undefined) throw invalid(`${unknown}_invalid`);
  for (const name of names) textIn(call.input, name, 500);
  life.draft(work, dispute, call.input);
  return NO_CONTENT;
}

function submitEvidence(call: Call, work: UnitOfWork): WireResponse {
  const dispute = findAnswerable(work, call);
  if (Object.keys(dispute.body.evidence).length === 0) throw invalid('evidence_required');
  life.answer(work, dispute);
  return NO_CONTENT;
}

function acceptDispute(call: Call, work: UnitOfWork): WireResponse {
  life.accept(work, findAnswerable(work, call));
  return NO_CONTENT;
}

/** `from` and `to` are about the last change. */
function listDisputes({ request: { query } }: Call, work: UnitOfWork): WireResponse {
  const limit = Number(query.get('limit') ?? 50);
  const skip = Number(query.get('skip') ?? 0);
  if (!Number.isInteger(limit) || limit < 1 || limit > 250) throw invalid('limit_invalid');
  const [payment, from, to] = [query.get('payment_id'), query.get('from'), query.get('to')];
  const found = disputesOf(work).filter(
    ({ parent, body }) =>
      (payment === null || parent === payment) &&
      (from === null || body.changedAt >= Date.parse(from)) &&
      (to === null || body.changedAt < Date.parse(to)),
  );
  return json(200, { limit, skip, total_count: found.length, data: found.slice(skip, skip + limit).map(summary) });
}

export const disputeRoutes = [
  apiRoute('GET', '/disputes', 'dispute', listDisputes),
  apiRoute('GET', '/disputes/{id}', 'dispute', (call, work) => json(200, view(find(work, call)))),
  apiRoute('POST', '/disputes/{id}/accept', 'dispute', acceptDispute),
  apiRoute('PUT', '/disputes/{id}/evidence', 'dispute', provideEvidence),
  apiRoute('POST', '/disputes/{id}/evidence', 'dispute', submitEvidence),
  apiRoute('GET', '/disputes/{id}/evidence', 'dispute', (call, work) => json(200, find(work, call).body.evidence)),
];
