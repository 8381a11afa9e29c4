import {
  type ChargeOrder,
  type ChargeRef,
  PspNotSent,
  type PspOutcome,
  PspOutcomeUnknown,
  PspRefused,
} from '#shared/ports/psp.port.ts';
import type { Purpose } from '#shared/psp/kit/purpose.ts';
import { readTransaction, toOutcome } from '#shared/psp/paystack/mapping.rules.ts';
import type { Transaction } from '#shared/psp/paystack/objects.schema.ts';
import { ask, get, type PaystackContext } from '#shared/psp/paystack/paystack.client.ts';
import { toReference } from '#shared/psp/paystack/reference.rules.ts';
import { chargeCall } from '#shared/psp/paystack/request.rules.ts';

/**
 * `waits`: the customer has not finished, at an unknown step. `left`: they have not begun, or have left, and may come
 * back.
 */
type Seen = { readonly outcome: PspOutcome } | { readonly waits: 'left' | 'busy' };

const verifyPath = (reference: string): string => `/transaction/verify/${encodeURIComponent(reference)}`;

export async function fetchTransaction(
  reference: string,
  purpose: Purpose,
  psp: PaystackContext,
): Promise<Transaction> {
  return readTransaction(await get({ ...purpose, path: verifyPath(reference) }, psp), reference);
}

const UNFINISHED = new Set(['abandoned', 'ongoing', 'pending']);

/** Paystack's `abandoned` is any unfinished transaction, also while its page is open. */
export async function lookAt(reference: string, purpose: Purpose, psp: PaystackContext): Promise<Seen> {
  const transaction = await fetchTransaction(reference, purpose, psp);
  const { status = '' } = transaction;
  if (!UNFINISHED.has(status)) return { outcome: toOutcome(transaction, reference) };
  const step = await stepOf(reference, purpose, psp);
  if (step) return { outcome: step };
  return status === 'pending'
    ? { outcome: toOutcome(transaction, reference) }
    : { waits: status === 'abandoned' ? 'left' : 'busy' };
}

/** A charge without a page tells its step. For a page's charge Paystack may have none, which says nothing. */
async function stepOf(reference: string, purpose: Purpose, psp: PaystackContext): Promise<PspOutcome | undefined> {
  const answer = await ask({ ...purpose, path: `/charge/${encodeURIComponent(reference)}` }, psp);
  if (!answer.ok) return undefined;
  const outcome = toOutcome(readTransaction(answer.data, reference), reference);
  return outcome.kind === 'requires_action' || outcome.kind === 'succeeded' ? outcome : undefined;
}

/**
 * The answer lacks the URL of a page whose customer may still be paying. An abandoned page can be paid for an unknown
 * time: that the money is no longer wanted does not end it, and taking and refunding it costs fees.
 */
export async function fetchCharge(
  { reference, paymentId, wanted }: ChargeRef,
  psp: PaystackContext,
): Promise<PspOutcome> {
  const seen = await lookAt(reference, { operation: 'fetch', paymentId }, psp);
  if ('outcome' in seen) return seen.outcome;
  return { kind: wanted || seen.waits === 'left' ? 'waiting' : 'processing', reference };
}

/**
 * Undefined where Paystack has nothing, and for a page whose URL was lost with the answer: no customer got it, so none
 * can pay there.
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

/** The reference is taken: an earlier send arrived. Its status is the outcome, and a failed look-up says nothing. */
export async function earlierCharge(order: ChargeOrder, psp: PaystackContext): Promise<PspOutcome> {
  try {
    const found = await findCharge(order, psp);
    if (found) return found;
  } catch (error) {
    if (!(error instanceof PspNotSent || error instanceof PspRefused)) throw error;
  }
  throw new PspOutcomeUnknown('Paystack has this charge, and does not say how it stands.');
}
