import { declineOf } from '#shared/domain/payments/declines.catalog.ts';
import type { NextAction } from '#shared/domain/payments/payment.model.ts';
import { type RefundFailureCode, refundDecline } from '#shared/domain/payments/refund-failures.catalog.ts';
import { type PspOutcome, PspOutcomeUnknown, type RefundOutcome } from '#shared/ports/psp.port.ts';
import { lookUp, outcomeOfReason } from '#shared/psp/kit/declines.ts';
import type { Money } from '#shared/psp/kit/money.ts';
import { isoFromSeconds } from '#shared/psp/kit/times.ts';
import { codeOf, toDecline } from '#shared/psp/stripe/declines.catalog.ts';
import { toOurMoney } from '#shared/psp/stripe/money.rules.ts';
import { reportOf } from '#shared/psp/stripe/report.rules.ts';
import type { NextActionShape, PaymentIntent, Refund, Session } from '#shared/psp/stripe/schema.ts';

/** Only explicit success or failure counts. Any other status, including future ones, is still processing. */
export function toOutcome(intent: PaymentIntent, publishableKey?: string, manual = false): PspOutcome {
  const outcome = toVerdict(intent, publishableKey, manual);
  if (!hasReport(intent)) return outcome;
  if (outcome.kind === 'declined') return { ...outcome, ...reportOf(intent, false) };
  const isPaid = outcome.kind === 'succeeded' || outcome.kind === 'authorized';
  return isPaid ? { ...outcome, ...reportOf(intent, true) } : outcome;
}

/** Only an expanded charge, an error or a kept method tells more than the outcome. */
const hasReport = ({ latest_charge, last_payment_error, setup_future_usage }: PaymentIntent): boolean =>
  typeof latest_charge === 'object' || Boolean(last_payment_error ?? setup_future_usage);

function toVerdict(intent: PaymentIntent, publishableKey: string | undefined, manual: boolean): PspOutcome {
  const reference = intent.id;
  if (manual && isAuthorized(intent)) return { kind: 'authorized', reference, ...toAuthorized(intent) };
  switch (intent.status) {
    case 'succeeded':
      return { kind: 'succeeded', reference, ...receivedMoney(intent) };
    case 'requires_action':
      return { kind: 'requires_action', reference, ...toNextAction(intent, publishableKey) };
    case 'requires_payment_method':
      return intent.last_payment_error
        ? outcomeOfReason(reference, toDecline(intent.last_payment_error))
        : { kind: 'processing', reference };
    case 'canceled':
      return { kind: 'canceled', reference };
    default:
      return { kind: 'processing', reference };
  }
}

/** Its money is held, or was taken after that. */
export const isAuthorized = ({ status, amount_received }: PaymentIntent): boolean =>
  status === 'requires_capture' || status === 'succeeded' || (status === 'canceled' && (amount_received ?? 0) > 0);

type Authorized = Money & { readonly capturable_until?: string };

/** What was held at first: less than the intent's amount, if the bank approved a part. */
export function toAuthorized(intent: PaymentIntent): Authorized {
  const card = cardOf(intent);
  const units = card?.amount_authorized ?? (isOpen(intent) ? heldUnits(intent) : intent.amount);
  if (units === null || units === undefined) throw new PspOutcomeUnknown('Stripe reports no amount that is held.');
  const capturable_until = isoFromSeconds(card?.capture_before);
  return { ...toOurMoney(units, intent.currency), ...(capturable_until && { capturable_until }) };
}

const isOpen = ({ status }: PaymentIntent): boolean => status === 'requires_capture';

const heldUnits = ({ amount_capturable, amount_received }: PaymentIntent): number | undefined =>
  typeof amount_capturable === 'number' ? amount_capturable + (amount_received ?? 0) : undefined;

function cardOf({ latest_charge }: PaymentIntent) {
  return typeof latest_charge === 'object' ? latest_charge?.payment_method_details?.card : undefined;
}

function receivedMoney({ amount_received, currency }: PaymentIntent) {
  if (amount_received === null || amount_received === undefined)
    throw new PspOutcomeUnknown('Stripe reports no amount received.');
  return toOurMoney(amount_received, currency);
}

export const MONEY_MOVING: ReadonlySet<string> = new Set(['succeeded', 'processing', 'requires_capture']);

/**
 * The payment intent that decides this session's outcome, if any. While the page is open, a declined try does not end
 * it: the customer may pay with something else.
 */
export function decidingIntent(session: Session): string | PaymentIntent | undefined {
  const intent = session.payment_intent ?? undefined;
  if (session.status === 'complete' || intent === undefined || typeof intent === 'string')
    return session.status === 'complete' ? intent : undefined;
  return MONEY_MOVING.has(intent.status) ? intent : undefined;
}

/** The outcome of a session without a deciding intent. */
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

/**
 * Stripe's `failure_reason` → ours. Source: the seven values that stripe-node 23.1.0 documents (API 2026-10-28).
 * `declined` and `unknown` say no more than that the refund failed.
 */
export const REFUND_REASONS: Readonly<Record<string, RefundFailureCode>> = {
  charge_for_pending_refund_disputed: 'charge_disputed',
  declined: 'refund_declined',
  expired_or_canceled_card: 'invalid_account',
  insufficient_funds: 'insufficient_balance',
  lost_or_stolen_card: 'invalid_account',
  merchant_request: 'refund_canceled',
  unknown: 'refund_declined',
};

export function toRefundOutcome(refund: Refund): RefundOutcome {
  const reference = refund.id;
  if (refund.status === 'succeeded') return { kind: 'succeeded', reference };
  if (refund.status !== 'failed' && refund.status !== 'canceled') return { kind: 'accepted', reference };
  const reason = codeOf(refund.failure_reason);
  const known = lookUp(REFUND_REASONS, reason);
  return {
    kind: 'failed',
    reference,
    decline: refundDecline(known ?? (refund.status === 'canceled' ? 'refund_canceled' : 'refund_declined'), reason),
  };
}

/** The customer acts in their own app: there is nothing to display. */
const CUSTOMER_APP_ACTIONS = new Set(['blik_authorize', 'card_await_notification', 'payto_await_authorization']);

type Details = Readonly<Record<string, unknown>>;

const isDetails = (value: unknown): value is Details => typeof value === 'object' && value !== null;

/** The customer's next action. Without a URL or anything to display, Stripe's own client library handles it. */
export function toNextAction(
  intent: PaymentIntent,
  publishableKey: string | undefined,
): { readonly action: NextAction; readonly expires_at?: string } {
  const next = intent.next_action;
  const details = next ? detailsOf(next) : {};
  const expires_at = isoFromSeconds(details.expires_at) ?? isoFromSeconds(details.expires_after);
  return { action: actionOf(intent, next?.type ?? '', details, publishableKey), ...(expires_at && { expires_at }) };
}

function detailsOf(next: NextActionShape): Details {
  const details = next[next.type];
  return isDetails(details) ? details : {};
}

function actionOf(
  intent: PaymentIntent,
  type: string,
  details: Details,
  publishableKey: string | undefined,
): NextAction {
  if (typeof details.url === 'string' && /redirect/.test(type))
    return { type: 'redirect', url: details.url, method: 'GET' };
  if (CUSTOMER_APP_ACTIONS.has(type)) return { type: 'await' };
  const displayed = Object.entries(details).filter(
    (entry): entry is [string, string | number] => typeof entry[1] === 'string' || typeof entry[1] === 'number',
  );
  if (type !== 'use_stripe_sdk' && displayed.length > 0)
    return { ...Object.fromEntries(displayed), type: 'display', kind: type };
  const data = { payment_intent: intent.id, ...(intent.client_secret && { client_secret: intent.client_secret }) };
  return {
    type: 'sdk',
    provider: 'stripe',
    data: { ...data, ...(publishableKey && { publishable_key: publishableKey }) },
  };
}
