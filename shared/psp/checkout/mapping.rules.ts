import { declineOf } from '#shared/domain/declines.catalog.ts';
import { refundDecline } from '#shared/domain/refund-failures.catalog.ts';
import { type PspOutcome, PspOutcomeUnknown, type RefundOutcome } from '#shared/ports/psp.port.ts';
import { toDecline } from '#shared/psp/checkout/decline.rules.ts';
import { ourUnits } from '#shared/psp/checkout/money.rules.ts';
import { Accepted, Action, Page, Payment, PaymentList } from '#shared/psp/checkout/objects.schema.ts';

type Shape<T> = { safeParse(value: unknown): { readonly success: true; readonly data: T } | { readonly success: false } };

function read<T>(shape: Shape<T>, what: string, value: unknown): T {
  const parsed = shape.safeParse(value);
  if (!parsed.success) throw new PspOutcomeUnknown(`Checkout.com's ${what} is not understood.`);
  return parsed.data;
}
export const readPayment = (value: unknown): Payment => read(Payment, 'payment', value);
export const readPage = (value: unknown): Page => read(Page, 'hosted page', value);
export const readActions = (value: unknown): readonly Action[] => read(Action.array(), 'list of actions', value);
export const readList = (value: unknown): readonly unknown[] => read(PaymentList, 'list of payments', value).data;
/** The order is taken; its outcome follows under this reference. */
export const readAccepted = (value: unknown): string => read(Accepted, 'answer', value).action_id;

/** What is refunded was captured before; that it went back is told by its refunds. */
const TAKEN: ReadonlySet<string> = new Set(['Captured', 'Partially Captured', 'Paid', 'Partially Refunded', 'Refunded']);

export const hasTaken = ({ status }: Payment): boolean => TAKEN.has(status);

/** Ended without money. */
export const hasEnded = ({ status }: Payment): boolean => ['Declined', 'Canceled', 'Voided', 'Expired'].includes(status);

/**
 * Only an explicit word of success or failure counts; any other status, also one that is added later, is still under way.
 * `Authorized` is: we ask for the capture in the same call, and it follows.
 */
export function toOutcome(payment: Payment): PspOutcome {
  const { id: reference, status } = payment;
  if (hasTaken(payment)) return { kind: 'succeeded', reference, ...taken(payment) };
  switch (status) {
    case 'Declined':
      return { kind: 'declined', reference, decline: toDecline(payment.response_code, payment.processing?.partner_merchant_advice_code) };
    case 'Canceled':
    case 'Voided':
      return { kind: 'canceled', reference };
    // Nobody finished it in time, or nobody captured it: either way without money.
    case 'Expired':
      return { kind: 'declined', reference, decline: declineOf('expired') };
    default:
      return status === 'Authorized' ? { kind: 'processing', reference } : underWay(payment);
  }
}

function underWay({ id: reference, _links }: Payment): PspOutcome {
  const url = _links?.redirect?.href;
  return url === undefined ? { kind: 'processing', reference } : { kind: 'requires_action', reference, action: { type: 'redirect', url, method: 'GET' } };
}

/** A part of the amount may have been captured: the balance says how much, and the amount itself only where all was. */
function taken({ status, amount, currency, balances }: Payment) {
  const units = balances?.total_captured ?? (status === 'Partially Captured' ? undefined : amount);
  if (units === undefined || units === null || !currency) throw new PspOutcomeUnknown('Checkout.com names no amount captured.');
  return ourUnits(units, currency);
}

/** A page that no payment speaks for. Its life is published nowhere, so only its own word ends it. */
export function toPageOutcome({ id: reference, status, _links }: Page): PspOutcome {
  if (status === 'Expired') return { kind: 'declined', reference, decline: declineOf('expired') };
  const url = _links?.redirect?.href;
  if (status === 'Payment Received' || url === undefined) return { kind: 'processing', reference };
  return { kind: 'requires_action', reference, action: { type: 'redirect', url, method: 'GET' } };
}

export function toRefundOutcome({ id: reference, approved, response_code: code }: Action): RefundOutcome {
  if (approved === true) return { kind: 'succeeded', reference };
  if (approved !== false) return { kind: 'accepted', reference };
  return { kind: 'failed', reference, decline: refundDecline('refund_declined', toDecline(code, null).provider_code) };
}
