import { type ChargeOrder, type ChargeRef, PspNotSent, type PspOutcome, PspOutcomeUnknown, PspRefused } from '#shared/ports/psp.port.ts';
import { readTransaction, toOutcome } from '#shared/psp/paystack/mapping.rules.ts';
import type { Transaction } from '#shared/psp/paystack/objects.schema.ts';
import { ask, get, type PaystackContext, type Purpose } from '#shared/psp/paystack/paystack.client.ts';
import { toReference } from '#shared/psp/paystack/reference.rules.ts';
import { chargeCall } from '#shared/psp/paystack/request.rules.ts';

/** `waits`: the customer has not finished, and where they stand is not told. `left`: they have not even begun, or have gone, and may come back. */
type Seen = { readonly outcome: PspOutcome } | { readonly waits: 'left' | 'busy' };

export const verifyPath = (reference: string): string => `/transaction/verify/${encodeURIComponent(reference)}`;

export async function fetchTransaction(reference: string, purpose: Purpose, psp: PaystackContext): Promise<Transaction> {
  return readTransaction(await get({ ...purpose, path: verifyPath(reference) }, psp), reference);
}

const UNFINISHED = new Set(['abandoned', 'ongoing', 'pending']);

/** Paystack calls `abandoned` whatever its customer has not finished, also while the page is open. */
export async function lookAt(reference: string, purpose: Purpose, psp: PaystackContext): Promise<Seen> {
  const transaction = await fetchTransaction(reference, purpose, psp);
  const { status = '' } = transaction;
  if (!UNFINISHED.has(status)) return { outcome: toOutcome(transaction, reference) };
  const step = await stepOf(reference, purpose, psp);
  if (step) return { outcome: step };
  return status === 'pending' ? { outcome: toOutcome(transaction, reference) } : { waits: status === 'abandoned' ? 'left' : 'busy' };
}

/** A charge made without a page tells at which step it is. Of a page's, Paystack may know none, which says nothing. */
async function stepOf(reference: string, purpose: Purpose, psp: PaystackContext): Promise<PspOutcome | undefined> {
  const answer = await ask({ ...purpose, path: `/charge/${encodeURIComponent(reference)}` }, psp);
  if (!answer.ok) return undefined;
  const outcome = toOutcome(readTransaction(answer.data, reference), reference);
  return outcome.kind === 'requires_action' || outcome.kind === 'succeeded' ? outcome : undefined;
}

/**
 * The answer lacks the address of the page of a customer who may still be paying. One that was left can be paid as long as
 * it lives, which is not told: that nobody wants the money any more is no end of it, and taking it to give it back costs fees.
 */
export async function fetchCharge({ reference, paymentId, wanted }: ChargeRef, psp: PaystackContext): Promise<PspOutcome> {
  const seen = await lookAt(reference, { operation: 'fetch', paymentId }, psp);
  if ('outcome' in seen) return seen.outcome;
  return { kind: wanted || seen.waits === 'left' ? 'waiting' : 'processing', reference };
}

/**
 * Undefined where Paystack has nothing, and for a page whose address was lost with the answer that brought it: nobody was
 * ever given it, so nothing can be paid there.
 */
export async function findCharge(order: ChargeOrder, psp: PaystackContext): Promise<PspOutcome | undefined> {
  const reference = toReference(order.attemptId);
  try {
    const seen = await lookAt(reference, { operation: 'find', paymentId: order.paymentId }, psp);
    if ('outcome' in seen) return seen.outcome;
    return seen.waits === 'left' && chargeCall(order).kind === 'page' ? undefined : { kind: 'processing', reference };
  } catch (error) {
    if (error instanceof PspRefused && error.kind === 'not_found') return undefined;
    throw error;
  }
}

/** The reference is taken: an earlier send arrived. What became of that one is the outcome, and not reaching Paystack now says nothing of it. */
export async function earlierCharge(order: ChargeOrder, psp: PaystackContext): Promise<PspOutcome> {
  try {
    const found = await findCharge(order, psp);
    if (found) return found;
  } catch (error) {
    if (!(error instanceof PspNotSent || error instanceof PspRefused)) throw error;
  }
  throw new PspOutcomeUnknown('Paystack has this charge, and does not say how it stands.');
}
