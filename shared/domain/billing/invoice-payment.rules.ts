import { oweRefund } from '#shared/domain/payments/owed-refund.rules.ts';
import type { Payment, RefundReason } from '#shared/domain/payments/payment.model.ts';
import { chargedAttempt, refundable } from '#shared/domain/payments/refundable.rules.ts';

/** What a payment's status means for its invoice; undefined while it is not final, or was applied. */
export function asksOfInvoice({ invoice_id, status, invoice_unwanted }: Payment): 'pay' | 'fail' | undefined {
  if (!invoice_id || invoice_unwanted) return undefined;
  // A payment refunded before the invoice was settled has still paid it.
  if (status === 'succeeded' || status === 'refunded') return 'pay';
  return status === 'failed' || status === 'canceled' ? 'fail' : undefined;
}

/** Marks a payment whose money its invoice no longer asks for: it is refunded, once. */
export function noteUnwanted(payment: Payment, reason: RefundReason, at: Date): Payment | undefined {
  if (asksOfInvoice(payment) !== 'pay') return undefined;
  const noted: Payment = { ...payment, invoice_unwanted: true };
  const charged = chargedAttempt(payment);
  const rest = refundable(payment);
  return charged && rest > 0 ? oweRefund(noted, charged, rest, reason, at) : noted;
}
