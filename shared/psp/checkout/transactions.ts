import * as z from 'zod';
import { DAY, plus } from '#shared/kernel/clock.ts';
import { isId } from '#shared/kernel/ids.ts';
import {
  type ChargeOfEvent,
  PspOutcomeUnknown,
  type PspTransaction,
  type TransactionPage,
  type TransactionQuery,
} from '#shared/ports/psp.port.ts';
import {
  type CheckoutContext,
  paymentPath,
  refusal,
  requestOrThrow,
  sendRequest,
} from '#shared/psp/checkout/client.ts';
import { toOurMoney } from '#shared/psp/checkout/money.rules.ts';
import { readList, readPayment } from '#shared/psp/checkout/schema.ts';
import { moneyIn, ourIdsIn } from '#shared/psp/kit/transactions.ts';

/** The most that one search returns. */
const PAGE_SIZE = 1_000;

/** Metadata may be searched with a wildcard, so only payments of ours are listed. */
const OURS = "metadata.payment_id:'pay_*'";

/** The search knows times of payments, not of refunds: all payments of ours of this time that have refunds are named. */
const REFUNDABLE_FOR = 180 * DAY;
const WITH_REFUNDS = `${OURS} AND (status:'Refunded' OR status:'Partially Refunded')`;

/**
 * Needs the scope `payments:search` of the key. UNVERIFIED, as the search is a beta: that both fields can be combined,
 * and how a long result continues. So the next search ends at the oldest payment of this one; what both return does no
 * harm.
 */
export async function listTransactions(query: TransactionQuery, psp: CheckoutContext): Promise<TransactionPage> {
  const until = query.cursor ?? query.until.toISOString();
  const isCharge = query.kind === 'charge';
  const from = isCharge ? query.from : plus(query.from, -REFUNDABLE_FOR);
  const search = { query: isCharge ? OURS : WITH_REFUNDS, limit: PAGE_SIZE, from: from.toISOString(), to: until };
  const call = { operation: 'list', paymentId: null, path: '/payments/search', body: search } as const;
  const response = await sendRequest(call, psp);
  if (!response.ok) throw refusal(response.status, response.codes);
  const items = readList(response.body).map(toTransaction);
  return { items, next: olderThan(items, until) };
}

function toTransaction(value: unknown): PspTransaction {
  const { id, amount, currency, reference, metadata, requested_on, description } = readPayment(value);
  const at = new Date(requested_on ?? '');
  if (Number.isNaN(at.getTime())) throw new PspOutcomeUnknown('Checkout.com lists a payment without a readable time.');
  return {
    reference: id,
    ids: ourIdsIn(metadata),
    attemptId: isId('attempt', reference ?? '') ? (reference ?? undefined) : undefined,
    money: amount != null && currency != null ? moneyIn(() => toOurMoney(amount, currency)) : undefined,
    description: z.string().optional().catch(undefined).parse(description),
    at: at.toISOString(),
  };
}

/**
 * The search may return fewer than it was asked for, so only one that reaches nothing older is the last one. A moment
 * with more payments than one search returns cannot be read: rather no list than one with a gap.
 */
function olderThan(items: readonly PspTransaction[], until: string): string | undefined {
  const [oldest = until] = items.map(({ at }) => at).sort();
  if (oldest < until) return oldest;
  if (items.length < PAGE_SIZE) return undefined;
  throw new PspOutcomeUnknown('Checkout.com lists more payments of one moment than can be read.');
}

export async function chargeIds({ reference }: ChargeOfEvent, psp: CheckoutContext): Promise<PspTransaction['ids']> {
  if (!reference?.startsWith('pay_')) return {};
  const call = { operation: 'fetch', paymentId: null, path: paymentPath(reference) } as const;
  return ourIdsIn(readPayment(await requestOrThrow(call, psp)).metadata);
}
