import { declineOf } from '#shared/domain/payments/declines.catalog.ts';
import { refundDecline } from '#shared/domain/payments/refund-failures.catalog.ts';
import type { CaptureOutcome, PspCapture } from '#shared/ports/capture.port.ts';
import type { PspOutcome, PspRefund, RefundOutcome } from '#shared/ports/psp.port.ts';
import { lookUp } from '#shared/psp/kit/declines.ts';
import { isoTime } from '#shared/psp/kit/times.ts';
import { toDecline } from '#shared/psp/mollie/declines.catalog.ts';
import { toOurMoney } from '#shared/psp/mollie/money.rules.ts';
import { reportOf } from '#shared/psp/mollie/report.rules.ts';
import type { Capture, Payment, Refund } from '#shared/psp/mollie/schema.ts';

/**
 * Callbacks are unsigned and may name any payment of the account: only one made for this payment, by its metadata or
 * its callback URL, is its charge.
 */
export const isChargeOf = (paymentId: string, { metadata, webhookUrl }: Payment): boolean =>
  metadata?.payment_id === paymentId || URL.parse(webhookUrl ?? '')?.searchParams.get('payment_id') === paymentId;

/**
 * A payment's `status`. Only explicit success or failure counts; one that is not on the list is still undecided.
 * `canceled` and `expired` are final at Mollie: the page takes no more money. Source: OpenAPI document, read in 2026-11.
 */
export const PAYMENT_STATUSES = {
  open: 'open',
  pending: 'undecided',
  authorized: 'undecided',
  paid: 'paid',
  canceled: 'canceled',
  expired: 'expired',
  failed: 'failed',
} as const satisfies Readonly<Record<string, string>>;

/** `manual`: the charge is captured later, so that it is only authorized, whatever was captured since. */
export const toOutcome = (payment: Payment, manual: boolean): PspOutcome => ({
  ...verdictOf(payment, manual),
  ...reportOf(payment),
});

function verdictOf(payment: Payment, manual: boolean): PspOutcome {
  const reference = payment.id;
  if (manual && HELD_STATUSES.has(payment.status)) return toAuthorized(payment);
  switch (lookUp<string>(PAYMENT_STATUSES, payment.status)) {
    case 'paid':
      return { kind: 'succeeded', reference, ...capturedMoney(payment) };
    case 'open':
      return toNextAction(payment);
    case 'failed':
      return { kind: 'declined', reference, decline: toDecline(payment) };
    case 'expired':
      return { kind: 'declined', reference, decline: declineOf('expired') };
    case 'canceled':
      return { kind: 'canceled', reference };
    default:
      return { kind: 'processing', reference };
  }
}

/** Once a part is captured and the rest is released, a payment is `paid`. */
const HELD_STATUSES: ReadonlySet<string> = new Set(['authorized', 'paid']);

function toAuthorized(payment: Payment): PspOutcome {
  const capturable_until = isoTime(payment.captureBefore);
  return {
    kind: 'authorized',
    reference: payment.id,
    ...toOurMoney(payment.amount),
    ...(capturable_until && { capturable_until }),
  };
}

/** The captured amount, for methods with captures: less than the payment's where the rest was released. */
function capturedMoney({ amount, amountCaptured }: Payment) {
  const captured = amountCaptured ? toOurMoney(amountCaptured) : undefined;
  return captured && captured.amount > 0 ? captured : toOurMoney(amount);
}

function toNextAction({ id: reference, _links, expiresAt }: Payment): PspOutcome {
  const url = _links?.checkout?.href;
  if (url === undefined || !/^https?:\/\//.test(url)) return { kind: 'processing', reference };
  const expires_at = isoTime(expiresAt);
  return {
    kind: 'requires_action',
    reference,
    action: { type: 'redirect', url, method: 'GET' },
    ...(expires_at && { expires_at }),
  };
}

/** A refund's `status`. `queued` waits for balance, `pending` for the next bank batch. Source: as above. */
export const REFUND_STATUSES = {
  queued: 'accepted',
  pending: 'accepted',
  processing: 'accepted',
  refunded: 'succeeded',
  failed: 'failed',
  canceled: 'failed',
} as const satisfies Readonly<Record<string, RefundOutcome['kind']>>;

export function toRefundOutcome({ id: reference, status }: Refund): RefundOutcome {
  const kind = lookUp<RefundOutcome['kind']>(REFUND_STATUSES, status) ?? 'accepted';
  if (kind !== 'failed') return { kind, reference };
  return {
    kind: 'failed',
    reference,
    decline: refundDecline(status === 'failed' ? 'refund_declined' : 'refund_canceled'),
  };
}

/** A capture's `status`. Mollie gives no reason for a failed one. Source: as above. */
export function toCaptureOutcome({ id: reference, status }: Capture): CaptureOutcome {
  if (status === 'succeeded') return { kind: 'succeeded', reference };
  if (status !== 'failed') return { kind: 'accepted', reference };
  return { kind: 'failed', reference, decline: declineOf('capture_declined') };
}

export function toPspCapture(capture: Capture): PspCapture {
  const ourId = /cap_[0-9a-z]{26}/.exec(JSON.stringify(capture.metadata ?? null))?.[0];
  return { ...toCaptureOutcome(capture), ...toOurMoney(capture.amount), ourId: ourId ?? null };
}

export function toPspRefund(refund: Refund): PspRefund {
  // Metadata may come back in any form.
  const ourId = /re_[0-9a-z]{26}/.exec(JSON.stringify(refund.metadata ?? null))?.[0];
  return { ...toRefundOutcome(refund), ...toOurMoney(refund.amount), ourId: ourId ?? null };
}
