import type { Invoice } from '#shared/domain/billing/invoice.model.ts';
import { isClosed, type Subscription } from '#shared/domain/billing/subscription.model.ts';
import { asksNewMethod } from '#shared/domain/payments/declines.catalog.ts';
import { currentAttempt, isUnknown } from '#shared/domain/payments/payment.machine.ts';
import type { FailureCategory, Payment, RefundReason } from '#shared/domain/payments/payment.model.ts';
import { addAutomaticRefund, chargedAttempt, refundableAmount } from '#shared/domain/payments/refund.rules.ts';

/** What a payment's status means for its invoice; undefined while not final, or if its money is being refunded. */
export function invoiceOutcome({ invoice_id, status, invoice_unwanted }: Payment): 'paid' | 'failed' | undefined {
  if (!invoice_id || invoice_unwanted) return undefined;
  // A payment that was refunded before the invoice was settled has still paid it.
  if (status === 'succeeded' || status === 'refunded') return 'paid';
  return status === 'failed' || status === 'canceled' ? 'failed' : undefined;
}

/** Plans the refund of a payment that its invoice no longer needs. Does so once. */
export function refundUnwanted(payment: Payment, reason: RefundReason, at: Date): Payment | undefined {
  if (invoiceOutcome(payment) !== 'paid') return undefined;
  const marked: Payment = { ...payment, invoice_unwanted: true };
  const charged = chargedAttempt(payment);
  const rest = refundableAmount(payment);
  return charged && rest > 0 ? addAutomaticRefund(marked, charged, rest, reason, at) : marked;
}

const HARD_CATEGORIES: ReadonlySet<FailureCategory> = new Set(['hard_decline', 'fraud']);

/**
 * Whether dunning stops at once: the payment method would be declined again later, or the PSP asks for another one. A
 * canceled payment was not declined, and a velocity rule of the fraud policy may pass again later.
 */
export function endsDunning({ status, failure, fraud }: Pick<Payment, 'status' | 'failure' | 'fraud'>): boolean {
  if (status !== 'failed' || failure === null) return false;
  if (failure.code === 'fraud_blocked' && fraud?.reasons.every((reason) => reason.startsWith('velocity_')))
    return false;
  return HARD_CATEGORIES.has(failure.category) || !failure.retryable || asksNewMethod(failure);
}

/** Whether the invoice may be collected again. In review the money may have arrived: a person decides first. */
export function isRetryable(payment: Payment): boolean {
  const attempt = currentAttempt(payment);
  const hasFailed = payment.status === 'failed' || payment.status === 'canceled';
  return hasFailed && !payment.review && !(attempt && isUnknown(attempt));
}

/** For an API error, after "The payment of this invoice". */
export function notRetryableReason({ status, review }: Payment): string {
  if (review) return 'is in review. Cancel the payment to end the review';
  if (status === 'requires_action') return "waits for the customer. See the payment's next_action";
  return 'is still processing. Try again when it has an outcome';
}

/** Whether the same payment is retried. A new payment also counts against the limit of the organization's plan. */
export function retriesSamePayment(payment: Payment, { method, sealed_method }: Subscription): boolean {
  // A payment keeps its method if the subscription's is of another type, so the decline would only repeat.
  const wouldRepeat = endsDunning(payment) && sealed_method !== null && method !== payment.method;
  return payment.status === 'failed' && payment.failure?.retryable === true && !wouldRepeat;
}

/**
 * Whether the subscription's payment method is not the one of the last attempt: it changed since, or the payment had
 * its own.
 */
export const hasOtherMethod = (
  { method_version, sealed_method }: Subscription,
  last: Pick<Invoice, 'method_version'>,
  { own_method }: Pick<Payment, 'own_method'>,
): boolean => sealed_method !== null && (own_method === true || method_version !== last.method_version);

/**
 * What a due retry does. `settle`: the payment succeeded outside of a collection attempt. `wait`: its outcome is not
 * known yet. `exhaust`: no retry can succeed.
 */
export type DunningStep = 'cancel' | 'wait_for_resume' | 'settle' | 'wait' | 'exhaust' | 'collect';

export function nextDunningStep(invoice: Invoice, subscription: Subscription, payment: Payment): DunningStep {
  if (isClosed(subscription)) return 'cancel';
  if (subscription.status === 'paused') return 'wait_for_resume';
  if (invoiceOutcome(payment) === 'paid') return 'settle';
  if (!isRetryable(payment)) return 'wait';
  return endsDunning(payment) && !hasOtherMethod(subscription, invoice, payment) ? 'exhaust' : 'collect';
}
