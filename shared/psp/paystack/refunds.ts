import { DAY } from '#shared/kernel/clock.ts';
import {
  type ChargeRef,
  PspOutcomeUnknown,
  type PspRefund,
  type RefundOrder,
  type RefundOutcome,
  type RefundRef,
} from '#shared/ports/psp.port.ts';
import type { Money } from '#shared/psp/kit/money.ts';
import type { RequestPurpose } from '#shared/psp/kit/requests.ts';
import { type PaystackContext, refusal, requestOrThrow, sendRequest } from '#shared/psp/paystack/client.ts';
import { fetchTransaction } from '#shared/psp/paystack/lookups.ts';
import { toOurMoney } from '#shared/psp/paystack/money.rules.ts';
import { hasFeeOnTop, paidMoney, toRefundOutcome } from '#shared/psp/paystack/outcomes.rules.ts';
import { refundBody, toReference, toRefundId } from '#shared/psp/paystack/requests.rules.ts';
import { type Refund, readRefund, type Transaction } from '#shared/psp/paystack/schema.ts';

const PER_PAGE = 50;

/**
 * Refunds have no idempotency key, and a repeat would make a second one. So ours is searched before each send. A
 * refusal may be caused by a concurrent send, so it counts only if our refund is still not there.
 */
export async function refundCharge(order: RefundOrder, psp: PaystackContext): Promise<RefundOutcome> {
  const purpose = { operation: 'refund', paymentId: order.paymentId } as const;
  const known = await findOwn(order, purpose, psp);
  if (known) return toRefundOutcome(known);
  const response = await sendRequest({ ...purpose, path: '/refund', body: refundBody(order) }, psp);
  if (response.ok) return toRefundOutcome(readRefund(response.data));
  const refused = refusal(response.status, response.error);
  if (refused.kind === 'credentials') throw refused;
  const concurrent = await findOwn(order, purpose, psp).catch((cause: unknown) => {
    throw new PspOutcomeUnknown('The refund was sent and could not be looked up.', { cause });
  });
  if (!concurrent) throw refused;
  return toRefundOutcome(concurrent);
}

/** A refund with another note is not ours, whatever it belongs to. */
async function findOwn(
  { reference, refundId }: RefundOrder,
  purpose: RequestPurpose,
  psp: PaystackContext,
): Promise<Refund | undefined> {
  const note = toReference(refundId);
  const { refunds } = await refundsOf(reference, purpose, psp, ({ merchant_note }) => merchant_note !== note);
  return refunds.find(({ merchant_note }) => merchant_note === note);
}

type ChargeRefunds = { readonly transaction: Transaction; readonly refunds: readonly Refund[] };

/**
 * All refunds since the charge, filtered here. Paystack mentions a filter by transaction without documenting it, and a
 * wrong empty list would make us refund twice. A refund without a transaction could be any charge's: it is skipped only
 * where `maySkip` allows.
 */
async function refundsOf(
  reference: string,
  purpose: RequestPurpose,
  psp: PaystackContext,
  maySkip: (refund: Refund) => boolean,
): Promise<ChargeRefunds> {
  const transaction = await fetchTransaction(reference, purpose, psp);
  const since = dayBefore(transaction);
  const refunds: Refund[] = [];
  for (let page = 1; ; page += 1) {
    const data = await requestOrThrow(
      { ...purpose, path: `/refund?perPage=${PER_PAGE}&page=${page}&from=${since}` },
      psp,
    );
    if (!Array.isArray(data)) throw new PspOutcomeUnknown("Paystack's list of refunds is not understood.");
    for (const refund of data.map(readRefund)) {
      const isOfCharge = belongsTo(refund, { reference, number: transaction.id });
      if (isOfCharge) refunds.push(refund);
      else if (isOfCharge === undefined && !maySkip(refund))
        throw new PspOutcomeUnknown("Paystack's refund names no transaction.");
    }
    if (data.length < PER_PAGE) return { transaction, refunds };
  }
}

/** The day before the charge, as Paystack's days are in its own time zone. */
function dayBefore({ created_at, createdAt }: Transaction): string {
  const createdAtMs = Date.parse(created_at ?? createdAt ?? '');
  if (Number.isNaN(createdAtMs)) throw new PspOutcomeUnknown('Paystack does not say when the charge was created.');
  return new Date(createdAtMs - DAY).toISOString().slice(0, 10);
}

type ChargeNames = { readonly reference: string; readonly number: string | undefined };

/** By its reference or by Paystack's number of it. Undefined if the refund has neither. */
function belongsTo({ transaction_reference, transaction }: Refund, charge: ChargeNames): boolean | undefined {
  const { id, reference } = typeof transaction === 'object' && transaction ? transaction : { id: transaction };
  const named = transaction_reference ?? reference;
  if (named) return named === charge.reference;
  return id && charge.number ? id === charge.number : undefined;
}

/**
 * Where the customer paid the fees on top, Paystack refunds them with the rest. More than the payment's own amount is
 * its fee, which never was the payment's.
 */
function refundedMoney(refund: Refund, transaction: Transaction | undefined): Money {
  const money = toOurMoney(refund.amount, refund.currency);
  if (!transaction || !hasFeeOnTop(transaction)) return money;
  return { ...money, amount: Math.min(money.amount, paidMoney(transaction).amount) };
}

function toPspRefund(refund: Refund, transaction?: Transaction): PspRefund {
  const ourId = toRefundId(refund.merchant_note ?? '');
  return {
    ...toRefundOutcome(refund),
    ...refundedMoney(refund, transaction),
    ourId: ourId ?? (refund.merchant_note ? null : undefined),
  };
}

export async function fetchRefund({ reference, paymentId }: RefundRef, psp: PaystackContext): Promise<PspRefund> {
  return toPspRefund(
    readRefund(
      await requestOrThrow(
        { operation: 'fetch_refund', paymentId, path: `/refund/${encodeURIComponent(reference)}` },
        psp,
      ),
    ),
  );
}

export async function listRefunds(
  { reference, paymentId }: ChargeRef,
  psp: PaystackContext,
): Promise<readonly PspRefund[]> {
  const purpose = { operation: 'fetch_refund', paymentId } as const;
  const { transaction, refunds } = await refundsOf(reference, purpose, psp, () => false);
  return refunds.map((refund) => toPspRefund(refund, transaction));
}
