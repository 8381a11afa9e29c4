import { oweRefund } from '#shared/domain/owed-refund.rules.ts';
import type { Payment, RefundReason } from '#shared/domain/payment.model.ts';
import { chargedAttempt, refundable } from '#shared/domain/refund.machine.ts';

/** What a payment's state asks of the invoice it was made for; undefined while nothing is asked, or all is done. */
export function asksOfInvoice({ invoice_id, status, invoice_unwanted }: Payment): 'pay' | 'fail' | undefined {
  if (!invoice_id || invoice_unwanted) return undefined;
  // What was given back before the invoice heard of it has paid it all the same.
  if (status === 'succeeded' || status === 'refunded') return 'pay';
  return status === 'failed' || status === 'canceled' ? 'fail' : undefined;
}

/** The payment whose money its invoice did not ask for any more: it goes back, once. */
export function noteUnwanted(payment: Payment, reason: RefundReason, at: Date): Payment | undefined {
  if (asksOfInvoice(payment) !== 'pay') return undefined;
  const noted: Payment = { ...payment, invoice_unwanted: true };
  const charged = chargedAttempt(payment);
  const rest = refundable(payment);
  return charged && rest > 0 ? oweRefund(noted, charged, rest, reason, at) : noted;
}
