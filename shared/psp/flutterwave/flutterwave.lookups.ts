import { type ChargeOrder, type ChargeRef, type PspOutcome, PspOutcomeUnknown } from '#shared/ports/psp.port.ts';
import { isNotThere, refusal } from '#shared/psp/flutterwave/error.rules.ts';
import { ask, type FlutterwaveContext, get } from '#shared/psp/flutterwave/flutterwave.client.ts';
import { isOurs, readTransaction, toOutcome } from '#shared/psp/flutterwave/mapping.rules.ts';
import type { Transaction } from '#shared/psp/flutterwave/objects.schema.ts';
import { chargeRequest } from '#shared/psp/flutterwave/request.rules.ts';
import type { Purpose } from '#shared/psp/kit/purpose.ts';

/**
 * A charge is a transaction (a number), or before one is known its `tx_ref`: plain for a hosted page, on which a
 * declined try is no end, and as `tx:…` for a single charge that was answered without a number.
 */
const DIRECT = 'tx:';
export const directReference = (txRef: string): string => `${DIRECT}${txRef}`;
export const isTransaction = (reference: string): boolean => /^\d+$/.test(reference);

export async function fetchTransaction(id: string, purpose: Purpose, psp: FlutterwaveContext): Promise<Transaction> {
  const transaction = readTransaction(
    (await get({ ...purpose, path: `/v3/transactions/${encodeURIComponent(id)}/verify` }, psp)).data,
  );
  if (transaction.id !== id) throw new PspOutcomeUnknown('Flutterwave answers with another transaction.');
  return transaction;
}

/**
 * UNVERIFIED which of several tries is shown, as those on one page share their `tx_ref`. Each is reported by a callback
 * with its number.
 */
export async function transactionOf(
  txRef: string,
  purpose: Purpose,
  psp: FlutterwaveContext,
): Promise<Transaction | undefined> {
  const answer = await ask(
    { ...purpose, path: `/v3/transactions/verify_by_reference?tx_ref=${encodeURIComponent(txRef)}` },
    psp,
  );
  if (!answer.ok && isNotThere(answer)) return undefined;
  if (!answer.ok) throw refusal(answer);
  const transaction = readTransaction(answer.data);
  if (transaction.tx_ref !== txRef) throw new PspOutcomeUnknown('Flutterwave answers with another transaction.');
  return transaction;
}

/** For calls that continue a charge; an unpaid page has none. */
export async function chargeBehind(
  reference: string,
  purpose: Purpose,
  psp: FlutterwaveContext,
): Promise<Transaction | undefined> {
  if (isTransaction(reference)) return fetchTransaction(reference, purpose, psp);
  return transactionOf(reference.startsWith(DIRECT) ? reference.slice(DIRECT.length) : reference, purpose, psp);
}

/** A pending transaction does not show what the customer was asked for; only the first answer did. */
export async function fetchCharge(
  charge: ChargeRef,
  psp: FlutterwaveContext,
  operation: 'fetch' | 'confirm' = 'fetch',
): Promise<PspOutcome> {
  const { reference, paymentId } = charge;
  const transaction = await chargeBehind(reference, { operation, paymentId }, psp);
  if (isTransaction(reference) && transaction && !isOurs(transaction, charge))
    throw new PspOutcomeUnknown('This transaction is not that of the charge.');
  return seenOutcome(reference, transaction, !isTransaction(reference) && !reference.startsWith(DIRECT));
}

/** Only a payment ends a page: Flutterwave reports neither that it is open nor that it has closed. */
function seenOutcome(reference: string, transaction: Transaction | undefined, onPage: boolean): PspOutcome {
  const outcome = transaction && toOutcome(transaction);
  if (outcome?.kind === 'succeeded' || (outcome?.kind === 'declined' && !onPage)) return outcome;
  return { kind: 'waiting', reference: onPage || !transaction ? reference : transaction.id };
}

/** A page whose URL was lost with the answer is never found: no customer got it, so none can pay there. */
export async function findCharge(order: ChargeOrder, psp: FlutterwaveContext): Promise<PspOutcome | undefined> {
  const { attemptId, paymentId } = order;
  const transaction = await transactionOf(attemptId, { operation: 'find', paymentId }, psp);
  return transaction && seenOutcome(attemptId, transaction, chargeRequest(order).kind === 'page');
}
