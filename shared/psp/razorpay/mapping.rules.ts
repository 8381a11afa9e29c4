import { declineOf } from '#shared/domain/declines.catalog.ts';
import { refundDecline } from '#shared/domain/refund-failures.catalog.ts';
import { type PspOutcome, PspOutcomeUnknown, type RefundOutcome } from '#shared/ports/psp.port.ts';
import { toDecline } from '#shared/psp/razorpay/decline.rules.ts';
import { ourUnits } from '#shared/psp/razorpay/money.rules.ts';
import { isoFromSeconds } from '#shared/psp/razorpay/next-action.rules.ts';
import { Begun, Items, Link, Links, Order, Payment, Refund } from '#shared/psp/razorpay/objects.schema.ts';

type Shape<T> = { safeParse(value: unknown): { readonly success: true; readonly data: T } | { readonly success: false } };

function read<T>(shape: Shape<T>, what: string, value: unknown): T {
  const parsed = shape.safeParse(value);
  if (!parsed.success) throw new PspOutcomeUnknown(`Razorpay's ${what} is not understood.`);
  return parsed.data;
}
export const readPayment = (value: unknown): Payment => read(Payment, 'payment', value);
export const readOrder = (value: unknown): Order => read(Order, 'order', value);
export const readLink = (value: unknown): Link => read(Link, 'payment link', value);
export const readRefund = (value: unknown): Refund => read(Refund, 'refund', value);
export const readBegun = (value: unknown): Begun => read(Begun, 'answer to a payment', value);
export const readItems = (value: unknown): readonly unknown[] => read(Items, 'list', value).items;
export const readLinks = (value: unknown): readonly unknown[] => read(Links, 'list of payment links', value).payment_links;

/** Only an explicit word of success or failure counts; any other status, also one that Razorpay adds later, is still under way. */
export function toOutcome(payment: Payment): PspOutcome {
  const reference = payment.id;
  switch (payment.status) {
    case 'captured':
      return { kind: 'succeeded', reference, ...ourUnits(payment) };
    case 'refunded':
      return refunded(payment);
    case 'failed':
      return { kind: 'declined', reference, decline: toDecline({ reason: payment.error_reason, source: payment.error_source }) };
    case 'created':
      return { kind: 'waiting', reference };
    default:
      return { kind: 'processing', reference };
  }
}

/** Also what nobody captured is called refunded in the end: then no money was taken. */
function refunded(payment: Payment): PspOutcome {
  const reference = payment.id;
  if (payment.captured === true) return { kind: 'succeeded', reference, ...ourUnits(payment) };
  return payment.captured === false ? { kind: 'canceled', reference } : { kind: 'processing', reference };
}

const RANKS: Readonly<Record<string, number>> = { captured: 3, refunded: 3, authorized: 2, failed: 0 };
const rankOf = ({ status }: Payment): number => RANKS[status] ?? 1;

/** Of an order's payments the one that speaks for it: money that moved first, then what may still move, then the newest. */
export const deciding = (payments: readonly Payment[]): Payment | undefined =>
  [...payments].sort((a, b) => rankOf(b) - rankOf(a) || (b.created_at ?? 0) - (a.created_at ?? 0))[0];

/** Whether the customer's bank has said yes. Before that a page is open for another try. */
export const isPaid = (payment: Payment): boolean => rankOf(payment) >= 2;

/** A link of which no payment speaks. */
export function toLinkOutcome(link: Link): PspOutcome {
  const reference = link.id;
  if (link.status === 'expired') return { kind: 'declined', reference, decline: declineOf('expired') };
  if (link.status === 'cancelled') return { kind: 'canceled', reference };
  if (link.status !== 'created' || !link.short_url) return { kind: 'processing', reference };
  const expires_at = isoFromSeconds(link.expire_by);
  return { kind: 'requires_action', reference, action: { type: 'redirect', url: link.short_url, method: 'GET' }, ...(expires_at && { expires_at }) };
}

export function toRefundOutcome({ id: reference, status }: Refund): RefundOutcome {
  if (status === 'processed') return { kind: 'succeeded', reference };
  return status === 'failed' ? { kind: 'failed', reference, decline: refundDecline('refund_declined') } : { kind: 'accepted', reference };
}
