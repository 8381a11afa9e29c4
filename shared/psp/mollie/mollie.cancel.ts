import { type ChargeRef, type PspOutcome, PspRefused } from '#shared/ports/psp.port.ts';
import { refusal } from '#shared/psp/mollie/error.rules.ts';
import { readPayment, toOutcome } from '#shared/psp/mollie/mapping.rules.ts';
import { fetchPayment } from '#shared/psp/mollie/mollie.charges.ts';
import { ask, type MollieCall, type MollieContext, paymentPath } from '#shared/psp/mollie/mollie.client.ts';

const OVER = new Set(['paid', 'canceled', 'expired', 'failed']);

/**
 * An authorization is released, which Mollie does in its own time; an open payment is canceled where its method allows,
 * which few do. No idempotency key: it would return an earlier "not now".
 */
export async function cancelCharge({ reference, paymentId }: ChargeRef, psp: MollieContext): Promise<PspOutcome> {
  const purpose = { operation: 'cancel', paymentId } as const;
  const path = paymentPath(reference);
  const payment = await fetchPayment(reference, purpose, psp);
  if (OVER.has(payment.status)) return toOutcome(payment);
  if (payment.status === 'authorized') {
    await end({ ...purpose, method: 'POST', path: `${path}/release-authorization` }, psp);
    return { kind: 'accepted', reference };
  }
  if (!payment.isCancelable) throw tooLate();
  return toOutcome(readPayment(await end({ ...purpose, method: 'DELETE', path }, psp)));
}

/** A 422 means that it is too late; anything else is about us. */
async function end(call: MollieCall, psp: MollieContext): Promise<unknown> {
  const answer = await ask(call, psp);
  if (answer.ok) return answer.body;
  throw answer.status === 422 ? tooLate() : refusal(answer.status, answer.fault);
}

const tooLate = (): PspRefused => new PspRefused('state', 'Mollie does not let this payment be canceled.');
