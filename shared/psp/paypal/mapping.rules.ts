import { refundDecline } from '#shared/domain/payments/refund-failures.catalog.ts';
import type { PspOutcome, RefundOutcome } from '#shared/ports/psp.port.ts';
import { readAs } from '#shared/psp/kit/reply.ts';
import { captureDecline } from '#shared/psp/paypal/decline.rules.ts';
import { ourUnits } from '#shared/psp/paypal/money.rules.ts';
import { Capture, type Links, Order, Refund } from '#shared/psp/paypal/objects.schema.ts';

export const read = readAs('PayPal');
export const readOrder = (value: unknown): Order => read(Order, 'order', value);
export const readCapture = (value: unknown): Capture => read(Capture, 'capture', value);
export const readRefund = (value: unknown): Refund => read(Refund, 'refund', value);

/** A refunded capture was taken before. */
const TAKEN: ReadonlySet<string> = new Set(['COMPLETED', 'PARTIALLY_REFUNDED', 'REFUNDED']);
const REFUSED: ReadonlySet<string> = new Set(['DECLINED', 'FAILED']);

/** Only explicit success or failure counts; any other status, including future ones, is still processing. */
export function captureOutcome(capture: Capture): PspOutcome {
  const { id: reference, status, amount } = capture;
  if (TAKEN.has(status)) return { kind: 'succeeded', reference, ...ourUnits(amount) };
  if (REFUSED.has(status)) return { kind: 'declined', reference, decline: captureDecline(capture) };
  return { kind: 'processing', reference };
}

/** The capture that represents this order: an order may be COMPLETED though its capture is declined. */
export function captureIn({ purchase_units }: Order): Capture | undefined {
  const captures = (purchase_units ?? []).flatMap(({ payments }) => payments?.captures ?? []);
  return captures.find(({ status }) => TAKEN.has(status)) ?? captures.at(-1);
}

/** An unpaid order that only its payer can continue. */
const WITH_THE_PAYER: ReadonlySet<string> = new Set(['CREATED', 'PAYER_ACTION_REQUIRED']);
const OPEN: ReadonlySet<string> = new Set([...WITH_THE_PAYER, 'SAVED', 'APPROVED', 'VOIDED']);

export function orderOutcome(order: Order): PspOutcome {
  const capture = captureIn(order);
  if (capture) return captureOutcome(capture);
  if (WITH_THE_PAYER.has(order.status)) return atThePayer(order);
  return { kind: order.status === 'VOIDED' ? 'canceled' : 'processing', reference: order.id };
}

/** Only our capture moves money, so an order that we won't capture is as good as canceled. */
export const canceledOutcome = (order: Order): PspOutcome =>
  OPEN.has(order.status) && !captureIn(order) ? { kind: 'canceled', reference: order.id } : orderOutcome(order);

/** When PayPal deletes unapproved orders is not documented, so no expiry is given. */
export function atThePayer({ id: reference, links }: Pick<Order, 'id' | 'links'>, more: Links = []): PspOutcome {
  const url = linkTo([...(more ?? []), ...(links ?? [])], 'redirect', 'payer-action', 'approve');
  return url === undefined
    ? { kind: 'processing', reference }
    : { kind: 'requires_action', reference, action: { type: 'redirect', url, method: 'GET' } };
}

function linkTo(links: NonNullable<Links>, ...rels: readonly string[]): string | undefined {
  const hrefs = rels.map((rel) => links.find((link) => link.rel === rel)?.href);
  return hrefs.find((href) => href !== undefined && /^https?:\/\//.test(href));
}

export function refundOutcome({ id: reference, status }: Refund): RefundOutcome {
  if (status === 'COMPLETED') return { kind: 'succeeded', reference };
  if (status !== 'FAILED' && status !== 'CANCELLED') return { kind: 'accepted', reference };
  return {
    kind: 'failed',
    reference,
    decline: refundDecline(status === 'FAILED' ? 'refund_declined' : 'refund_canceled'),
  };
}
