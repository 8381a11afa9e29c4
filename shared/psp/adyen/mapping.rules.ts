import { type Decline, declineOf } from '#shared/domain/declines.catalog.ts';
import type { RefundDecline } from '#shared/domain/refund-failures.catalog.ts';
import { type PspOutcome, PspOutcomeUnknown, type RefundOutcome } from '#shared/ports/psp.port.ts';
import { refused } from '#shared/psp/adyen/decline.rules.ts';
import { ourMoney } from '#shared/psp/adyen/money.rules.ts';
import { expiryOf, toNextAction } from '#shared/psp/adyen/next-action.rules.ts';
import type { LinkReply, PaymentReply } from '#shared/psp/adyen/objects.schema.ts';

/**
 * `Error` is no verdict: Adyen may not know itself, and its AUTHORISATION notice decides. Nor is anything that isn't
 * listed here: with an action it waits for the customer, without one for a notice.
 */
export function toOutcome(reply: PaymentReply, attemptId: string, clientKey?: string): PspOutcome {
  const reference = reply.pspReference ?? attemptId;
  switch (reply.resultCode) {
    case 'Authorised':
    case 'PartiallyAuthorised':
      return authorised(reply);
    case 'Refused':
      return { kind: 'declined', reference, decline: refused(reply.refusalReasonCode) };
    case 'Cancelled':
      return { kind: 'declined', reference, decline: givenUp(reply.refusalReasonCode) };
    case 'Error':
      return { kind: 'processing', reference };
    default:
      return reply.action ? waiting(reply.action, attemptId, clientKey) : { kind: 'processing', reference };
  }
}

/**
 * Charges ask for capture at once, so what is authorised is taken. Older versions of this answer name no amount: the notice
 * does, and until it comes the charge is on its way.
 */
function authorised({ pspReference, amount }: PaymentReply): PspOutcome {
  if (!pspReference) throw new PspOutcomeUnknown('Adyen names no reference of what it authorised.');
  const money = ourMoney(amount);
  return money ? { kind: 'succeeded', reference: pspReference, ...money } : { kind: 'processing', reference: pspReference };
}

/** The customer turned back. Our `canceled` is the merchant's act; this one may be tried again, as the notice of it says too. */
const givenUp = (code: string | null | undefined): Decline => (code ? refused(code) : declineOf('customer_canceled'));

/** Nothing is authorised until the customer has acted; the reference that Adyen has already given may yet change, ours stays. */
function waiting(action: NonNullable<PaymentReply['action']>, attemptId: string, clientKey: string | undefined): PspOutcome {
  const expires_at = expiryOf(action.expiresAt);
  return { kind: 'requires_action', reference: attemptId, action: toNextAction(action, clientKey), ...(expires_at && { expires_at }) };
}

/** A link doesn't say what was paid: of success only the notice tells. */
export function toLinkOutcome({ id: reference, status, url, expiresAt }: LinkReply): PspOutcome {
  if (status === 'expired') return { kind: 'declined', reference, decline: declineOf('expired') };
  if (status !== 'active') return { kind: 'processing', reference };
  const expires_at = expiryOf(expiresAt);
  return { kind: 'requires_action', reference, action: { type: 'redirect', url, method: 'GET' }, ...(expires_at && { expires_at }) };
}

export const failedRefund = (reference: string | null, decline: RefundDecline): Extract<RefundOutcome, { kind: 'failed' }> => ({
  kind: 'failed',
  reference,
  decline,
});
