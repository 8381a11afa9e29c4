import { declineOf } from '#shared/domain/payments/declines.catalog.ts';
import { refundDecline } from '#shared/domain/payments/refund-failures.catalog.ts';
import { type PspOutcome, PspOutcomeUnknown, type RefundOutcome } from '#shared/ports/psp.port.ts';
import { toDecline } from '#shared/psp/checkout/decline.rules.ts';
import { ourUnits } from '#shared/psp/checkout/money.rules.ts';
import { Accepted, Action, Page, Payment, PaymentList } from '#shared/psp/checkout/objects.schema.ts';
import { readAs } from '#shared/psp/kit/reply.ts';

const read = readAs('Checkout.com');
export const readPayment = (value: unknown): Payment => read(Payment, 'payment', value);
export const readPage = (value: unknown): Page => read(Page, 'hosted page', value);
export const readActions = (value: unknown): readonly Action[] => read(Action.array(), 'list of actions', value);
export const readList = (value: unknown): readonly unknown[] => read(PaymentList, 'list of payments', value).data;
/** Accepted; the result follows under this reference. */
export const readAccepted = (value: unknown): string => read(Accepted, 'answer', value).action_id;

/** A refunded charge was captured before; its refunds are reported separately. */
const TAKEN: ReadonlySet<string> = new Set([
  'Captured',
  'Partially Captured',
  'Paid',
  'Partially Refunded',
  'Refunded',
]);

export const hasTaken = ({ status }: Payment): boolean => TAKEN.has(status);

/** Ended without money. */
export const hasEnded = ({ status }: Payment): boolean =>
  ['Declined', 'Canceled', 'Voided', 'Expired'].includes(status);

/**
 * Only explicit success or failure counts; any other status, including future ones, is still processing. So is
 * `Authorized`: we ask for the capture in the same call, and it follows.
 */
export function toOutcome(payment: Payment): PspOutcome {
  const { id: reference, status } = payment;
  if (hasTaken(payment)) return { kind: 'succeeded', reference, ...taken(payment) };
  switch (status) {
    case 'Declined':
      return {
        kind: 'declined',
        reference,
        decline: toDecline(payment.response_code, payment.processing?.partner_merchant_advice_code),
      };
    case 'Canceled':
    case 'Voided':
      return { kind: 'canceled', reference };
    // Not finished or not captured in time: no money either way.
    case 'Expired':
      return { kind: 'declined', reference, decline: declineOf('expired') };
    default:
      return status === 'Authorized' ? { kind: 'processing', reference } : underWay(payment);
  }
}

function underWay({ id: reference, _links }: Payment): PspOutcome {
  const url = _links?.redirect?.href;
  return url === undefined
    ? { kind: 'processing', reference }
    : { kind: 'requires_action', reference, action: { type: 'redirect', url, method: 'GET' } };
}

/** Possibly captured in part: the balance says how much, or the amount itself if all was. */
function taken({ status, amount, currency, balances }: Payment) {
  const units = balances?.total_captured ?? (status === 'Partially Captured' ? undefined : amount);
  if (units === undefined || units === null || !currency)
    throw new PspOutcomeUnknown('Checkout.com names no amount captured.');
  return ourUnits(units, currency);
}

/** A page without a payment. Its life is not documented, so only its own status ends it. */
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
