import { type ChargeRef, type PspOutcome, PspRefused } from '#shared/ports/psp.port.ts';
import { refusal } from '#shared/psp/razorpay/error.rules.ts';
import { readLink } from '#shared/psp/razorpay/mapping.rules.ts';
import { ask, type RazorpayContext } from '#shared/psp/razorpay/razorpay.client.ts';
import { fetchLink, isLink, linkOutcome, linkPath } from '#shared/psp/razorpay/razorpay.lookups.ts';

/**
 * Only a page can be ended. Razorpay has no call to end a payment: an uncaptured one returns to the customer within
 * days, and its status says so then.
 */
export async function cancelCharge({ reference, paymentId }: ChargeRef, psp: RazorpayContext): Promise<PspOutcome> {
  if (!isLink(reference)) throw new PspRefused('state', 'Razorpay has no way to end a payment that was begun.');
  const purpose = { operation: 'cancel', paymentId, wanted: false } as const;
  const answer = await ask({ ...purpose, path: `${linkPath(reference)}/cancel`, body: {} }, psp);
  if (answer.ok && readLink(answer.body).status === 'cancelled') return { kind: 'canceled', reference };
  if (!answer.ok) throwUnlessTooLate(refusal(answer));
  const outcome = await linkOutcome(await fetchLink(reference, purpose, psp), purpose, psp);
  // An expired page takes no money any more, as requested.
  return outcome.kind === 'declined' && outcome.reference === reference ? { kind: 'canceled', reference } : outcome;
}

/** A 400 about an existing link means that it is too late; anything else is about us. */
function throwUnlessTooLate(refused: PspRefused): void {
  if (refused.kind !== 'request') throw refused;
}
