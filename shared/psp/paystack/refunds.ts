import { DAY } from '#shared/kernel/clock.ts';
import {
  type ChargeRef,
  PspOutcomeUnknown,
  type PspRefund,
  type RefundOrder,
  type RefundOutcome,
  type RefundRef,
} from '#shared/ports/psp.port.ts';
import type { RequestPurpose } from '#shared/psp/kit/requests.ts';
import { type PaystackContext, refusal, requestOrThrow, sendRequest } from '#shared/psp/paystack/client.ts';
import { fetchTransaction } from '#shared/psp/paystack/lookups.ts';
import { toOurMoney } from '#shared/psp/paystack/money.rules.ts';
import { toRefundOutcome } from '#shared/psp/paystack/outcomes.rules.ts';
import { refundBody, toReference, toRefundId } from '#shared/psp/paystack/requests.rules.ts';
import { type Refund, readRefund } from '#shared/psp/paystack/schema.ts';

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

async function findOwn(
  { reference, refundId }: RefundOrder,
  purpose: RequestPurpose,
  psp: PaystackContext,
): Promise<Refund | undefined> {
  const note = toReference(refundId);
  return (await refundsOf(reference, purpose, psp)).find(({ merchant_note }) => merchant_note === note);
}

/**
 * All refunds since the charge, filtered here. Paystack mentions a filter by transaction without documenting it, and a
 * wrong empty list would make us refund twice.
 */
async function refundsOf(reference: string, purpose: RequestPurpose, psp: PaystackContext): Promise<readonly Refund[]> {
  const since = await dayBefore(reference, purpose, psp);
  const found: Refund[] = [];
  for (let page = 1; ; page += 1) {
    const data = await requestOrThrow(
      { ...purpose, path: `/refund?perPage=${PER_PAGE}&page=${page}&from=${since}` },
      psp,
    );
    if (!Array.isArray(data)) throw new PspOutcomeUnknown("Paystack's list of refunds is not understood.");
    found.push(...data.map(readRefund).filter((refund) => chargeOf(refund) === reference));
    if (data.length < PER_PAGE) return found;
  }
}

/** The day before the charge, as Paystack's days are in its own time zone. */
async function dayBefore(reference: string, purpose: RequestPurpose, psp: PaystackContext): Promise<string> {
  const { created_at, createdAt } = await fetchTransaction(reference, purpose, psp);
  const createdAtMs = Date.parse(created_at ?? createdAt ?? '');
  if (Number.isNaN(createdAtMs)) throw new PspOutcomeUnknown('Paystack does not say when the charge was created.');
  return new Date(createdAtMs - DAY).toISOString().slice(0, 10);
}

/** A refund without a transaction could be any charge's. */
function chargeOf({ transaction_reference, transaction }: Refund): string {
  if (transaction_reference) return transaction_reference;
  if (typeof transaction === 'object' && transaction !== null && 'reference' in transaction)
    return String(transaction.reference);
  throw new PspOutcomeUnknown("Paystack's refund names no transaction.");
}

const toPspRefund = (refund: Refund): PspRefund => {
  const findOwn = toRefundId(refund.merchant_note ?? '');
  return {
    ...toRefundOutcome(refund),
    ...toOurMoney(refund.amount, refund.currency),
    ...(findOwn && { ourId: findOwn }),
  };
};

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
  return (await refundsOf(reference, { operation: 'fetch_refund', paymentId }, psp)).map(toPspRefund);
}
