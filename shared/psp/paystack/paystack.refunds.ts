import { DAY } from '#shared/kernel/clock.ts';
import {
  type ChargeRef,
  PspOutcomeUnknown,
  type RefundOrder,
  type RefundOutcome,
  type RefundRef,
  type SeenRefund,
} from '#shared/ports/psp.port.ts';
import type { Purpose } from '#shared/psp/kit/purpose.ts';
import { refusal } from '#shared/psp/paystack/error.rules.ts';
import { readRefund, toRefundOutcome } from '#shared/psp/paystack/mapping.rules.ts';
import { ourUnits } from '#shared/psp/paystack/money.rules.ts';
import type { Refund } from '#shared/psp/paystack/objects.schema.ts';
import { ask, get, type PaystackContext } from '#shared/psp/paystack/paystack.client.ts';
import { fetchTransaction } from '#shared/psp/paystack/paystack.lookups.ts';
import { refundOf, toReference } from '#shared/psp/paystack/reference.rules.ts';
import { refundBody } from '#shared/psp/paystack/request.rules.ts';

const PER_PAGE = 50;

/**
 * Paystack has no keys for refunds and would make a second one: ours is searched before each send. A refusal may come
 * from a concurrent send, so it counts only if ours is still not there.
 */
export async function refundCharge(order: RefundOrder, psp: PaystackContext): Promise<RefundOutcome> {
  const purpose = { operation: 'refund', paymentId: order.paymentId } as const;
  const known = await ours(order, purpose, psp);
  if (known) return toRefundOutcome(known);
  const answer = await ask({ ...purpose, path: '/refund', body: refundBody(order) }, psp);
  if (answer.ok) return toRefundOutcome(readRefund(answer.data));
  const refused = refusal(answer.status, answer.fault);
  if (refused.kind === 'credentials') throw refused;
  const crossed = await ours(order, purpose, psp).catch((cause: unknown) => {
    throw new PspOutcomeUnknown('The refund was sent and could not be looked up.', { cause });
  });
  if (!crossed) throw refused;
  return toRefundOutcome(crossed);
}

async function ours(
  { reference, refundId }: RefundOrder,
  purpose: Purpose,
  psp: PaystackContext,
): Promise<Refund | undefined> {
  const note = toReference(refundId);
  return (await refundsOf(reference, purpose, psp)).find(({ merchant_note }) => merchant_note === note);
}

/**
 * All refunds since the charge, filtered here: a filter by transaction is mentioned but not in Paystack's document, and
 * a wrong empty answer would make us refund twice.
 */
async function refundsOf(reference: string, purpose: Purpose, psp: PaystackContext): Promise<readonly Refund[]> {
  const since = await dayBefore(reference, purpose, psp);
  const found: Refund[] = [];
  for (let page = 1; ; page += 1) {
    const data = await get({ ...purpose, path: `/refund?perPage=${PER_PAGE}&page=${page}&from=${since}` }, psp);
    if (!Array.isArray(data)) throw new PspOutcomeUnknown("Paystack's list of refunds is not understood.");
    found.push(...data.map(readRefund).filter((refund) => chargeOf(refund) === reference));
    if (data.length < PER_PAGE) return found;
  }
}

/** The day before the charge, as Paystack's days are in its own zone. */
async function dayBefore(reference: string, purpose: Purpose, psp: PaystackContext): Promise<string> {
  const { created_at, createdAt } = await fetchTransaction(reference, purpose, psp);
  const made = Date.parse(created_at ?? createdAt ?? '');
  if (Number.isNaN(made)) throw new PspOutcomeUnknown('Paystack does not say when the charge was made.');
  return new Date(made - DAY).toISOString().slice(0, 10);
}

/** A refund without a transaction could be of any charge. */
function chargeOf({ transaction_reference, transaction }: Refund): string {
  if (transaction_reference) return transaction_reference;
  if (typeof transaction === 'object' && transaction !== null && 'reference' in transaction)
    return String(transaction.reference);
  throw new PspOutcomeUnknown("Paystack's refund names no transaction.");
}

const seen = (refund: Refund): SeenRefund => {
  const ours = refundOf(refund.merchant_note ?? '');
  return { ...toRefundOutcome(refund), ...ourUnits(refund.amount, refund.currency), ...(ours && { ours }) };
};

export async function fetchRefund({ reference, paymentId }: RefundRef, psp: PaystackContext): Promise<SeenRefund> {
  return seen(
    readRefund(
      await get({ operation: 'fetch_refund', paymentId, path: `/refund/${encodeURIComponent(reference)}` }, psp),
    ),
  );
}

export async function listRefunds(
  { reference, paymentId }: ChargeRef,
  psp: PaystackContext,
): Promise<readonly SeenRefund[]> {
  return (await refundsOf(reference, { operation: 'fetch_refund', paymentId }, psp)).map(seen);
}
