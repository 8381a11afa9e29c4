import { refundDecline } from '#shared/domain/payments/refund-failures.catalog.ts';
import type { PspOutcome, RefundOutcome } from '#shared/ports/psp.port.ts';
import { outcomeOfReason } from '#shared/psp/kit/declines.ts';
import { isoTime } from '#shared/psp/kit/times.ts';
import { captureDecline } from '#shared/psp/paypal/declines.catalog.ts';
import { toOurMoney } from '#shared/psp/paypal/money.rules.ts';
import { networkReport, savedToken } from '#shared/psp/paypal/report.rules.ts';
import type { Authorization, Capture, Links, NewRefund, Order } from '#shared/psp/paypal/schema.ts';

/** A refunded capture was paid before. */
const PAID_STATUSES: ReadonlySet<string> = new Set(['COMPLETED', 'PARTIALLY_REFUNDED', 'REFUNDED']);

const DECLINED_STATUSES: ReadonlySet<string> = new Set(['DECLINED', 'FAILED']);

/** Only explicit success or failure counts. Any other status, including future ones, is still processing. */
export const captureOutcome = (capture: Capture, brand?: string | null): PspOutcome => ({
  ...captureResult(capture, brand),
  ...networkReport(capture),
});

function captureResult(capture: Capture, brand?: string | null): PspOutcome {
  const { id: reference, status, amount } = capture;
  if (PAID_STATUSES.has(status)) return { kind: 'succeeded', reference, ...toOurMoney(amount) };
  if (DECLINED_STATUSES.has(status)) return outcomeOfReason(reference, captureDecline(capture, brand));
  return { kind: 'processing', reference };
}

/**
 * The capture that decides the order's outcome: a paid one, then one that is not decided. An order may be COMPLETED
 * while its capture is declined.
 */
function captureIn(order: Order): Capture | undefined {
  const captures = capturesIn(order);
  return (
    captures.find(({ status }) => PAID_STATUSES.has(status)) ??
    captures.find(({ status }) => !DECLINED_STATUSES.has(status)) ??
    captures.at(-1)
  );
}

/** Of an order for a later capture, once its payer has approved: PayPal makes one. */
export const authorizationIn = ({ purchase_units }: Order): Authorization | undefined =>
  (purchase_units ?? []).flatMap(({ payments }) => payments?.authorizations ?? []).at(-1);

/** Whether the order was captured or authorized. */
export const wasTaken = (order: Order): boolean =>
  captureIn(order) !== undefined || authorizationIn(order) !== undefined;

export const HELD_STATUSES: ReadonlySet<string> = new Set(['CREATED', 'CAPTURED', 'PARTIALLY_CAPTURED']);

export const capturesIn = ({ purchase_units }: Order): readonly Capture[] =>
  (purchase_units ?? []).flatMap(({ payments }) => payments?.captures ?? []);

const hasCaptured = (order: Order): boolean => capturesIn(order).some(({ status }) => PAID_STATUSES.has(status));

/** The order stays the charge's reference, as it has the authorization, all captures and their refunds. */
function authorizationOutcome(order: Order, authorization: Authorization): PspOutcome {
  const { id: reference, payment_source } = order;
  const { status, amount, expiration_time } = authorization;
  if (HELD_STATUSES.has(status) || hasCaptured(order)) {
    const capturable_until = isoTime(expiration_time);
    return {
      kind: 'authorized',
      reference,
      ...toOurMoney(amount),
      ...(capturable_until && { capturable_until }),
    };
  }
  if (status === 'DENIED')
    return outcomeOfReason(reference, captureDecline(authorization, payment_source?.card?.brand));
  if (status !== 'VOIDED') return { kind: 'processing', reference };
  return hasExpired(authorization) ? { kind: 'canceled', reference, expired: true } : { kind: 'canceled', reference };
}

/** It ended when its time was over, and nobody voided it before. */
export const hasExpired = ({ expiration_time, update_time }: Authorization): boolean =>
  Date.parse(update_time ?? '') >= Date.parse(expiration_time ?? '');

/** Unpaid orders that only their payer can continue. */
const PAYER_STATUSES: ReadonlySet<string> = new Set(['CREATED', 'PAYER_ACTION_REQUIRED']);

const CANCELABLE_STATUSES: ReadonlySet<string> = new Set([...PAYER_STATUSES, 'SAVED', 'APPROVED', 'VOIDED']);

/** The order's outcome, with what PayPal tells of its card once nobody has to act any more. */
export function orderOutcome(order: Order): PspOutcome {
  const outcome = orderResult(order);
  if (outcome.kind === 'requires_action') return outcome;
  const network = networkReport(authorizationIn(order) ?? captureIn(order), order);
  return { ...outcome, ...network, ...(KEEPING.has(outcome.kind) && savedToken(order)) };
}

/** An account is kept with a charge that has succeeded, or of which nothing but the money is missing. */
const KEEPING: ReadonlySet<string> = new Set(['succeeded', 'authorized', 'processing']);

function orderResult(order: Order): PspOutcome {
  const authorization = authorizationIn(order);
  if (authorization) return authorizationOutcome(order, authorization);
  const capture = captureIn(order);
  if (capture) return captureResult(capture, order.payment_source?.card?.brand);
  if (PAYER_STATUSES.has(order.status ?? '')) return requiresPayer(order);
  return { kind: order.status === 'VOIDED' ? 'canceled' : 'processing', reference: order.id };
}

/** Only our capture moves money, so an order that we will not capture counts as canceled. */
export const canceledOutcome = (order: Order): PspOutcome =>
  CANCELABLE_STATUSES.has(order.status ?? '') && !captureIn(order)
    ? { kind: 'canceled', reference: order.id }
    : orderOutcome(order);

/** When PayPal deletes unapproved orders is not documented, so there is no expiry. */
export function requiresPayer({ id: reference, links }: Pick<Order, 'id' | 'links'>, more: Links = []): PspOutcome {
  const url = linkTo([...(more ?? []), ...(links ?? [])], 'redirect', 'payer-action', 'approve');
  return url === undefined
    ? { kind: 'processing', reference }
    : { kind: 'requires_action', reference, action: { type: 'redirect', url, method: 'GET' } };
}

function linkTo(links: NonNullable<Links>, ...rels: readonly string[]): string | undefined {
  const hrefs = rels.map((rel) => links.find((link) => link.rel === rel)?.href);
  return hrefs.find((href) => href !== undefined && /^https?:\/\//.test(href));
}

export function refundOutcome({ id: reference, status }: NewRefund): RefundOutcome {
  if (status === 'COMPLETED') return { kind: 'succeeded', reference };
  if (status !== 'FAILED' && status !== 'CANCELLED') return { kind: 'accepted', reference };
  return {
    kind: 'failed',
    reference,
    decline: refundDecline(status === 'FAILED' ? 'refund_declined' : 'refund_canceled'),
  };
}
