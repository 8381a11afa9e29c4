import { MINUTE, plus } from '#shared/kernel/clock.ts';
import { type ChargeRef, PspNotSent, PspOutcomeUnknown } from '#shared/ports/psp.port.ts';
import { ask, type CheckoutContext, type Purpose, paymentPath } from '#shared/psp/checkout/checkout.client.ts';
import type { Payment } from '#shared/psp/checkout/objects.schema.ts';

/** Checkout.com captures by itself within moments; until then a capture of ours would only cross its own. */
const PATIENCE = 10 * MINUTE;

const isForgotten = ({ status, amount, requested_on, _links }: Payment, now: Date): boolean => {
  const since = Date.parse(requested_on ?? '');
  return status === 'Authorized' && Boolean(amount) && _links?.capture !== undefined && !Number.isNaN(since) && plus(new Date(since), PATIENCE) <= now;
};

/**
 * An account may be set to capture nothing by itself, whatever a request asks for. Only where Checkout.com itself offers the
 * capture: of what was authorized, as the last one, and under a key that hangs on the payment, so that whoever finds it
 * makes the same call. What comes of it is told later; a failure leaves it authorized, to be asked for again.
 */
export async function captureIfForgotten(payment: Payment, charge: ChargeRef, purpose: Purpose, psp: CheckoutContext): Promise<void> {
  if (!isForgotten(payment, psp.now())) return;
  const body = { amount: payment.amount, capture_type: 'Final', reference: charge.attemptId, metadata: keysOf(payment) };
  try {
    await ask({ ...purpose, path: `${paymentPath(payment.id)}/captures`, body, idempotencyKey: `${payment.id}-capture` }, psp);
  } catch (error) {
    if (!(error instanceof PspNotSent || error instanceof PspOutcomeUnknown)) throw error;
  }
}

const OURS: ReadonlySet<string> = new Set(['org_id', 'connection_id', 'payment_id']);

/** Actions have metadata of their own: the event of the capture is routed by these. */
const keysOf = ({ metadata }: Payment): object => Object.fromEntries(Object.entries(metadata ?? {}).filter(([key]) => OURS.has(key)));
