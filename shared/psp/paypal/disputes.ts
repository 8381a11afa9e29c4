import * as z from 'zod';
import type { DisputeReason, DisputeStatus } from '#shared/domain/disputes/dispute.model.ts';
import type { EvidenceField } from '#shared/domain/disputes/evidence.catalog.ts';
import type { DisputeEvidence, DisputeRef, PspDispute, PspDisputes } from '#shared/ports/dispute.port.ts';
import { lookUp } from '#shared/psp/kit/declines.ts';
import { answerDispute, groupedEvidence, lookUpAnswered, reasonCode } from '#shared/psp/kit/disputes.ts';
import { isoTime } from '#shared/psp/kit/times.ts';
import { type PaypalContext, requestOrThrow } from '#shared/psp/paypal/client.ts';
import type { PaypalCredentials } from '#shared/psp/paypal/credentials.schema.ts';
import { toOurMoney } from '#shared/psp/paypal/money.rules.ts';
import { Money, readObject } from '#shared/psp/paypal/schema.ts';

const text = z.string().nullish().catch(undefined);

const Dispute = z.looseObject({
  dispute_id: z.string().min(1),
  status: z.string(),
  reason: text,
  external_reason_code: text,
  dispute_amount: Money,
  dispute_life_cycle_stage: text,
  dispute_outcome: z.looseObject({ outcome_code: text }).nullish().catch(undefined),
  disputed_transactions: z
    .array(z.looseObject({ seller_transaction_id: text }))
    .nullish()
    .catch(undefined),
  seller_response_due_date: text,
  create_time: text,
});

type Dispute = z.infer<typeof Dispute>;

/** PayPal's reasons → ours. Source: its OpenAPI document. */
export const DISPUTE_REASONS: Readonly<Record<string, DisputeReason>> = {
  CANCELED_RECURRING_BILLING: 'subscription_canceled',
  CREDIT_NOT_PROCESSED: 'credit_not_processed',
  DUPLICATE_TRANSACTION: 'duplicate',
  INCORRECT_AMOUNT: 'processing_error',
  MERCHANDISE_OR_SERVICE_NOT_AS_DESCRIBED: 'product_unacceptable',
  MERCHANDISE_OR_SERVICE_NOT_RECEIVED: 'product_not_received',
  OTHER: 'general',
  PAYMENT_BY_OTHER_MEANS: 'duplicate',
  PROBLEM_WITH_REMITTANCE: 'processing_error',
  UNAUTHORISED: 'fraudulent',
};

/**
 * Outcomes of a resolved dispute. `ACCEPTED` and `DENIED` are about the customer's claim. With a payout, PayPal paid the
 * customer and the merchant keeps the money. UNVERIFIED: `NONE` ends a dispute without a decision.
 */
const DISPUTE_OUTCOMES: Readonly<Record<string, DisputeStatus>> = {
  ACCEPTED: 'lost',
  CANCELED_BY_BUYER: 'won',
  DENIED: 'won',
  NONE: 'won',
  RESOLVED_BUYER_FAVOUR: 'lost',
  RESOLVED_SELLER_FAVOUR: 'won',
  RESOLVED_WITH_PAYOUT: 'won',
};

/** In the stage INQUIRY customer and merchant still talk. A claim, and what follows, is a dispute. */
function statusOf({ status, dispute_outcome, dispute_life_cycle_stage: stage }: Dispute): DisputeStatus {
  if (status === 'RESOLVED') return lookUp(DISPUTE_OUTCOMES, dispute_outcome?.outcome_code) ?? 'under_review';
  if (stage === 'INQUIRY') return 'warning';
  return status === 'WAITING_FOR_SELLER_RESPONSE' || status === 'OPEN' ? 'needs_response' : 'under_review';
}

function toPspDispute(value: unknown): PspDispute {
  const dispute = readObject(Dispute, 'dispute', value);
  const { dispute_id, dispute_amount, reason, external_reason_code, disputed_transactions } = dispute;
  return {
    reference: dispute_id,
    paymentReference: disputed_transactions?.[0]?.seller_transaction_id ?? null,
    status: statusOf(dispute),
    ...toOurMoney(dispute_amount),
    reason: lookUp(DISPUTE_REASONS, reason) ?? 'general',
    provider_reason: reasonCode(external_reason_code) ?? reasonCode(reason),
    respond_by: isoTime(dispute.seller_response_due_date),
    opened_at: isoTime(dispute.create_time),
  };
}

const pathOf = (reference: string): string => `/v1/customer/disputes/${encodeURIComponent(reference)}`;

async function fetchDispute(
  { reference, paymentId }: Pick<DisputeRef, 'reference' | 'paymentId'>,
  psp: PaypalContext,
): Promise<PspDispute> {
  return toPspDispute(await requestOrThrow({ operation: 'dispute', paymentId, path: pathOf(reference) }, psp));
}

/** An empty list has no items, and its links all the same. */
const Page = z.looseObject({
  items: z.array(z.looseObject({ dispute_id: z.string() })).nullish(),
  links: z.array(z.unknown()),
});

/** The list tells neither the transaction nor the outcome, so each of the few is looked up. */
const listDisputes: NonNullable<PspDisputes<PaypalCredentials>['list']> = async ({ reference, paymentId }, psp) => {
  const path = `/v1/customer/disputes?disputed_transaction_id=${encodeURIComponent(reference)}&page_size=50`;
  const body = await requestOrThrow({ operation: 'dispute', paymentId, path }, psp);
  const { items } = readObject(Page, 'list of disputes', body);
  return Promise.all((items ?? []).map(({ dispute_id }) => fetchDispute({ reference: dispute_id, paymentId }, psp)));
};

const NOTE: readonly EvidenceField[] = [
  'explanation',
  'product_description',
  'shipping_address',
  'refund_policy',
  'refund_refusal',
  'access_log',
];

const MAX_NOTE = 2_000;

const CARRIERS: readonly string[] = ['UPS', 'USPS', 'FEDEX', 'DHL', 'ROYAL_MAIL', 'PARCELFORCE', 'TNT'];

/** PayPal lists some eighty carriers by name; any other is OTHER with its name beside it. */
function trackingOf({ shipping_carrier = '', tracking_number }: DisputeEvidence): object | undefined {
  if (!tracking_number) return undefined;
  const name = shipping_carrier.trim().toUpperCase().replaceAll(/\W+/g, '_');
  if (CARRIERS.includes(name)) return { carrier_name: name, tracking_number };
  return { carrier_name: 'OTHER', carrier_name_other: shipping_carrier || 'Other', tracking_number };
}

/** A tracking number proves that the order was sent; without one, the texts alone are evidence. */
function evidenceOf(evidence: DisputeEvidence): object {
  const tracking = trackingOf(evidence);
  const fields = tracking ? NOTE : ([...NOTE, 'shipping_carrier'] as const);
  const { notes } = groupedEvidence({ notes: fields }, evidence, MAX_NOTE);
  return {
    evidence_type: tracking ? 'PROOF_OF_FULFILLMENT' : 'OTHER',
    ...(tracking && { evidence_info: { tracking_info: [tracking] } }),
    ...(notes && { notes }),
  };
}

async function answer(
  dispute: DisputeRef,
  {
    action,
    input,
    key,
  }: { readonly action: string; readonly input: Readonly<Record<string, unknown>>; readonly key: string },
  psp: PaypalContext,
): Promise<PspDispute> {
  const { reference, paymentId } = dispute;
  const form = { boundary: `payfork-${key.replaceAll(/[^\w-]/g, '')}`, input };
  const lookUpAgain = () => fetchDispute(dispute, psp);
  const send = () =>
    requestOrThrow({ operation: 'dispute', paymentId, path: `${pathOf(reference)}/${action}`, form }, psp);
  return answerDispute(() => send().then(() => lookUpAnswered(lookUpAgain)), lookUpAgain);
}

export const disputes: PspDisputes<PaypalCredentials> = {
  fetch: fetchDispute,
  list: listDisputes,
  // PayPal refunds the customer. Its response does not say who gave up.
  accept: async (dispute, key, psp) => {
    const input = { note: 'The merchant accepts this claim.', accept_claim_type: 'REFUND' };
    const closed = await answer(dispute, { action: 'accept-claim', input, key }, psp);
    return { ...closed, status: 'accepted' };
  },
  submitEvidence: async (dispute, evidence, key, psp) =>
    answer(dispute, { action: 'provide-evidence', input: { evidences: [evidenceOf(evidence)] }, key }, psp),
};
