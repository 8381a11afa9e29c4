import * as z from 'zod';
import { refundDecline } from '#shared/domain/payments/refund-failures.catalog.ts';
import {
  PspOutcomeUnknown,
  PspRefused,
  type RefundOrder,
  type RefundOutcome,
  type RefundRef,
  type SeenRefund,
} from '#shared/ports/psp.port.ts';
import { isAboutCredentials, isInDoubt, refusal } from '#shared/psp/flutterwave/error.rules.ts';
import { ask, type FlutterwaveContext, get } from '#shared/psp/flutterwave/flutterwave.client.ts';
import { chargeBehind, fetchTransaction, isTransaction } from '#shared/psp/flutterwave/flutterwave.lookups.ts';
import { read, readRefund, toRefundOutcome } from '#shared/psp/flutterwave/mapping.rules.ts';
import { majorUnits, ourUnits } from '#shared/psp/flutterwave/money.rules.ts';
import { PageInfo, type Refund } from '#shared/psp/flutterwave/objects.schema.ts';
import { refundBody } from '#shared/psp/flutterwave/request.rules.ts';
import type { Purpose } from '#shared/psp/kit/purpose.ts';

/**
 * Refunds have no key: ours is searched among its charge's refunds before it is sent, and again before a refusal
 * counts.
 */
export async function refundCharge(order: RefundOrder, psp: FlutterwaveContext): Promise<RefundOutcome> {
  const purpose = { operation: 'refund', paymentId: order.paymentId } as const;
  if (majorUnits(order.amount, order.currency) === undefined)
    throw new PspRefused('request', 'Flutterwave can’t be asked for exactly this amount.');
  const id = await refundable(order.reference, purpose, psp);
  const known = await findRefund(id, order, purpose, psp);
  if (known) return toRefundOutcome(known);
  const answer = await ask({ ...purpose, path: `/v3/transactions/${id}/refund`, body: refundBody(order) }, psp);
  if (answer.ok) return toRefundOutcome(readRefund(answer.data));
  if (isAboutCredentials(answer)) throw refusal(answer);
  const made = await findRefund(id, order, purpose, psp).catch((cause: unknown) => {
    throw new PspOutcomeUnknown('The refund was sent and could not be looked up.', { cause });
  });
  if (made) return toRefundOutcome(made);
  if (isInDoubt(answer)) throw new PspOutcomeUnknown('Flutterwave gives no verdict, and does not list the refund yet.');
  return { kind: 'failed', reference: null, decline: refundDecline('refund_declined') };
}

async function refundable(reference: string, purpose: Purpose, psp: FlutterwaveContext): Promise<string> {
  const id = isTransaction(reference) ? reference : (await chargeBehind(reference, purpose, psp))?.id;
  if (id === undefined) throw new PspRefused('state', 'This page has no payment to refund.');
  return id;
}

/**
 * UNVERIFIED whether lists show the comment. Where they don't, a refund of the same amount may be ours, and may be
 * another: then none is sent, so that nothing goes back twice.
 */
async function findRefund(
  transactionId: string,
  order: RefundOrder,
  purpose: Purpose,
  psp: FlutterwaveContext,
): Promise<Refund | undefined> {
  const refunds = await refundsOf(transactionId, purpose, psp);
  const ours = refunds.find(({ comments }) => comments?.includes(order.refundId));
  const mayBeOurs = ({ comments, amount_refunded }: Refund) =>
    comments === undefined && ourUnits(amount_refunded, order.currency).amount === order.amount;
  if (!ours && refunds.some(mayBeOurs))
    throw new PspOutcomeUnknown('Flutterwave does not say whether this refund was made.');
  return ours;
}

const MOST_PAGES = 10;

/**
 * UNVERIFIED whether the list obeys `id`: what is another charge's is left out here, and a list too long to read is no
 * answer.
 */
async function refundsOf(transactionId: string, purpose: Purpose, psp: FlutterwaveContext): Promise<readonly Refund[]> {
  const refunds: Refund[] = [];
  for (let page = 1, last = 1; page <= last; page += 1) {
    const answer = await ask(
      { ...purpose, path: `/v3/refunds?id=${transactionId}${page > 1 ? `&page=${page}` : ''}` },
      psp,
    );
    if (!answer.ok && isEmpty(answer)) return refunds;
    if (!answer.ok) throw refusal(answer);
    refunds.push(...read(z.array(z.unknown()), 'list of refunds', answer.data).map(readRefund));
    last = PageInfo.safeParse(answer.meta).data?.page_info.total_pages ?? 1;
    if (last > MOST_PAGES) throw new PspOutcomeUnknown('Flutterwave lists more refunds than can be read.');
  }
  const chargeOf = ({ tx_id, transaction_id }: Refund) => tx_id ?? transaction_id ?? transactionId;
  return refunds.filter((refund) => chargeOf(refund) === transactionId);
}

/** UNVERIFIED that nothing found is ever worded like this; any other refusal says nothing of what was refunded. */
const isEmpty = ({ status, message }: { readonly status: number; readonly message: string }): boolean =>
  (status === 400 || status === 404) && /\bno refunds?\b|\brefunds? (was |were )?not found\b/i.test(message);

/** A refund names no currency: it is that of its charge. */
export async function fetchRefund(
  { reference, paymentId, charge }: RefundRef,
  psp: FlutterwaveContext,
): Promise<SeenRefund> {
  const purpose = { operation: 'fetch_refund', paymentId } as const;
  const refund = readRefund(
    (await get({ ...purpose, path: `/v3/refunds/${encodeURIComponent(reference)}` }, psp)).data,
  );
  const of = refund.tx_id ?? refund.transaction_id ?? charge;
  const isAnothers = charge !== null && isTransaction(charge) && of !== charge;
  if (refund.id !== reference || of === null || isAnothers)
    throw new PspOutcomeUnknown('Flutterwave answers with another refund.');
  const transaction = isTransaction(of)
    ? await fetchTransaction(of, purpose, psp)
    : await chargeBehind(of, purpose, psp);
  const ours = /re_[0-9a-z]{26}/.exec(refund.comments ?? '')?.[0];
  return {
    ...toRefundOutcome(refund),
    ...ourUnits(refund.amount_refunded, refund.currency ?? transaction?.currency),
    ...(ours && { ours }),
  };
}
