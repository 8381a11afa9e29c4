import * as z from 'zod';
import type { DisputeReason, DisputeStatus } from '#shared/domain/disputes/dispute.model.ts';
import type { DisputePage, DisputeQuery, DisputeRef, PspDispute, PspDisputes } from '#shared/ports/dispute.port.ts';
import { lookUp } from '#shared/psp/kit/declines.ts';
import { answerDispute, namedEvidence, reasonCode } from '#shared/psp/kit/disputes.ts';
import { isoFromSeconds } from '#shared/psp/kit/times.ts';
import { requestOrThrow, type StripeContext } from '#shared/psp/stripe/client.ts';
import type { StripeCredentials } from '#shared/psp/stripe/credentials.schema.ts';
import { toOurMoney } from '#shared/psp/stripe/money.rules.ts';
import { readObject } from '#shared/psp/stripe/schema.ts';

const text = z.string().nullish().catch(undefined);

const idOf = z.union([z.string(), z.looseObject({ id: z.string() }).transform(({ id }) => id)]).nullish();

const Dispute = z.looseObject({
  id: z.string().min(1),
  object: z.literal('dispute'),
  amount: z.int().nonnegative(),
  currency: z.string().length(3),
  created: z.int().nullish(),
  payment_intent: idOf,
  status: z.string(),
  reason: text,
  network_reason_code: text,
  payment_method_details: z
    .looseObject({ card: z.looseObject({ network_reason_code: text }).nullish() })
    .nullish()
    .catch(undefined),
  evidence_details: z
    .looseObject({ due_by: z.int().nullish(), submission_count: z.int().nullish() })
    .nullish()
    .catch(undefined),
});

type Dispute = z.infer<typeof Dispute>;

/**
 * Stripe's reasons → ours. Source: the list in stripe-node 23.1.0 (API 2026-10-28). A reason that is not here is
 * `general`.
 */
export const DISPUTE_REASONS: Readonly<Record<string, DisputeReason>> = {
  bank_cannot_process: 'processing_error',
  check_returned: 'insufficient_funds',
  credit_not_processed: 'credit_not_processed',
  customer_initiated: 'general',
  debit_not_authorized: 'debit_not_authorized',
  duplicate: 'duplicate',
  fraudulent: 'fraudulent',
  general: 'general',
  incorrect_account_details: 'processing_error',
  insufficient_funds: 'insufficient_funds',
  noncompliant: 'general',
  product_not_received: 'product_not_received',
  product_unacceptable: 'product_unacceptable',
  subscription_canceled: 'subscription_canceled',
  unrecognized: 'unrecognized',
};

/**
 * Stripe's statuses → ours. An inquiry that closes took no money. A prevented dispute was settled by a refund that
 * Stripe made for the merchant.
 */
const DISPUTE_STATUSES: Readonly<Record<string, DisputeStatus>> = {
  appeal_needs_response: 'needs_response',
  appeal_under_review: 'under_review',
  lost: 'lost',
  needs_response: 'needs_response',
  prevented: 'accepted',
  under_review: 'under_review',
  warning_closed: 'won',
  warning_needs_response: 'warning',
  warning_under_review: 'warning',
  won: 'won',
};

/** A status of the future is under review: nobody is told that it was decided. */
function statusOf({ status, evidence_details }: Dispute, now: Date): DisputeStatus {
  const known = lookUp(DISPUTE_STATUSES, status) ?? 'under_review';
  const { submission_count, due_by } = evidence_details ?? {};
  if (known !== 'lost' || submission_count !== 0) return known;
  // Nobody answered: the merchant gave it up, or let the time pass.
  return due_by && due_by * 1_000 <= now.getTime() ? 'expired' : 'accepted';
}

/** `due_by` is 0 if the bank takes no answer. */
function toPspDispute(value: unknown, now: Date): PspDispute {
  const dispute = readObject(Dispute, 'dispute', value);
  const { id, amount, currency, payment_intent, reason, created, evidence_details } = dispute;
  const networkCode = dispute.network_reason_code ?? dispute.payment_method_details?.card?.network_reason_code;
  return {
    reference: id,
    paymentReference: payment_intent ?? null,
    status: statusOf(dispute, now),
    ...toOurMoney(amount, currency),
    reason: lookUp(DISPUTE_REASONS, reason) ?? 'general',
    provider_reason: reasonCode(networkCode) ?? reasonCode(reason),
    respond_by: isoFromSeconds(evidence_details?.due_by),
    opened_at: isoFromSeconds(created),
  };
}

const pathOf = (reference: string): string => `/v1/disputes/${encodeURIComponent(reference)}`;

async function fetchDispute({ reference, paymentId }: DisputeRef, psp: StripeContext): Promise<PspDispute> {
  const path = pathOf(reference);
  return toPspDispute(await requestOrThrow({ operation: 'dispute', paymentId, path }, psp), psp.now());
}

const Page = z.looseObject({ data: z.array(z.looseObject({ id: z.string() })), has_more: z.boolean().optional() });

async function pageOf(filter: string, paymentId: string | null, psp: StripeContext): Promise<DisputePage> {
  const path = `/v1/disputes?${filter}&limit=100`;
  const body = await requestOrThrow({ operation: 'dispute', paymentId, path }, psp);
  const { data, has_more } = readObject(Page, 'list of disputes', body);
  return { items: data.map((each) => toPspDispute(each, psp.now())), next: has_more ? data.at(-1)?.id : undefined };
}

/** A charge has a handful of disputes at the most. */
const listDisputes: NonNullable<PspDisputes<StripeCredentials>['list']> = async ({ reference, paymentId }, psp) =>
  reference.startsWith('pi_')
    ? (await pageOf(`payment_intent=${encodeURIComponent(reference)}`, paymentId, psp)).items
    : [];

function listSince({ from, until, cursor }: DisputeQuery, psp: StripeContext): Promise<DisputePage> {
  const bounds = `created[gte]=${Math.floor(from.getTime() / 1_000)}&created[lt]=${Math.ceil(until.getTime() / 1_000)}`;
  return pageOf(cursor === undefined ? bounds : `${bounds}&starting_after=${encodeURIComponent(cursor)}`, null, psp);
}

/** Our fields → those of Stripe's form. */
const EVIDENCE = {
  explanation: 'uncategorized_text',
  product_description: 'product_description',
  customer_name: 'customer_name',
  customer_email: 'customer_email_address',
  customer_ip: 'customer_purchase_ip',
  billing_address: 'billing_address',
  shipping_address: 'shipping_address',
  shipping_carrier: 'shipping_carrier',
  tracking_number: 'shipping_tracking_number',
  shipping_date: 'shipping_date',
  service_date: 'service_date',
  refund_policy: 'refund_policy_disclosure',
  refund_refusal: 'refund_refusal_explanation',
  cancellation_policy: 'cancellation_policy_disclosure',
  cancellation_refusal: 'cancellation_rebuttal',
  access_log: 'access_activity_log',
  duplicate_explanation: 'duplicate_charge_explanation',
} as const;

type StripeForm = NonNullable<Parameters<typeof requestOrThrow>[0]['params']>;

function answer(
  dispute: DisputeRef,
  call: { readonly path: string; readonly params: StripeForm; readonly idempotencyKey: string },
  psp: StripeContext,
): Promise<PspDispute> {
  const { paymentId } = dispute;
  return answerDispute(
    async () => toPspDispute(await requestOrThrow({ operation: 'dispute', paymentId, ...call }, psp), psp.now()),
    () => fetchDispute(dispute, psp),
  );
}

export const disputes: PspDisputes<StripeCredentials> = {
  fetch: fetchDispute,
  list: listDisputes,
  listSince,
  // Stripe's response says `lost` and nothing of who gave up.
  accept: async (dispute, idempotencyKey, psp) => {
    const closed = await answer(
      dispute,
      { path: `${pathOf(dispute.reference)}/close`, params: {}, idempotencyKey },
      psp,
    );
    return closed.status === 'lost' ? { ...closed, status: 'accepted' } : closed;
  },
  // Without `submit` it stays a draft that the bank never sees.
  submitEvidence: (dispute, evidence, idempotencyKey, psp) =>
    answer(
      dispute,
      {
        path: pathOf(dispute.reference),
        params: { evidence: namedEvidence(EVIDENCE, evidence), submit: true },
        idempotencyKey,
      },
      psp,
    ),
};
