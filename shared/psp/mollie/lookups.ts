import { type ChargeRef, PspNotSent, type PspOutcome, PspOutcomeUnknown, PspRefused } from '#shared/ports/psp.port.ts';
import type { RequestPurpose } from '#shared/psp/kit/requests.ts';
import { type MollieContext, paymentPath, requestOrThrow, sendRequest } from '#shared/psp/mollie/client.ts';
import { isChargeOf, toOutcome } from '#shared/psp/mollie/outcomes.rules.ts';
import { type Payment, readPayment } from '#shared/psp/mollie/schema.ts';

export async function fetchPayment(
  id: string,
  purpose: RequestPurpose,
  psp: MollieContext,
  query = '',
): Promise<Payment> {
  return readPayment(await requestOrThrow({ ...purpose, path: `${paymentPath(id)}${query}` }, psp));
}

/** The charge of another payment counts as not found. */
export async function fetchOwnPayment(
  { reference, paymentId }: Pick<ChargeRef, 'reference' | 'paymentId'>,
  purpose: RequestPurpose,
  psp: MollieContext,
  query = '',
): Promise<Payment> {
  const payment = await fetchPayment(reference, purpose, psp, query);
  if (!isChargeOf(paymentId, payment)) throw new PspRefused('not_found', 'Mollie has this charge for another payment.');
  return payment;
}

export async function fetchCharge(charge: ChargeRef, psp: MollieContext): Promise<PspOutcome> {
  const purpose = { operation: 'fetch', paymentId: charge.paymentId } as const;
  return chargeOutcome(charge, await fetchOwnPayment(charge, purpose, psp), purpose, psp);
}

/** `manual`: the merchant captures later. */
export type CaptureRule = { readonly mayCapture: boolean; readonly manual?: boolean };

/**
 * Some methods only authorize, whatever the request says. We capture those, but never for a payment that has ended, nor
 * for a charge that is captured later.
 */
export async function chargeOutcome(
  { mayCapture, manual = false }: CaptureRule,
  payment: Payment,
  purpose: RequestPurpose,
  psp: MollieContext,
): Promise<PspOutcome> {
  const isToCapture = payment.status === 'authorized' && mayCapture && !manual;
  return toOutcome(isToCapture ? await capture(payment, purpose, psp) : payment, manual);
}

/**
 * Captures the whole amount. The key derives from the payment, so that each look-up makes the same call. After a
 * failure the payment stays authorized, and the next look-up captures it.
 */
async function capture(payment: Payment, purpose: RequestPurpose, psp: MollieContext): Promise<Payment> {
  const path = paymentPath(payment.id);
  try {
    const response = await sendRequest(
      { ...purpose, method: 'POST', path: `${path}/captures`, body: {}, idempotencyKey: `${payment.id}-capture` },
      psp,
    );
    return response.ok ? await fetchPayment(payment.id, purpose, psp) : payment;
  } catch (error) {
    // A look-up that is refused after the capture says nothing about the charge, which has been authorized.
    if (error instanceof PspNotSent || error instanceof PspOutcomeUnknown || error instanceof PspRefused)
      return payment;
    throw error;
  }
}
