import * as z from 'zod';
import type { DisputeReason, DisputeStatus } from '#shared/domain/disputes/dispute.model.ts';
import type { EvidenceField } from '#shared/domain/disputes/evidence.catalog.ts';
import type { DisputePage, DisputeQuery, DisputeRef, PspDispute, PspDisputes } from '#shared/ports/dispute.port.ts';
import { type CheckoutContext, requestOrThrow } from '#shared/psp/checkout/client.ts';
import type { CheckoutCredentials } from '#shared/psp/checkout/credentials.schema.ts';
import { toOurMoney } from '#shared/psp/checkout/money.rules.ts';
import { readObject } from '#shared/psp/checkout/schema.ts';
import { lookUp } from '#shared/psp/kit/declines.ts';
import { reasonOfNetwork } from '#shared/psp/kit/dispute-reasons.ts';
import { answerDispute, groupedEvidence, lookUpAnswered, reasonCode } from '#shared/psp/kit/disputes.ts';
import { isoTime } from '#shared/psp/kit/times.ts';

const text = z.string().nullish().catch(undefined);

/** A look-up names the payment in an object, a list by its id. */
const Dispute = z.looseObject({
  id: z.string().min(1),
  status: z.string(),
  category: text,
  reason_code: text,
  resolved_reason: text,
  amount: z.int().nonnegative(),
  currency: z.string().length(3),
  payment_id: text,
  payment: z.looseObject({ id: text }).nullish().catch(undefined),
  evidence_required_by: text,
  received_on: text,
});

type Dispute = z.infer<typeof Dispute>;

/** Checkout.com's categories → ours. Source: its OpenAPI document. */
export const DISPUTE_CATEGORIES: Readonly<Record<string, DisputeReason>> = {
  canceled_recurring: 'subscription_canceled',
  credit_not_issued: 'credit_not_processed',
  duplicate: 'duplicate',
  fraudulent: 'fraudulent',
  general: 'general',
  incorrect_amount: 'processing_error',
  not_as_described: 'product_unacceptable',
  product_service_not_received: 'product_not_received',
  unrecognized: 'unrecognized',
};

/** Checkout.com's statuses → ours. A dispute that the issuer cancels gives the money back. */
const DISPUTE_STATUSES: Readonly<Record<string, DisputeStatus>> = {
  accepted: 'accepted',
  arbitration_lost: 'lost',
  arbitration_under_review: 'under_review',
  arbitration_won: 'won',
  canceled: 'won',
  evidence_required: 'needs_response',
  evidence_under_review: 'under_review',
  expired: 'expired',
  lost: 'lost',
  resolved: 'won',
  won: 'won',
};

/** Rapid dispute resolution gave the money to the customer by the merchant's own rules. */
function statusOf({ status, resolved_reason }: Dispute): DisputeStatus {
  if (status === 'resolved' && resolved_reason === 'rapid_dispute_resolution') return 'accepted';
  return lookUp(DISPUTE_STATUSES, status) ?? 'under_review';
}

function toPspDispute(value: unknown): PspDispute {
  const dispute = readObject(Dispute, 'dispute', value);
  const { id, amount, currency, category, reason_code } = dispute;
  return {
    reference: id,
    paymentReference: dispute.payment?.id ?? dispute.payment_id ?? null,
    status: statusOf(dispute),
    ...toOurMoney(amount, currency),
    reason: lookUp(DISPUTE_CATEGORIES, category) ?? reasonOfNetwork(reason_code),
    provider_reason: reasonCode(reason_code) ?? reasonCode(category),
    respond_by: isoTime(dispute.evidence_required_by),
    opened_at: isoTime(dispute.received_on),
  };
}

const pathOf = (reference: string): string => `/disputes/${encodeURIComponent(reference)}`;

async function fetchDispute({ reference, paymentId }: DisputeRef, psp: CheckoutContext): Promise<PspDispute> {
  return toPspDispute(await requestOrThrow({ operation: 'dispute', paymentId, path: pathOf(reference) }, psp));
}

const Page = z.looseObject({ total_count: z.int().nonnegative(), data: z.array(z.unknown()).nullish() });

const PAGE_SIZE = 250;

async function pageOf(filter: string, paymentId: string | null, psp: CheckoutContext, skip = 0): Promise<DisputePage> {
  const path = `/disputes?${filter}&limit=${PAGE_SIZE}&skip=${skip}`;
  const body = await requestOrThrow({ operation: 'dispute', paymentId, path }, psp);
  const { data, total_count } = readObject(Page, 'list of disputes', body);
  const items = (data ?? []).map(toPspDispute);
  const seen = skip + items.length;
  return { items, next: items.length > 0 && seen < total_count ? String(seen) : undefined };
}

const listDisputes: NonNullable<PspDisputes<CheckoutCredentials>['list']> = async ({ reference, paymentId }, psp) =>
  reference.startsWith('pay_')
    ? (await pageOf(`payment_id=${encodeURIComponent(reference)}`, paymentId, psp)).items
    : [];

/** By the time of the last change. */
const listSince = ({ from, until, cursor }: DisputeQuery, psp: CheckoutContext): Promise<DisputePage> =>
  pageOf(`from=${from.toISOString()}&to=${until.toISOString()}`, null, psp, Number(cursor ?? 0));

/** The fields of Checkout.com's form that take text, and ours that they take. */
const EVIDENCE: Readonly<Record<string, readonly EvidenceField[]>> = {
  additional_evidence_text: ['explanation'],
  invoice_or_receipt_text: ['product_description'],
  invoice_showing_distinct_transactions_text: ['duplicate_explanation'],
  proof_of_delivery_or_service_text: ['shipping_carrier', 'tracking_number', 'shipping_address', 'access_log'],
  proof_of_delivery_or_service_date_text: ['shipping_date', 'service_date'],
  refund_or_cancellation_policy_text: [
    'refund_policy',
    'refund_refusal',
    'cancellation_policy',
    'cancellation_refusal',
  ],
};

const MAX_TEXT = 500;

/** The calls respond without a body. */
const answer = (dispute: DisputeRef, psp: CheckoutContext, send: () => Promise<unknown>): Promise<PspDispute> => {
  const lookUpAgain = () => fetchDispute(dispute, psp);
  return answerDispute(() => send().then(() => lookUpAnswered(lookUpAgain)), lookUpAgain);
};

export const disputes: PspDisputes<CheckoutCredentials> = {
  fetch: fetchDispute,
  list: listDisputes,
  listSince,
  accept: (dispute, _key, psp) => {
    const { reference, paymentId } = dispute;
    const path = `${pathOf(reference)}/accept`;
    return answer(dispute, psp, () => requestOrThrow({ operation: 'dispute', paymentId, path, method: 'POST' }, psp));
  },
  // The texts are stored first, which may be repeated, and then submitted once.
  submitEvidence: async (dispute, evidence, _key, psp) => {
    const call = { operation: 'dispute', paymentId: dispute.paymentId } as const;
    const path = `${pathOf(dispute.reference)}/evidence`;
    const body = groupedEvidence(EVIDENCE, evidence, MAX_TEXT);
    return answer(dispute, psp, async () => {
      await requestOrThrow({ ...call, path, method: 'PUT', body }, psp);
      await requestOrThrow({ ...call, path, method: 'POST' }, psp);
    });
  },
};
