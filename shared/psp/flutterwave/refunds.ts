import * as z from 'zod';
import { refundDecline } from '#shared/domain/payments/refund-failures.catalog.ts';
import {
  type ChargeRef,
  PspOutcomeUnknown,
  type PspRefund,
  PspRefused,
  type RefundOrder,
  type RefundOutcome,
  type RefundRef,
} from '#shared/ports/psp.port.ts';
import {
  type FlutterwaveContext,
  isAboutCredentials,
  isUncertain,
  refusal,
  requestOrThrow,
  sendRequest,
} from '#shared/psp/flutterwave/client.ts';
import { fetchTransaction, findTransaction, isTransaction } from '#shared/psp/flutterwave/lookups.ts';
import { majorUnits, toOurMoney } from '#shared/psp/flutterwave/money.rules.ts';
import { toRefundOutcome } from '#shared/psp/flutterwave/outcomes.rules.ts';
import { refundBody } from '#shared/psp/flutterwave/requests.rules.ts';
import { PageInfo, type Refund, readObject, readRefund } from '#shared/psp/flutterwave/schema.ts';
import type { RequestPurpose } from '#shared/psp/kit/requests.ts';

/**
 * Refunds have no idempotency key. Ours is searched among its charge's refunds before it is sent, and again before a
 * refusal counts.
 */
export async function refundCharge(order: RefundOrder, psp: FlutterwaveContext): Promise<RefundOutcome> {
  const purpose = { operation: 'refund', paymentId: order.paymentId } as const;
  if (majorUnits(order.amount, order.currency) === undefined)
    throw new PspRefused('request', 'Flutterwave cannot refund exactly this amount.');
  const id = await refundableTransaction(order.reference, purpose, psp);
  const known = await findRefund(id, order, purpose, psp);
  if (known) return toRefundOutcome(known);
  const response = await sendRequest(
    { ...purpose, path: `/v3/transactions/${id}/refund`, body: refundBody(order) },
    psp,
  );
  if (response.ok) return toRefundOutcome(readRefund(response.data));
  if (isAboutCredentials(response)) throw refusal(response);
  const existing = await findRefund(id, order, purpose, psp).catch((cause: unknown) => {
    throw new PspOutcomeUnknown('The refund was sent and could not be looked up.', { cause });
  });
  if (existing) return toRefundOutcome(existing);
  if (isUncertain(response))
    throw new PspOutcomeUnknown('Flutterwave reports no result, and does not list the refund yet.');
  return { kind: 'failed', reference: null, decline: refundDecline('refund_declined') };
}

async function refundableTransaction(
  reference: string,
  purpose: RequestPurpose,
  psp: FlutterwaveContext,
): Promise<string> {
  const id = isTransaction(reference) ? reference : (await findTransaction(reference, purpose, psp))?.id;
  if (id === undefined) throw new PspRefused('state', 'This page has no payment to refund.');
  return id;
}

/**
 * UNVERIFIED whether lists show the comment. Without comments, a refund of the same amount may be ours or another. Then
 * none is sent, so that nothing is refunded twice.
 */
async function findRefund(
  transactionId: string,
  order: RefundOrder,
  purpose: RequestPurpose,
  psp: FlutterwaveContext,
): Promise<Refund | undefined> {
  const refunds = await refundsOf(transactionId, purpose, psp);
  const own = refunds.find(({ comments }) => comments?.includes(order.refundId));
  const mayBeOwn = ({ comments, amount_refunded }: Refund) =>
    comments === undefined && toOurMoney(amount_refunded, order.currency).amount === order.amount;
  if (!own && refunds.some(mayBeOwn))
    throw new PspOutcomeUnknown('Flutterwave does not say whether this refund was made.');
  return own;
}

const MAX_PAGES = 10;

/**
 * UNVERIFIED whether the list obeys `id`. Refunds of other charges are left out here. If the list is too long to read,
 * the outcome stays unknown.
 */
async function refundsOf(
  transactionId: string,
  purpose: RequestPurpose,
  psp: FlutterwaveContext,
): Promise<readonly Refund[]> {
  const refunds: Refund[] = [];
  for (let page = 1, last = 1; page <= last; page += 1) {
    const response = await sendRequest(
      { ...purpose, path: `/v3/refunds?id=${transactionId}${page > 1 ? `&page=${page}` : ''}` },
      psp,
    );
    if (!response.ok && isNoRefunds(response)) return refunds;
    if (!response.ok) throw refusal(response);
    refunds.push(...readObject(z.array(z.unknown()), 'list of refunds', response.data).map(readRefund));
    last = PageInfo.safeParse(response.meta).data?.page_info.total_pages ?? 1;
    if (last > MAX_PAGES) throw new PspOutcomeUnknown('Flutterwave lists more refunds than can be read.');
  }
  const chargeOf = ({ tx_id, transaction_id }: Refund) => tx_id ?? transaction_id ?? transactionId;
  return refunds.filter((refund) => chargeOf(refund) === transactionId);
}

/** UNVERIFIED that an empty list is ever worded like this. Any other refusal says nothing about refunds. */
export const isNoRefunds = ({ status, message }: { readonly status: number; readonly message: string }): boolean =>
  [200, 400, 404].includes(status) && /\bno refunds?\b|\brefunds? (was |were )?not found\b/i.test(message);

/** A refund has no currency of its own, so its charge's is used. */
export async function fetchRefund(
  { reference, paymentId, charge }: RefundRef,
  psp: FlutterwaveContext,
): Promise<PspRefund> {
  const purpose = { operation: 'fetch_refund', paymentId } as const;
  const refund = readRefund(
    (await requestOrThrow({ ...purpose, path: `/v3/refunds/${encodeURIComponent(reference)}` }, psp)).data,
  );
  const of = refund.tx_id ?? refund.transaction_id ?? charge;
  const belongsToOther = charge !== null && isTransaction(charge) && of !== charge;
  if (refund.id !== reference || of === null || belongsToOther)
    throw new PspOutcomeUnknown('Flutterwave returned another refund.');
  const transaction = isTransaction(of)
    ? await fetchTransaction(of, purpose, psp)
    : await findTransaction(of, purpose, psp);
  return toPspRefund(refund, transaction?.currency);
}

/** Our id is in the comments. UNVERIFIED whether they are always shown. */
const toPspRefund = (refund: Refund, currency: string | null | undefined): PspRefund => ({
  ...toRefundOutcome(refund),
  ...toOurMoney(refund.amount_refunded, refund.currency ?? currency),
  ourId: refund.comments === undefined ? undefined : (/re_[0-9a-z]{26}/.exec(refund.comments ?? '')?.[0] ?? null),
});

export async function listRefunds(
  { reference, paymentId }: ChargeRef,
  psp: FlutterwaveContext,
): Promise<readonly PspRefund[]> {
  const purpose = { operation: 'fetch_refund', paymentId } as const;
  const id = await refundableTransaction(reference, purpose, psp);
  const refunds = await refundsOf(id, purpose, psp);
  if (refunds.length === 0) return [];
  const transaction = await fetchTransaction(id, purpose, psp);
  return refunds.map((refund) => toPspRefund(refund, transaction.currency));
}
