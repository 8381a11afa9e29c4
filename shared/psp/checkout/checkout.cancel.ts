import { type ChargeRef, type PspOutcome, PspRefused } from '#shared/ports/psp.port.ts';
import { ask, type CheckoutContext, paymentPath } from '#shared/psp/checkout/checkout.client.ts';
import { isPage } from '#shared/psp/checkout/checkout.lookups.ts';
import { refusal } from '#shared/psp/checkout/error.rules.ts';
import { readAccepted } from '#shared/psp/checkout/mapping.rules.ts';

/**
 * Orders the release of an authorized amount. Neither a page nor a payment that waits for the customer can be ended.
 * Sent without a key, which would return an earlier declined order; a second release is harmless.
 */
export async function voidCharge(
  { reference, paymentId, attemptId }: ChargeRef,
  psp: CheckoutContext,
): Promise<PspOutcome> {
  if (isPage(reference)) throw new PspRefused('state', 'Checkout.com has no call to end a hosted page.');
  const body = { reference: attemptId, metadata: { payment_id: paymentId } };
  const answer = await ask({ operation: 'cancel', paymentId, path: `${paymentPath(reference)}/voids`, body }, psp);
  if (!answer.ok)
    throw answer.status === 422
      ? new PspRefused('state', 'Checkout.com can’t void this payment.', answer.codes[0])
      : refusal(answer.status, answer.codes, 'state');
  readAccepted(answer.body);
  return { kind: 'accepted', reference };
}
