import { declineOf } from '#shared/domain/payments/declines.catalog.ts';
import { refundDecline } from '#shared/domain/payments/refund-failures.catalog.ts';
import type { PspOutcome, RefundOutcome } from '#shared/ports/psp.port.ts';
import { readAs } from '#shared/psp/kit/reply.ts';
import { toDecline } from '#shared/psp/razorpay/decline.rules.ts';
import { ourUnits } from '#shared/psp/razorpay/money.rules.ts';
import { isoFromSeconds } from '#shared/psp/razorpay/next-action.rules.ts';
import { Begun, Items, Link, Links, Order, Payment, Refund } from '#shared/psp/razorpay/objects.schema.ts';

const read = readAs('Razorpay');
export const readPayment = (value: unknown): Payment => read(Payment, 'payment', value);
export const readOrder = (value: unknown): Order => read(Order, 'order', value);
export const readLink = (value: unknown): Link => read(Link, 'payment link', value);
export const readRefund = (value: unknown): Refund => read(Refund, 'refund', value);
export const readBegun = (value: unknown): Begun => read(Begun, 'answer to a payment', value);
export const readItems = (value: unknown): readonly unknown[] => read(Items, 'list', value).items;
export const readLinks = (value: unknown): readonly unknown[] =>
  read(Links, 'list of payment links', value).payment_links;

/** Only explicit success or failure counts; any other status, including future ones, is still processing. */
export function toOutcome(payment: Payment): PspOutcome {
  const reference = payment.id;
  switch (payment.status) {
    case 'captured':
      return { kind: 'succeeded', reference, ...ourUnits(payment) };
    case 'refunded':
      return refunded(payment);
    case 'failed':
      return {
        kind: 'declined',
        reference,
        decline: toDecline({ reason: payment.error_reason, source: payment.error_source }),
      };
    case 'created':
      return { kind: 'waiting', reference };
    default:
      return { kind: 'processing', reference };
  }
}

/** An uncaptured payment ends as refunded too: then no money was taken. */
function refunded(payment: Payment): PspOutcome {
  const reference = payment.id;
  if (payment.captured === true) return { kind: 'succeeded', reference, ...ourUnits(payment) };
  return payment.captured === false ? { kind: 'canceled', reference } : { kind: 'processing', reference };
}

const RANKS: Readonly<Record<string, number>> = { captured: 3, refunded: 3, authorized: 2, failed: 0 };
const rankOf = ({ status }: Payment): number => RANKS[status] ?? 1;

/** The payment that represents an order: money that moved first, then open ones, then the newest. */
export const deciding = (payments: readonly Payment[]): Payment | undefined =>
  [...payments].sort((a, b) => rankOf(b) - rankOf(a) || (b.created_at ?? 0) - (a.created_at ?? 0))[0];

/** Whether the customer's bank has approved. Before that a page is open for another try. */
export const isPaid = (payment: Payment): boolean => rankOf(payment) >= 2;

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
