import { findOwned } from '#lib/simulators/kit/account-scope.ts';
import { DISPUTE_KIND } from '#lib/simulators/kit/disputes.ts';
import type { StoredObject } from '#lib/simulators/kit/object-store.ts';
import type { DisputeControls, NewDispute, UnitOfWork } from '#lib/simulators/kit/provider-simulator.port.ts';
import { changeCharge } from '#lib/simulators/stripe/charges.ts';
import { invalid, invalidState, resourceMissing } from '#lib/simulators/stripe/errors.ts';
import { announce } from '#lib/simulators/stripe/events.ts';
import { flagAt, formAt, metadataOf, textAt } from '#lib/simulators/stripe/form.ts';
import { toIsoUnits, toStripeUnits } from '#lib/simulators/stripe/money.ts';
import {
  type Charge,
  isCharge,
  isIntent,
  newStripeId,
  type StoredCharge,
  seconds,
} from '#lib/simulators/stripe/objects.ts';
import { EXPAND_ONLY, UPDATE_DISPUTE } from '#lib/simulators/stripe/parameters.ts';
import { type ApiRequest, apiRoute } from '#lib/simulators/stripe/requests.ts';
import { DAY } from '#shared/kernel/clock.ts';

type Status =
  | 'warning_needs_response'
  | 'warning_under_review'
  | 'warning_closed'
  | 'needs_response'
  | 'under_review'
  | 'won'
  | 'lost';

type Dispute = {
  readonly id: string;
  readonly object: 'dispute';
  readonly amount: number;
  readonly charge: string;
  readonly currency: string;
  readonly evidence: Readonly<Record<string, unknown>>;
  readonly evidence_details: Readonly<Record<string, unknown>>;
  readonly livemode: boolean;
  readonly status: Status;
  readonly [field: string]: unknown;
};

type StoredDispute = StoredObject<Dispute>;

type Step = Parameters<DisputeControls['move']>[1];
type State = ReturnType<DisputeControls['describe']>['state'];

export const isDispute = (stored: StoredObject): stored is StoredDispute => stored.kind === DISPUTE_KIND;

const TIME_TO_ANSWER_MS = 9 * DAY;

/** Our words for reasons → Stripe's word, and Visa's code. */
const REASONS: Readonly<Record<NewDispute['reason'], readonly [reason: string, networkCode: string]>> = {
  fraudulent: ['fraudulent', '10.4'],
  unrecognized: ['unrecognized', '10.4'],
  duplicate: ['duplicate', '12.6.1'],
  product_not_received: ['product_not_received', '13.1'],
  product_unacceptable: ['product_unacceptable', '13.3'],
  subscription_canceled: ['subscription_canceled', '13.2'],
  credit_not_processed: ['credit_not_processed', '13.6'],
  processing_error: ['bank_cannot_process', '12.5'],
  authorization: ['general', '11.3'],
  debit_not_authorized: ['debit_not_authorized', 'R10'],
  insufficient_funds: ['insufficient_funds', 'R01'],
  general: ['general', '13.9'],
};

const EVIDENCE_FIELDS = [
  'access_activity_log',
  'billing_address',
  'cancellation_policy',
  'cancellation_policy_disclosure',
  'cancellation_rebuttal',
  'customer_communication',
  'customer_email_address',
  'customer_name',
  'customer_purchase_ip',
  'customer_signature',
  'duplicate_charge_documentation',
  'duplicate_charge_explanation',
  'duplicate_charge_id',
  'product_description',
  'receipt',
  'refund_policy',
  'refund_policy_disclosure',
  'refund_refusal_explanation',
  'service_date',
  'service_documentation',
  'shipping_address',
  'shipping_carrier',
  'shipping_date',
  'shipping_documentation',
  'shipping_tracking_number',
  'uncategorized_file',
  'uncategorized_text',
];

function cardDetails(charge: Charge, networkCode: string, inquiry: boolean): object {
  const { card } = charge.payment_method_details as { readonly card?: { readonly brand: string } };
  if (!card) return { type: (charge.payment_method_details as { readonly type: string }).type };
  return {
    card: {
      brand: card.brand,
      case_type: inquiry ? 'inquiry' : 'chargeback',
      network: card.brand,
      network_reason_code: networkCode,
    },
    type: 'card',
  };
}

const noEvidence = (now: Date) => ({
  due_by: seconds(new Date(now.getTime() + TIME_TO_ANSWER_MS)),
  enhanced_eligibility: {},
  has_evidence: false,
  past_due: false,
  submission_count: 0,
  submission_method: 'not_submitted',
});

function newDispute(charge: StoredCharge, { amount, reason, inquiry }: NewDispute, now: Date): Dispute {
  const { currency, livemode, payment_intent } = charge.body;
  const [word, networkCode] = REASONS[reason];
  return {
    id: newStripeId('du'),
    object: 'dispute',
    amount: toStripeUnits(amount, currency),
    balance_transactions: [],
    charge: charge.id,
    created: seconds(now),
    currency,
    enhanced_eligibility_types: [],
    evidence: { ...Object.fromEntries(EVIDENCE_FIELDS.map((name) => [name, null])), enhanced_evidence: {} },
    evidence_details: noEvidence(now),
    intended_submission_method: null,
    is_charge_refundable: inquiry,
    livemode,
    metadata: {},
    network_reason_code: networkCode,
    payment_intent,
    payment_method_details: cardDetails(charge.body, networkCode, inquiry),
    reason: word,
    status: inquiry ? 'warning_needs_response' : 'needs_response',
  };
}

/** What Stripe withholds: nothing for an inquiry, and nothing once the dispute is won. */
function keepBook(work: UnitOfWork, { id, paymentId, body }: StoredDispute): void {
  const isFree = body.status === 'won' || body.status.startsWith('warning_');
  work.recordDispute({ id, paymentId, withheld: isFree ? 0 : toIsoUnits(body.amount, body.currency) });
}

function put(work: UnitOfWork, dispute: StoredDispute, event: string): StoredDispute {
  const stored: StoredDispute = work.objects.put(dispute);
  keepBook(work, stored);
  announce(work, `charge.dispute.${event}`, stored.body);
  return stored;
}

function open(charged: StoredObject, dispute: NewDispute, work: UnitOfWork): string | undefined {
  const charge = isIntent(charged) ? work.objects.get(charged.body.latest_charge ?? '') : charged;
  if (!charge || !isCharge(charge)) return undefined;
  const body = newDispute(charge, dispute, work.now);
  const { account, paymentId, parent } = charge;
  const due = work.now.getTime() + TIME_TO_ANSWER_MS;
  const stored = { id: body.id, account, kind: DISPUTE_KIND, paymentId, parent, due, body, notes: null };
  changeCharge(work, charge, { disputed: true });
  put(work, stored, 'created');
  if (!dispute.inquiry) announce(work, 'charge.dispute.funds_withdrawn', body);
  return body.id;
}

const CLOSED: ReadonlySet<Status> = new Set(['warning_closed', 'won', 'lost']);

function close(dispute: StoredDispute, status: 'won' | 'lost', work: UnitOfWork): StoredDispute {
  const isInquiry = dispute.body.status.startsWith('warning_');
  const body: Dispute = {
    ...dispute.body,
    status: isInquiry ? 'warning_closed' : status,
    is_charge_refundable: isInquiry || status === 'won',
  };
  const stored = put(work, { ...dispute, due: null, body }, 'closed');
  if (body.status === 'won') announce(work, 'charge.dispute.funds_reinstated', body);
  return stored;
}

/** What Stripe has closed stays so. */
function move(dispute: StoredObject, step: Step, work: UnitOfWork): void {
  if (!isDispute(dispute) || CLOSED.has(dispute.body.status) || step === 'reopen') return;
  if (step !== 'escalate') {
    close(dispute, step, work);
    return;
  }
  if (!dispute.body.status.startsWith('warning_')) return;
  const body: Dispute = { ...dispute.body, status: 'needs_response', is_charge_refundable: false };
  put(work, { ...dispute, due: work.now.getTime() + TIME_TO_ANSWER_MS, body }, 'updated');
  announce(work, 'charge.dispute.funds_withdrawn', body);
}

const STATES: Readonly<Record<Status, State>> = {
  warning_needs_response: 'inquiry',
  warning_under_review: 'inquiry',
  warning_closed: 'won',
  needs_response: 'needs_response',
  under_review: 'under_review',
  won: 'won',
  lost: 'lost',
};

const describe: DisputeControls['describe'] = (stored) => {
  if (!isDispute(stored)) throw new Error(`${stored.id} is no dispute.`);
  const { status, amount, currency } = stored.body;
  return { state: STATES[status], amount: toIsoUnits(amount, currency), charge: stored.parent };
};

export const disputeControls: DisputeControls = { open, move, describe };

/** Nobody answered in time. */
export function expireDispute(work: UnitOfWork, dispute: StoredDispute): void {
  if (dispute.body.status.endsWith('needs_response')) close(dispute, 'lost', work);
  else work.objects.put({ ...dispute, due: null });
}

function findDispute(work: UnitOfWork, id: string): StoredDispute {
  const dispute = findOwned(work, id, isDispute);
  if (!dispute) throw resourceMissing('dispute', id, 'dispute');
  return dispute;
}

const NOT_UPDATABLE = 'This dispute is already closed, or its evidence was submitted.';

function closeByMerchant({ id }: ApiRequest, work: UnitOfWork): Dispute {
  const dispute = findDispute(work, id);
  if (!dispute.body.status.endsWith('needs_response')) throw invalidState(NOT_UPDATABLE);
  return close(dispute, 'lost', work).body;
}

/** Without `submit: false` the evidence goes to the bank, and no more is taken. */
function updateDispute({ input, id }: ApiRequest, work: UnitOfWork): Dispute {
  const dispute = findDispute(work, id);
  const given = formAt(input, 'evidence');
  if (!dispute.body.status.endsWith('needs_response')) throw invalidState(NOT_UPDATABLE);
  const unknown = Object.keys(given).find((name) => !EVIDENCE_FIELDS.includes(name));
  if (unknown !== undefined)
    throw invalid(`Received unknown parameter: evidence[${unknown}]`, { param: `evidence[${unknown}]` });
  const isSubmitted = textAt(input, 'submit') === null || flagAt(input, 'submit');
  const wasInquiry = dispute.body.status.startsWith('warning_');
  const reviewed = wasInquiry ? 'warning_under_review' : 'under_review';
  const body: Dispute = {
    ...dispute.body,
    evidence: { ...dispute.body.evidence, ...given },
    evidence_details: {
      ...dispute.body.evidence_details,
      has_evidence: true,
      ...(isSubmitted && { submission_count: 1, submission_method: 'manual' }),
    },
    metadata: { ...(dispute.body.metadata as object), ...metadataOf(input) },
    status: isSubmitted ? reviewed : dispute.body.status,
  };
  return put(work, { ...dispute, due: isSubmitted ? null : dispute.due, body }, 'updated').body;
}

/** Stripe refunds no charge while, or after, its money was taken by a dispute. */
export function checkRefundable(work: UnitOfWork, charge: StoredCharge): void {
  const taken = work.objects
    .childrenOf(charge.parent ?? '')
    .some((stored) => isDispute(stored) && stored.body.charge === charge.id && !stored.body.is_charge_refundable);
  if (taken)
    throw invalidState(`Charge ${charge.id} has been charged back; cannot issue a refund.`, {
      code: 'charge_disputed',
    });
}

const DISPUTE = { responseType: 'dispute', shape: EXPAND_ONLY } as const;

export const disputeRoutes = [
  apiRoute('GET', '/v1/disputes/{id}', 'dispute', { ...DISPUTE, run: ({ id }, work) => findDispute(work, id).body }),
  apiRoute('POST', '/v1/disputes/{id}', 'dispute', { ...DISPUTE, shape: UPDATE_DISPUTE, run: updateDispute }),
  apiRoute('POST', '/v1/disputes/{id}/close', 'dispute', { ...DISPUTE, run: closeByMerchant }),
];
