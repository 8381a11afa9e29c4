import type { NextAction } from '#shared/domain/payments/payment.model.ts';
import { MINUTE, plus } from '#shared/kernel/clock.ts';
import {
  type ChargeOrder,
  PspNotSent,
  type PspOutcome,
  PspOutcomeUnknown,
  PspRefused,
} from '#shared/ports/psp.port.ts';
import { directReference } from '#shared/psp/flutterwave/capabilities.ts';
import {
  type FlutterwaveContext,
  isAboutCredentials,
  isUncertain,
  type RefusedResponse,
  refusal,
  sendRequest,
} from '#shared/psp/flutterwave/client.ts';
import { declineFromMessage, refusedCharge } from '#shared/psp/flutterwave/declines.catalog.ts';
import { fetchCharge, fetchTransaction, findByTxRef, findTransaction } from '#shared/psp/flutterwave/lookups.ts';
import { isOurs, toNextAction, toOutcome } from '#shared/psp/flutterwave/outcomes.rules.ts';
import { type ChargeRequest, chargeRequest, PAGE_MINUTES } from '#shared/psp/flutterwave/requests.rules.ts';
import { Page, readObject, readTransaction, Transaction } from '#shared/psp/flutterwave/schema.ts';
import { UNDECIDED } from '#shared/psp/kit/declines.ts';

/**
 * There is no idempotency key, and a `tx_ref` that was used before is not reliably refused. So a charge is sent once,
 * and only looked up after that.
 */
export async function createCharge(order: ChargeOrder, psp: FlutterwaveContext): Promise<PspOutcome> {
  const request = chargeRequest(order);
  const call = { operation: 'create', paymentId: order.paymentId, path: request.path, body: request.body } as const;
  const response = await sendRequest(call, psp);
  if (request.kind === 'page')
    return response.ok
      ? pageOutcome(readObject(Page, 'hosted page', response.data), order)
      : refusedPageOutcome(response);
  if (!response.ok) return refusedOutcome(response, request, order, psp);
  // Some mobile-money responses have no data, and so no transaction id.
  if (response.data === undefined || response.data === null)
    return outcomeWithoutTransaction(toNextAction(response.meta), order, psp);
  const transaction = readTransaction(response.data);
  if (transaction.tx_ref !== order.attemptId) throw new PspOutcomeUnknown('Flutterwave returned another transaction.');
  return toOutcome(transaction, toNextAction(response.meta, transaction));
}

/** UNVERIFIED when the page's session begins. The first send is the earliest time. */
function pageOutcome({ link }: { readonly link: string }, { attemptId, startedAt }: ChargeOrder): PspOutcome {
  const expires_at = plus(startedAt, PAGE_MINUTES * MINUTE).toISOString();
  return {
    kind: 'requires_action',
    reference: attemptId,
    action: { type: 'redirect', url: link, method: 'GET' },
    expires_at,
  };
}

function refusedPageOutcome(response: RefusedResponse): PspOutcome {
  const decline = isAboutCredentials(response) ? undefined : declineFromMessage(response.message, false);
  if (decline) return { kind: 'declined', reference: null, decline };
  throw refusal(response);
}

async function outcomeWithoutTransaction(
  action: NextAction | undefined,
  order: ChargeOrder,
  psp: FlutterwaveContext,
): Promise<PspOutcome> {
  const transaction = await findSentCharge(order, psp).catch((error: unknown) => {
    if (action && (error instanceof PspNotSent || error instanceof PspOutcomeUnknown)) return undefined;
    throw lookUpFailed(error);
  });
  if (transaction) return toOutcome(transaction, action);
  if (!action) throw new PspOutcomeUnknown('Flutterwave accepted the charge and does not show it yet.');
  return { kind: 'requires_action', reference: directReference(order.attemptId), action };
}

/**
 * Flutterwave's own time-outs are 400s too, so the charge is looked up before the refusal counts. If there is no
 * charge, a reason that the customer can change is a decline. Any other is our mistake.
 */
async function refusedOutcome(
  response: RefusedResponse,
  { kind }: ChargeRequest,
  order: ChargeOrder,
  psp: FlutterwaveContext,
): Promise<PspOutcome> {
  if (isAboutCredentials(response)) throw refusal(response);
  const reported = Transaction.safeParse(response.data).data;
  if (reported?.tx_ref === order.attemptId && reported.status === 'failed') return toOutcome(reported);
  const transaction = await findSentCharge(order, psp).catch((error: unknown) => {
    throw lookUpFailed(error);
  });
  if (transaction) return toOutcome(transaction);
  if (isUncertain(response))
    throw new PspOutcomeUnknown('Flutterwave reports no result, and does not show the charge yet.');
  const decline = refusedCharge(response.status, response.message, kind === 'token');
  if (decline === UNDECIDED) throw new PspOutcomeUnknown('Flutterwave does not say whether the charge was made.');
  if (decline) return { kind: 'declined', reference: null, decline };
  throw refusal(response);
}

const findSentCharge = (
  { attemptId, paymentId }: ChargeOrder,
  psp: FlutterwaveContext,
): Promise<Transaction | undefined> => findByTxRef(attemptId, { operation: 'find', paymentId }, psp);

/** The charge was sent. A failed look-up must not look as if it was not. */
const lookUpFailed = (cause: unknown): PspOutcomeUnknown =>
  new PspOutcomeUnknown('The charge was sent and could not be looked up.', { cause });

type Confirmation = {
  readonly reference: string;
  readonly order: ChargeOrder;
  readonly input: Readonly<Record<string, unknown>>;
};

/**
 * Submits the customer's one-time code. That needs a reference of Flutterwave's, which the look-up returns. A charge
 * that is no longer open is not changed. Everything else the customer does at Flutterwave.
 */
export async function confirmCharge(
  { reference, order, input }: Confirmation,
  psp: FlutterwaveContext,
): Promise<PspOutcome> {
  const purpose = { operation: 'confirm', paymentId: order.paymentId } as const;
  const { attemptId, paymentId } = order;
  if (input.otp === undefined)
    return fetchCharge({ reference, attemptId, paymentId, mayCapture: true }, psp, 'confirm');
  const otp = parseOtp(input.otp);
  const transaction = await findTransaction(reference, purpose, psp);
  if (!transaction) throw new PspRefused('not_found', 'Flutterwave knows no such transaction.');
  if (!isOurs(transaction, order)) throw new PspOutcomeUnknown('This transaction is not that of the charge.');
  if (transaction.status !== 'pending') return toOutcome(transaction);
  return validate(transaction, otp, purpose, psp);
}

function parseOtp(input: unknown): string {
  const code = typeof input === 'number' || typeof input === 'string' ? String(input).trim() : '';
  if (!/^[A-Za-z0-9]{3,12}$/.test(code))
    throw new PspRefused('request', 'The one-time code has 3 to 12 letters or digits.');
  return code;
}

async function validate(
  { id, flw_ref, payment_type }: Transaction,
  otp: string,
  purpose: { readonly operation: 'confirm'; readonly paymentId: string },
  psp: FlutterwaveContext,
): Promise<PspOutcome> {
  if (!flw_ref) throw new PspRefused('state', 'Flutterwave waits for no code here.');
  const type = payment_type === 'card' || payment_type === 'account' ? { type: payment_type } : {};
  const response = await sendRequest({ ...purpose, path: '/v3/validate-charge', body: { otp, flw_ref, ...type } }, psp);
  const reported = Transaction.safeParse(response.data).data;
  if (reported?.id === id && (response.ok || reported.status === 'failed'))
    return toOutcome(reported, response.ok ? toNextAction(response.meta, reported) : undefined);
  if (!response.ok && response.status === 401) throw refusal(response);
  const current = await fetchTransaction(id, purpose, psp).catch((cause: unknown) => {
    throw new PspOutcomeUnknown('The code was submitted and the charge could not be looked up.', { cause });
  });
  // A wrong code leaves the charge open for another one.
  if (!response.ok && current.status === 'pending') throw refusal(response);
  return toOutcome(current);
}
