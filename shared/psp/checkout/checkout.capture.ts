import { MINUTE, plus } from '#shared/kernel/clock.ts';
import { type ChargeRef, PspNotSent, PspOutcomeUnknown } from '#shared/ports/psp.port.ts';
import { ask, type CheckoutContext, paymentPath } from '#shared/psp/checkout/checkout.client.ts';
import type { Payment } from '#shared/psp/checkout/objects.schema.ts';
import type { Purpose } from '#shared/psp/kit/purpose.ts';

/** Checkout.com captures by itself within moments; before that our capture would only collide with its own. */
const PATIENCE = 10 * MINUTE;

const isForgotten = ({ status, amount, requested_on, _links }: Payment, now: Date): boolean => {
  const since = Date.parse(requested_on ?? '');
  return (
    status === 'Authorized' &&
    Boolean(amount) &&
    _links?.capture !== undefined &&
    !Number.isNaN(since) &&
    plus(new Date(since), PATIENCE) <= now
  );
};

/**
 * An account may be set to capture nothing by itself, whatever a request asks for. We capture only where Checkout.com
 * offers it: the whole authorized amount, as the final capture, under a key derived from the payment, so that each
 * look-up makes the same call. Its result comes later; a failed one leaves the charge authorized, and is repeated.
 */
export async function captureIfForgotten(
  payment: Payment,
  charge: ChargeRef,
  purpose: Purpose,
  psp: CheckoutContext,
): Promise<void> {
  if (!isForgotten(payment, psp.now())) return;
  const body = {
    amount: payment.amount,
    capture_type: 'Final',
    reference: charge.attemptId,
    metadata: keysOf(payment),
  };
  try {
    await ask(
      { ...purpose, path: `${paymentPath(payment.id)}/captures`, body, idempotencyKey: `${payment.id}-capture` },
      psp,
    );
  } catch (error) {
    if (!(error instanceof PspNotSent || error instanceof PspOutcomeUnknown)) throw error;
  }
}

const OURS: ReadonlySet<string> = new Set(['org_id', 'connection_id', 'payment_id']);

/** Actions have their own metadata, which the capture's event is routed by. */
const keysOf = ({ metadata }: Payment): object =>
  Object.fromEntries(Object.entries(metadata ?? {}).filter(([key]) => OURS.has(key)));
