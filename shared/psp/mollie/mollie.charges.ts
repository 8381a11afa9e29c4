import {
  type ChargeOrder,
  type ChargeRef,
  PspNotSent,
  type PspOutcome,
  PspOutcomeUnknown,
  PspRefused,
} from '#shared/ports/psp.port.ts';
import type { Purpose } from '#shared/psp/kit/purpose.ts';
import { isRepeat } from '#shared/psp/kit/repeat.ts';
import { customerRefusal, mandateRefusal, requestRefusal } from '#shared/psp/mollie/decline.rules.ts';
import { refusal } from '#shared/psp/mollie/error.rules.ts';
import { isChargeOf, readPayment, toOutcome } from '#shared/psp/mollie/mapping.rules.ts';
import { ask, get, type MollieContext, paymentPath } from '#shared/psp/mollie/mollie.client.ts';
import type { Payment } from '#shared/psp/mollie/objects.schema.ts';
import { paymentBody } from '#shared/psp/mollie/request.rules.ts';

export async function createPayment(order: ChargeOrder, psp: MollieContext): Promise<PspOutcome> {
  const purpose = { operation: 'create', paymentId: order.paymentId } as const;
  const body = paymentBody(order);
  const answer = await ask(
    { ...purpose, method: 'POST', path: '/payments', body, idempotencyKey: order.attemptId },
    psp,
  );
  if (answer.ok) return chargeOutcome(readPayment(answer.body), purpose, psp);
  const isMandated = body.sequenceType === 'recurring';
  const refused = isMandated ? mandateRefusal : body.customerId === undefined ? requestRefusal : customerRefusal;
  const decline = refused(answer.status, answer.fault);
  // A token pays once: in a repeat it may be spent by the first send, which then has charged. A mandate is not spent.
  if (decline && !isMandated && isRepeat(order, psp))
    throw new PspOutcomeUnknown('Mollie refuses what an earlier send may have used up.');
  if (decline) return { kind: 'declined', reference: null, decline };
  throw refusal(answer.status, answer.fault);
}

export async function fetchPayment(id: string, purpose: Purpose, psp: MollieContext): Promise<Payment> {
  return readPayment(await get({ ...purpose, path: paymentPath(id) }, psp));
}

/** Another payment's charge reads as not found. */
export async function fetchOwn(
  { reference, paymentId }: ChargeRef,
  purpose: Purpose,
  psp: MollieContext,
): Promise<Payment> {
  const payment = await fetchPayment(reference, purpose, psp);
  if (!isChargeOf(paymentId, payment)) throw new PspRefused('not_found', 'Mollie has this charge for another payment.');
  return payment;
}

export async function fetchCharge(charge: ChargeRef, psp: MollieContext): Promise<PspOutcome> {
  const purpose = { operation: 'fetch', paymentId: charge.paymentId } as const;
  const payment = await fetchOwn(charge, purpose, psp);
  return charge.wanted ? chargeOutcome(payment, purpose, psp) : toOutcome(payment);
}

/** There is nothing to confirm at Mollie: the charge's status is the answer. */
export async function confirmPayment(
  reference: string,
  { paymentId }: ChargeOrder,
  psp: MollieContext,
): Promise<PspOutcome> {
  const purpose = { operation: 'confirm', paymentId } as const;
  return chargeOutcome(await fetchPayment(reference, purpose, psp), purpose, psp);
}

/** Some methods only authorize, whatever the request says: we capture those, if the money is wanted. */
async function chargeOutcome(payment: Payment, purpose: Purpose, psp: MollieContext): Promise<PspOutcome> {
  return toOutcome(payment.status === 'authorized' ? await capture(payment, purpose, psp) : payment);
}

/**
 * Captures the whole amount. The key derives from the payment, so that each look-up makes the same call. A failure
 * leaves it authorized, and is repeated.
 */
async function capture(payment: Payment, purpose: Purpose, psp: MollieContext): Promise<Payment> {
  const path = paymentPath(payment.id);
  try {
    const answer = await ask(
      { ...purpose, method: 'POST', path: `${path}/captures`, body: {}, idempotencyKey: `${payment.id}-capture` },
      psp,
    );
    return answer.ok ? await fetchPayment(payment.id, purpose, psp) : payment;
  } catch (error) {
    if (error instanceof PspNotSent || error instanceof PspOutcomeUnknown) return payment;
    throw error;
  }
}
