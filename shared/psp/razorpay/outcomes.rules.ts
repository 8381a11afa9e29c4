import { declineOf } from '#shared/domain/payments/declines.catalog.ts';
import type { NextAction } from '#shared/domain/payments/payment.model.ts';
import { refundDecline } from '#shared/domain/payments/refund-failures.catalog.ts';
import { SECOND } from '#shared/kernel/clock.ts';
import type { PspOutcome, RefundOutcome } from '#shared/ports/psp.port.ts';
import { outcomeOfReason, UNDECIDED } from '#shared/psp/kit/declines.ts';
import { isoFromSeconds } from '#shared/psp/kit/times.ts';
import { HOLD_MS } from '#shared/psp/razorpay/capabilities.ts';
import { toDecline } from '#shared/psp/razorpay/declines.catalog.ts';
import { toOurMoney } from '#shared/psp/razorpay/money.rules.ts';
import { reportOf } from '#shared/psp/razorpay/report.rules.ts';
import type { Link, Order, Payment, Refund, StartedPayment } from '#shared/psp/razorpay/schema.ts';

/**
 * Only explicit success or failure counts. Any other status, including future ones, is still processing. `order`: where
 * only the order says what the payment is for. `manual`: the charge is captured later, so that it is only authorized,
 * whatever was captured since.
 */
export const toOutcome = (payment: Payment, order?: Order, manual = false): PspOutcome => ({
  ...verdictOf(payment, order, manual),
  ...reportOf(payment),
});

function verdictOf(payment: Payment, order: Order | undefined, manual: boolean): PspOutcome {
  const reference = payment.id;
  if (manual && isHeld(payment)) return toAuthorized(payment, order);
  switch (payment.status) {
    case 'captured':
      return { kind: 'succeeded', reference, ...priceOf(payment, order) };
    case 'refunded':
      return refunded(payment, order);
    case 'failed':
      return outcomeOfReason(reference, declineOfPayment(payment));
    case 'created':
      return { kind: 'waiting', reference };
    default:
      return { kind: 'processing', reference };
  }
}

/** Authorized, whether it was captured since or not. One that was given back uncaptured is not. */
export const isHeld = ({ status, captured }: Payment): boolean =>
  status === 'authorized' || status === 'captured' || (status === 'refunded' && captured === true);

function toAuthorized(payment: Payment, order: Order | undefined): PspOutcome {
  const capturable_until = endOfHold(payment);
  return {
    kind: 'authorized',
    reference: payment.id,
    ...heldMoney(payment, order),
    ...(capturable_until && { capturable_until }),
  };
}

export const endOfHold = ({ created_at }: Payment): string | undefined =>
  isoFromSeconds(created_at && created_at + HOLD_MS / SECOND);

/**
 * Until it is captured, a payment does not say which part of its amount is a fee that the customer pays. Its order says
 * what it is for.
 */
export function heldMoney({ amount, currency }: Payment, order: Order | undefined): ReturnType<typeof toOurMoney> {
  const ordered = order?.currency === currency ? (order.amount ?? amount) : amount;
  return toOurMoney({ amount: Math.min(amount, ordered), currency });
}

const declineOfPayment = ({ error_reason: reason, error_source: source }: Payment) => toDecline({ reason, source });

/** A failed payment that the bank may still approve, or has approved. */
const isUndecidedFailure = (payment: Payment): boolean =>
  payment.status === 'failed' && declineOfPayment(payment) === UNDECIDED;

/** A payment that the customer has made, and whose bank has not decided. One that was only begun is not. */
export const isUndecidedPayment = (payment: Payment): boolean =>
  payment.status === 'pending' || isUndecidedFailure(payment);

/** The customer and the merchant share the fee: only the order says what the payment is for. */
export const sharesFee = ({ fee_bearer }: Payment): boolean => fee_bearer === 'dynamic';

/** Whether a fee of the customer's is, or may be, in the amount. */
export const mayContainFee = (payment: Payment): boolean => payment.fee_bearer === 'customer' || sharesFee(payment);

/** What the payment is for. A fee that the customer pays beside it is in the amount, and is no part of it. */
function priceOf(payment: Payment, order: Order | undefined): ReturnType<typeof toOurMoney> {
  const { amount, currency, fee_bearer } = payment;
  const fee = payment.fee ?? 0;
  if (fee_bearer === 'customer' && fee < amount) return toOurMoney({ amount: amount - fee, currency });
  const ordered = order?.currency === currency ? (order.amount ?? 0) : 0;
  const isPriceAndFee = sharesFee(payment) && ordered <= amount && amount <= ordered + fee;
  return toOurMoney({ amount: isPriceAndFee ? ordered : amount, currency });
}

/** An uncaptured payment also ends as `refunded`. Then no money was taken. */
function refunded(payment: Payment, order: Order | undefined): PspOutcome {
  const reference = payment.id;
  if (payment.captured === true) return { kind: 'succeeded', reference, ...priceOf(payment, order) };
  return payment.captured === false ? { kind: 'canceled', reference } : { kind: 'processing', reference };
}

const RANKS: Readonly<Record<string, number>> = { captured: 3, refunded: 3, authorized: 2, failed: 0 };

const rankOf = (payment: Payment): number => (isUndecidedFailure(payment) ? 1 : (RANKS[payment.status] ?? 1));

/** The payment that decides an order's outcome: a paid one first, then an open one, then the newest. */
export const decidingPayment = (payments: readonly Payment[]): Payment | undefined =>
  [...payments].sort((a, b) => rankOf(b) - rankOf(a) || (b.created_at ?? 0) - (a.created_at ?? 0))[0];

/** Whether the customer's bank has approved. Before that, the customer may try again on the page. */
export const isApproved = (payment: Payment): boolean => rankOf(payment) >= 2;

/** A link without a payment. */
export function toLinkOutcome(link: Link): PspOutcome {
  const reference = link.id;
  if (link.status === 'expired') return { kind: 'declined', reference, decline: declineOf('expired') };
  if (link.status === 'cancelled') return { kind: 'canceled', reference };
  if (link.status !== 'created' || !link.short_url) return { kind: 'processing', reference };
  const expires_at = isoFromSeconds(link.expire_by);
  return {
    kind: 'requires_action',
    reference,
    action: { type: 'redirect', url: link.short_url, method: 'GET' },
    ...(expires_at && { expires_at }),
  };
}

export function toRefundOutcome({ id: reference, status }: Refund): RefundOutcome {
  if (status === 'processed') return { kind: 'succeeded', reference };
  return status === 'failed'
    ? { kind: 'failed', reference, decline: refundDecline('refund_declined') }
    : { kind: 'accepted', reference };
}

type NextSteps = NonNullable<StartedPayment['next']>;

const urlOf = (next: NextSteps, action: string, pattern: RegExp): string | undefined =>
  next.find((step) => step.action === action && pattern.test(step.url ?? ''))?.url ?? undefined;

/** The bank's page comes first: it works for every card, and asks for the bank's code itself. */
export function toNextAction(next: StartedPayment['next']): NextAction | undefined {
  if (!next) return undefined;
  const page = urlOf(next, 'redirect', /^https?:\/\//);
  if (page) return { type: 'redirect', url: page, method: 'GET' };
  const intent = urlOf(next, 'intent', /^[a-z][a-z0-9+.-]*:\/\//);
  if (intent) return { type: 'display', kind: 'upi_intent', url: intent };
  if (next.some(({ action }) => action === 'otp_submit' || action === 'otp_generate'))
    return { type: 'collect', field: 'otp' };
  return next.some(({ action }) => action === 'poll') ? { type: 'await' } : undefined;
}

/** Whether sending the bank's code to the customer has to be requested. */
export const wantsOtp = (next: StartedPayment['next']): boolean =>
  next?.some(({ action }) => action === 'otp_generate') ?? false;
