import { type ChargeOrder, type ChargeRef, type PspOutcome, PspOutcomeUnknown } from '#shared/ports/psp.port.ts';
import { DIRECT_PREFIX } from '#shared/psp/flutterwave/capabilities.ts';
import {
  type FlutterwaveContext,
  isNotFound,
  refusal,
  requestOrThrow,
  sendRequest,
} from '#shared/psp/flutterwave/client.ts';
import { isOurs, toOutcome } from '#shared/psp/flutterwave/outcomes.rules.ts';
import { chargeRequest } from '#shared/psp/flutterwave/requests.rules.ts';
import { readTransaction, type Transaction } from '#shared/psp/flutterwave/schema.ts';
import type { RequestPurpose } from '#shared/psp/kit/requests.ts';

export const isTransaction = (reference: string): boolean => /^\d+$/.test(reference);

export async function fetchTransaction(
  id: string,
  purpose: RequestPurpose,
  psp: FlutterwaveContext,
): Promise<Transaction> {
  const transaction = readTransaction(
    (await requestOrThrow({ ...purpose, path: `/v3/transactions/${encodeURIComponent(id)}/verify` }, psp)).data,
  );
  if (transaction.id !== id) throw new PspOutcomeUnknown('Flutterwave returned another transaction.');
  return transaction;
}

/**
 * UNVERIFIED which of several tries is returned, as those on one page share their `tx_ref`. A callback reports each
 * with its number.
 */
export async function findByTxRef(
  txRef: string,
  purpose: RequestPurpose,
  psp: FlutterwaveContext,
): Promise<Transaction | undefined> {
  const response = await sendRequest(
    { ...purpose, path: `/v3/transactions/verify_by_reference?tx_ref=${encodeURIComponent(txRef)}` },
    psp,
  );
  if (!response.ok && isNotFound(response)) return undefined;
  if (!response.ok) throw refusal(response);
  const transaction = readTransaction(response.data);
  if (transaction.tx_ref !== txRef) throw new PspOutcomeUnknown('Flutterwave returned another transaction.');
  return transaction;
}

/** The transaction of a charge. An unpaid page has none. */
export async function findTransaction(
  reference: string,
  purpose: RequestPurpose,
  psp: FlutterwaveContext,
): Promise<Transaction | undefined> {
  if (isTransaction(reference)) return fetchTransaction(reference, purpose, psp);
  return findByTxRef(
    reference.startsWith(DIRECT_PREFIX) ? reference.slice(DIRECT_PREFIX.length) : reference,
    purpose,
    psp,
  );
}

/** A pending transaction does not show the customer's next action. Only the first response did. */
export async function fetchCharge(
  charge: ChargeRef,
  psp: FlutterwaveContext,
  operation: 'fetch' | 'confirm' = 'fetch',
): Promise<PspOutcome> {
  const { reference, paymentId } = charge;
  const transaction = await findTransaction(reference, { operation, paymentId }, psp);
  if (isTransaction(reference) && transaction && !isOurs(transaction, charge))
    throw new PspOutcomeUnknown('This transaction is not that of the charge.');
  return lookUpOutcome(reference, transaction, !isTransaction(reference) && !reference.startsWith(DIRECT_PREFIX));
}

/** Only a payment ends a page: Flutterwave reports neither that it is open nor that it has closed. */
function lookUpOutcome(reference: string, transaction: Transaction | undefined, onPage: boolean): PspOutcome {
  const outcome = transaction && toOutcome(transaction);
  // A failure whose bank may have approved is no open charge: it does not end with the customer's time.
  const isDecided = outcome?.kind === 'declined' || transaction?.status === 'failed';
  if (outcome && (outcome.kind === 'succeeded' || (isDecided && !onPage))) return outcome;
  return { kind: 'waiting', reference: onPage || !transaction ? reference : transaction.id };
}

/** A page whose URL was lost with the response is not found. No customer has it, so nobody can pay there. */
export async function findCharge(order: ChargeOrder, psp: FlutterwaveContext): Promise<PspOutcome | undefined> {
  const { attemptId, paymentId } = order;
  const transaction = await findByTxRef(attemptId, { operation: 'find', paymentId }, psp);
  return transaction && lookUpOutcome(attemptId, transaction, chargeRequest(order).kind === 'page');
}
