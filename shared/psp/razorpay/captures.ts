import { declineOf } from '#shared/domain/payments/declines.catalog.ts';
import type { CaptureOrder, CaptureOutcome, PspAuthorization } from '#shared/ports/capture.port.ts';
import { type ChargeRef, PspOutcomeUnknown, PspRefused, PspUnsupported } from '#shared/ports/psp.port.ts';
import type { ChargePurpose } from '#shared/psp/kit/requests.ts';
import {
  lookUpAfterSending,
  type RazorpayContext,
  type RefusedResponse,
  refusal,
  sendRequest,
} from '#shared/psp/razorpay/client.ts';
import { codeOf, isUndecided } from '#shared/psp/razorpay/declines.catalog.ts';
import { fetchPayment, orderOf, paymentPath } from '#shared/psp/razorpay/lookups.ts';
import { endOfHold, heldMoney, isHeld, mayContainFee } from '#shared/psp/razorpay/outcomes.rules.ts';
import { type Payment, readPayment } from '#shared/psp/razorpay/schema.ts';

/**
 * Captures have neither a key nor an id of their own. The payment is read before each send: it is captured as a whole
 * and once, so that a payment that says `captured` is the answer to a repeat.
 */
export async function captureCharge(order: CaptureOrder, psp: RazorpayContext): Promise<CaptureOutcome> {
  if (order.amount !== order.authorized)
    throw new PspUnsupported('amount_not_supported', 'Razorpay captures only the whole authorized amount.');
  const purpose = { operation: 'capture', paymentId: order.paymentId, manual: true } as const;
  const payment = await fetchPayment(order.reference, purpose, psp);
  if (payment.status !== 'authorized') return outcomeOf(payment);
  const { amount, currency } = payment;
  const path = `${paymentPath(payment.id)}/capture`;
  const response = await sendRequest({ ...purpose, path, body: { amount, currency } }, psp);
  if (response.ok) return outcomeOf(readPayment(response.body));
  // Somebody else may have been faster.
  const after = await lookUpAfterSending(() => fetchPayment(payment.id, purpose, psp));
  return after.status === 'authorized' ? refusedOutcome(response) : outcomeOf(after);
}

function outcomeOf(payment: Payment): CaptureOutcome {
  const { id: reference, status } = payment;
  if (status === 'authorized') throw new PspOutcomeUnknown('Razorpay took the capture, and does not show it yet.');
  if (stateOf(payment) === 'closed') return { kind: 'succeeded', reference };
  const code = stateOf(payment) === 'expired' ? 'authorization_expired' : 'capture_declined';
  return { kind: 'failed', reference: null, decline: declineOf(code) };
}

/** The payment is still authorized. */
function refusedOutcome(response: RefusedResponse): CaptureOutcome {
  const refused = refusal(response);
  if (response.status !== 400 || refused.kind !== 'request') throw refused;
  if (isUndecided(response)) throw new PspOutcomeUnknown('Razorpay has not decided about the capture.');
  return { kind: 'failed', reference: null, decline: declineOf('capture_declined', codeOf(response.error.reason)) };
}

/** An uncaptured payment also ends as `refunded`, which took no money. Only its time ends it: there is no void. */
function stateOf(payment: Payment): PspAuthorization['state'] | undefined {
  const { status, captured } = payment;
  if (isHeld(payment)) return status === 'authorized' ? 'open' : 'closed';
  return status === 'refunded' && captured === false ? 'expired' : undefined;
}

export async function fetchAuthorization(
  { reference, paymentId }: ChargeRef,
  psp: RazorpayContext,
): Promise<PspAuthorization> {
  const purpose: ChargePurpose = { operation: 'fetch', paymentId, manual: true };
  const payment = await fetchPayment(reference, purpose, psp);
  const state = stateOf(payment);
  if (state === undefined) throw new PspRefused('state', 'Razorpay does not hold the money of this payment.');
  const order = mayContainFee(payment) ? await orderOf(payment, purpose, psp) : undefined;
  const { amount, currency } = heldMoney(payment, order);
  const isCaptured = state === 'closed';
  const capturable_until = endOfHold(payment);
  return {
    reference: payment.id,
    authorized: amount,
    captured: isCaptured ? amount : 0,
    currency,
    state,
    ...(capturable_until && { capturable_until }),
    captures: isCaptured ? [{ kind: 'succeeded', reference: payment.id, amount, currency }] : [],
  };
}
