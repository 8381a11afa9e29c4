import { type Decline, declineOf } from '#shared/domain/payments/declines.catalog.ts';
import type { RefundDecline } from '#shared/domain/payments/refund-failures.catalog.ts';
import { type PspOutcome, PspOutcomeUnknown, type RefundOutcome } from '#shared/ports/psp.port.ts';
import { refused } from '#shared/psp/adyen/decline.rules.ts';
import { ourMoney } from '#shared/psp/adyen/money.rules.ts';
import { expiryOf, toNextAction } from '#shared/psp/adyen/next-action.rules.ts';
import type { LinkReply, PaymentReply } from '#shared/psp/adyen/objects.schema.ts';

/**
 * `Error` is no verdict: Adyen may not know itself, and its AUTHORISATION notice decides. Unlisted results are none
 * either: with an action they wait for the customer, without one for a notice.
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
 * Charges ask for immediate capture, so an authorised one is paid. Older versions of this answer have no amount: then
 * the charge is processing until the notice brings it.
 */
function authorised({ pspReference, amount }: PaymentReply): PspOutcome {
  if (!pspReference) throw new PspOutcomeUnknown('Adyen names no reference of what it authorised.');
  const money = ourMoney(amount);
  return money
    ? { kind: 'succeeded', reference: pspReference, ...money }
    : { kind: 'processing', reference: pspReference };
}

/**
 * The customer turned back. Our `canceled` means a merchant's cancel; this one may be retried, as its notice says too.
 */
const givenUp = (code: string | null | undefined): Decline => (code ? refused(code) : declineOf('customer_canceled'));

/** Nothing is authorised until the customer acts; Adyen's reference may still change, ours stays. */
function waiting(
  action: NonNullable<PaymentReply['action']>,
  attemptId: string,
  clientKey: string | undefined,
): PspOutcome {
  const expires_at = expiryOf(action.expiresAt);
  return {
    kind: 'requires_action',
    reference: attemptId,
    action: toNextAction(action, clientKey),
    ...(expires_at && { expires_at }),
  };
}

/** A link doesn't say what was paid: success comes by notice only. */
export function toLinkOutcome({ id: reference, status, url, expiresAt }: LinkReply): PspOutcome {
  if (status === 'expired') return { kind: 'declined', reference, decline: declineOf('expired') };
  if (status !== 'active') return { kind: 'processing', reference };
  const expires_at = expiryOf(expiresAt);
  return {
    kind: 'requires_action',
    reference,
    action: { type: 'redirect', url, method: 'GET' },
    ...(expires_at && { expires_at }),
  };
}

export const failedRefund = (
  reference: string | null,
  decline: RefundDecline,
): Extract<RefundOutcome, { kind: 'failed' }> => ({
  kind: 'failed',
  reference,
  decline,
});
