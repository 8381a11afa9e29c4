import { declineOf } from '#shared/domain/payments/declines.catalog.ts';
import { type PspOutcome, PspOutcomeUnknown, type RefundOutcome } from '#shared/ports/psp.port.ts';
import { readDecline, readRefundDecline } from '#shared/psp/checkout/declines.catalog.ts';
import { toOurMoney } from '#shared/psp/checkout/money.rules.ts';
import { reportOf } from '#shared/psp/checkout/report.rules.ts';
import type { Action, Page, Payment } from '#shared/psp/checkout/schema.ts';
import { outcomeOfReason, UNDECIDED } from '#shared/psp/kit/declines.ts';
import type { Money } from '#shared/psp/kit/money.ts';

/** A refunded charge was captured before. Its refunds are reported separately. */
const CAPTURED_STATUSES: ReadonlySet<string> = new Set([
  'Captured',
  'Partially Captured',
  'Paid',
  'Partially Refunded',
  'Refunded',
]);

export const isCaptured = ({ status }: Payment): boolean => CAPTURED_STATUSES.has(status);

/** The payment has ended without money. */
export const hasEnded = ({ status }: Payment): boolean =>
  ['Declined', 'Canceled', 'Voided', 'Expired'].includes(status);

/**
 * Only explicit success or failure counts. Any other status, including future ones, is still processing. So is
 * `Authorized`: the same call requests the capture, which follows, unless the charge is captured later.
 */
export function toOutcome(payment: Payment, manual = false): PspOutcome {
  const outcome = toVerdict(payment, manual);
  if (outcome.kind === 'declined') return { ...outcome, ...reportOf(payment, false) };
  const isPaid = outcome.kind === 'succeeded' || outcome.kind === 'authorized';
  return isPaid ? { ...outcome, ...reportOf(payment, true) } : outcome;
}

function toVerdict(payment: Payment, manual: boolean): PspOutcome {
  const { id: reference, status } = payment;
  if (manual && isAuthorized(payment)) return { kind: 'authorized', reference, ...authorizedMoney(payment) };
  if (manual && wasAuthorized(payment) && status === 'Expired') return { kind: 'canceled', reference, expired: true };
  if (isCaptured(payment)) return { kind: 'succeeded', reference, ...capturedMoney(payment) };
  switch (status) {
    case 'Declined':
      return outcomeOfReason(reference, declineOfPayment(payment));
    case 'Canceled':
    case 'Voided':
      return { kind: 'canceled', reference };
    // Not finished or not captured in time: no money either way.
    case 'Expired':
      return { kind: 'declined', reference, decline: declineOf('expired') };
    default:
      return status === 'Authorized' ? { kind: 'processing', reference } : pendingOutcome(payment);
  }
}

/** Its money is reserved, or was captured after that. */
export const isAuthorized = (payment: Payment): boolean => payment.status === 'Authorized' || isCaptured(payment);

/** An unfinished payment expires too. */
const wasAuthorized = ({ balances }: Payment): boolean => (balances?.total_authorized ?? 0) > 0;

/** What was reserved at first. */
export function authorizedMoney({ amount, currency, balances }: Payment): Money {
  const units = balances?.total_authorized || amount;
  if (units === undefined || units === null || !currency)
    throw new PspOutcomeUnknown('Checkout.com reports no authorized amount.');
  return toOurMoney(units, currency);
}

const declineOfPayment = ({ response_code: code, processing, '3ds': secure }: Payment) =>
  readDecline({
    code,
    recommendation: processing?.recommendation_code,
    networkAdvice: processing?.partner_merchant_advice_code,
    authentication: secure?.authentication_response,
    authenticationReason: secure?.authentication_status_reason,
  });

function pendingOutcome({ id: reference, _links }: Payment): PspOutcome {
  const url = _links?.redirect?.href;
  return url === undefined
    ? { kind: 'processing', reference }
    : { kind: 'requires_action', reference, action: { type: 'redirect', url, method: 'GET' } };
}

/** A payment may be captured in part. The balance says how much; if all was captured, the amount does. */
function capturedMoney({ status, amount, currency, balances }: Payment) {
  const units = balances?.total_captured ?? (status === 'Partially Captured' ? undefined : amount);
  if (units === undefined || units === null || !currency)
    throw new PspOutcomeUnknown('Checkout.com reports no captured amount.');
  return toOurMoney(units, currency);
}

/** A page without a payment. How long it lives is not documented, so only its own status ends it. */
export function toPageOutcome({ id: reference, status, _links }: Page): PspOutcome {
  if (status === 'Expired') return { kind: 'declined', reference, decline: declineOf('expired') };
  const url = _links?.redirect?.href;
  if (status === 'Payment Received' || url === undefined) return { kind: 'processing', reference };
  return { kind: 'requires_action', reference, action: { type: 'redirect', url, method: 'GET' } };
}

export function toRefundOutcome({ id: reference, approved, response_code: code }: Action): RefundOutcome {
  if (approved === true) return { kind: 'succeeded', reference };
  if (approved !== false) return { kind: 'accepted', reference };
  const decline = readRefundDecline(code);
  return decline === UNDECIDED ? { kind: 'accepted', reference } : { kind: 'failed', reference, decline };
}
