import {
  type ChargeOrder,
  type ChargeRef,
  PspNotSent,
  type PspOutcome,
  PspOutcomeUnknown,
  PspRefused,
} from '#shared/ports/psp.port.ts';
import type { RequestPurpose } from '#shared/psp/kit/requests.ts';
import { type PaystackContext, requestOrThrow, sendRequest } from '#shared/psp/paystack/client.ts';
import { readTransaction, toOutcome } from '#shared/psp/paystack/outcomes.rules.ts';
import { chargeRequest, toReference } from '#shared/psp/paystack/requests.rules.ts';
import type { Transaction } from '#shared/psp/paystack/schema.ts';

/**
 * `waits`: the customer has not finished, and the step is unknown. `left`: they have not begun, or have left and may
 * come back.
 */
type Inspection = { readonly outcome: PspOutcome } | { readonly waits: 'left' | 'busy' };

const verifyPath = (reference: string): string => `/transaction/verify/${encodeURIComponent(reference)}`;

export async function fetchTransaction(
  reference: string,
  purpose: RequestPurpose,
  psp: PaystackContext,
): Promise<Transaction> {
  return readTransaction(await requestOrThrow({ ...purpose, path: verifyPath(reference) }, psp), reference);
}

const UNFINISHED_STATUSES = new Set(['abandoned', 'ongoing', 'pending']);

/** Paystack's `abandoned` is any unfinished transaction, also while its page is open. */
export async function inspectCharge(
  reference: string,
  purpose: RequestPurpose,
  psp: PaystackContext,
): Promise<Inspection> {
  const transaction = await fetchTransaction(reference, purpose, psp);
  const { status = '' } = transaction;
  if (!UNFINISHED_STATUSES.has(status)) return { outcome: toOutcome(transaction, reference) };
  const step = await currentStep(reference, purpose, psp);
  if (step) return { outcome: step };
  return status === 'pending'
    ? { outcome: toOutcome(transaction, reference) }
    : { waits: status === 'abandoned' ? 'left' : 'busy' };
}

/** The step of a charge without a page. For a page's charge Paystack may have none, which says nothing. */
async function currentStep(
  reference: string,
  purpose: RequestPurpose,
  psp: PaystackContext,
): Promise<PspOutcome | undefined> {
  const response = await sendRequest({ ...purpose, path: `/charge/${encodeURIComponent(reference)}` }, psp);
  if (!response.ok) return undefined;
  const outcome = toOutcome(readTransaction(response.data, reference), reference);
  return outcome.kind === 'requires_action' || outcome.kind === 'succeeded' ? outcome : undefined;
}

/**
 * The look-up does not return a page's URL, so the outcome is `waiting` and the customer keeps it. An abandoned page
 * can be paid for an unknown time, even after the payment has ended: to take that money and refund it costs fees.
 */
export async function fetchCharge(
  { reference, paymentId, mayCapture }: ChargeRef,
  psp: PaystackContext,
): Promise<PspOutcome> {
  const inspection = await inspectCharge(reference, { operation: 'fetch', paymentId }, psp);
  if ('outcome' in inspection) return inspection.outcome;
  return { kind: mayCapture || inspection.waits === 'left' ? 'waiting' : 'processing', reference };
}

/**
 * Undefined where Paystack has nothing, and for a page whose URL was lost with the response. No customer has it, so
 * nobody can pay there.
 */
export async function findCharge(order: ChargeOrder, psp: PaystackContext): Promise<PspOutcome | undefined> {
  const reference = toReference(order.attemptId);
  try {
    const inspection = await inspectCharge(reference, { operation: 'find', paymentId: order.paymentId }, psp);
    if ('outcome' in inspection) return inspection.outcome;
    return inspection.waits === 'left' && chargeRequest(order).kind === 'page'
      ? undefined
      : { kind: 'processing', reference };
  } catch (error) {
    if (error instanceof PspRefused && error.kind === 'not_found') return undefined;
    throw error;
  }
}

/** The reference is taken, so an earlier send has arrived and its outcome counts. A failed look-up says nothing. */
export async function findEarlierCharge(order: ChargeOrder, psp: PaystackContext): Promise<PspOutcome> {
  try {
    const found = await findCharge(order, psp);
    if (found) return found;
  } catch (error) {
    if (!(error instanceof PspNotSent || error instanceof PspRefused)) throw error;
  }
  throw new PspOutcomeUnknown('Paystack has this charge, and does not report its status.');
}
