import type { NextAction } from '#shared/domain/payments/payment.model.ts';
import { refundDecline } from '#shared/domain/payments/refund-failures.catalog.ts';
import type { PspOutcome, RefundOutcome } from '#shared/ports/psp.port.ts';
import { toDecline } from '#shared/psp/flutterwave/decline.rules.ts';
import { ourUnits } from '#shared/psp/flutterwave/money.rules.ts';
import { OurKeys, Refund, Transaction } from '#shared/psp/flutterwave/objects.schema.ts';
import { readAs } from '#shared/psp/kit/reply.ts';

export const read = readAs('Flutterwave');
export const readTransaction = (value: unknown): Transaction => read(Transaction, 'transaction', value);
export const readRefund = (value: unknown): Refund => read(Refund, 'refund', value);

/** Whether a transaction is the one meant: only our own references in it prove that. */
export const isOurs = (
  { tx_ref, meta }: Transaction,
  { attemptId, paymentId }: { readonly attemptId: string; readonly paymentId: string },
): boolean => tx_ref === attemptId || OurKeys.safeParse(meta).data?.payment_id === paymentId;

/** Only `successful` and `failed` are final; any other status, including future ones, is still processing. */
export function toOutcome(transaction: Transaction, action?: NextAction): PspOutcome {
  const { id: reference, status, processor_response } = transaction;
  if (status === 'successful') return { kind: 'succeeded', reference, ...taken(transaction) };
  if (status === 'failed') return { kind: 'declined', reference, decline: toDecline(processor_response) };
  return action ? { kind: 'requires_action', reference, action } : { kind: 'processing', reference };
}

/**
 * `charged_amount` is more than `amount` where the customer also pays the fee, which is not part of the payment; if it
 * is less, that is what was paid.
 */
function taken({ amount, charged_amount, currency }: Transaction) {
  const asked = ourUnits(amount, currency);
  if (charged_amount === null || charged_amount === undefined) return asked;
  const charged = ourUnits(charged_amount, currency);
  return charged.amount < asked.amount ? charged : asked;
}

/** `completed-<how>` names the way the money went. UNVERIFIED: `failed`; what is neither is still on its way. */
export function toRefundOutcome({ id: reference, status }: Refund): RefundOutcome {
  if (/^(completed|successful)\b/.test(status)) return { kind: 'succeeded', reference };
  if (!/^failed\b/.test(status)) return { kind: 'accepted', reference };
  return { kind: 'failed', reference, decline: refundDecline('refund_declined') };
}
