import { declineOf } from '#shared/domain/payments/declines.catalog.ts';
import { type RefundFailureCode, refundDecline } from '#shared/domain/payments/refund-failures.catalog.ts';
import { type PspOutcome, PspOutcomeUnknown, type RefundOutcome } from '#shared/ports/psp.port.ts';
import { readAs } from '#shared/psp/kit/reply.ts';
import { toDecline } from '#shared/psp/stripe/decline.rules.ts';
import { codeOf } from '#shared/psp/stripe/error.rules.ts';
import { ourUnits } from '#shared/psp/stripe/money.rules.ts';
import { isoFromSeconds, toNextAction } from '#shared/psp/stripe/next-action.rules.ts';
import { PaymentIntent, Refund, Session } from '#shared/psp/stripe/objects.schema.ts';

export const read = readAs('Stripe');
export const readIntent = (value: unknown): PaymentIntent => read(PaymentIntent, 'payment intent', value);
export const readSession = (value: unknown): Session => read(Session, 'checkout session', value);
export const readRefund = (value: unknown): Refund => read(Refund, 'refund', value);

/** Only explicit success or failure counts; any other status, including future ones, is still processing. */
export function toOutcome(intent: PaymentIntent, publishableKey?: string): PspOutcome {
  const reference = intent.id;
  switch (intent.status) {
    case 'succeeded':
      return { kind: 'succeeded', reference, ...received(intent) };
    case 'requires_action':
      return { kind: 'requires_action', reference, ...toNextAction(intent, publishableKey) };
    case 'requires_payment_method':
      return intent.last_payment_error
        ? { kind: 'declined', reference, decline: toDecline(intent.last_payment_error) }
        : { kind: 'processing', reference };
    case 'canceled':
      return { kind: 'canceled', reference };
    default:
      return { kind: 'processing', reference };
  }
}

function received({ amount_received, currency }: PaymentIntent) {
  if (amount_received === null || amount_received === undefined)
    throw new PspOutcomeUnknown('Stripe names no amount received.');
  return ourUnits(amount_received, currency);
}

const MONEY_MOVES = new Set(['succeeded', 'processing', 'requires_capture']);

/**
 * The payment intent that decides for this session, if any. While the page is open a declined try is no end: the
 * customer may pay with something else.
 */
export function decidingIntent(session: Session): string | PaymentIntent | undefined {
  const intent = session.payment_intent ?? undefined;
  if (session.status === 'complete' || intent === undefined || typeof intent === 'string')
    return session.status === 'complete' ? intent : undefined;
  return MONEY_MOVES.has(intent.status) ? intent : undefined;
}

/** A session without a deciding intent. */
export function toSessionOutcome(session: Session): PspOutcome {
  const reference = session.id;
  if (session.status === 'expired') return { kind: 'declined', reference, decline: declineOf('expired') };
  if (session.status !== 'open' || !session.url) return { kind: 'processing', reference };
  const expires_at = isoFromSeconds(session.expires_at);
  return {
    kind: 'requires_action',
    reference,
    action: { type: 'redirect', url: session.url, method: 'GET' },
    ...(expires_at && { expires_at }),
  };
}

/** What Stripe gives as `failure_reason`; its `declined` and `unknown` say no more than that it failed. */
const REFUND_REASONS: Readonly<Record<string, RefundFailureCode>> = {
  charge_for_pending_refund_disputed: 'charge_disputed',
  expired_or_canceled_card: 'invalid_account',
  insufficient_funds: 'insufficient_balance',
  lost_or_stolen_card: 'invalid_account',
  merchant_request: 'refund_canceled',
};

export function toRefundOutcome(refund: Refund): RefundOutcome {
  const reference = refund.id;
  if (refund.status === 'succeeded') return { kind: 'succeeded', reference };
  if (refund.status !== 'failed' && refund.status !== 'canceled') return { kind: 'accepted', reference };
  const reason = codeOf(refund.failure_reason);
  const known = reason && Object.hasOwn(REFUND_REASONS, reason) ? REFUND_REASONS[reason] : undefined;
  return {
    kind: 'failed',
    reference,
    decline: refundDecline(known ?? (refund.status === 'canceled' ? 'refund_canceled' : 'refund_declined'), reason),
  };
}
