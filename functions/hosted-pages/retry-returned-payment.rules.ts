import type { FailureCode } from '#shared/domain/payments/declines.catalog.ts';
import { isOpen } from '#shared/domain/payments/payment.machine.ts';
import type { Payment } from '#shared/domain/payments/payment.model.ts';
import { DAY, plus } from '#shared/kernel/clock.ts';

/** How often a customer may try in all, so that nobody tests cards here. */
const MAX_ATTEMPTS = 5;
/** Later the shop has long dealt with the failure, and may have sold again. */
const RETRY_WINDOW = DAY;

/** Failures after which the same card or account may work. After any other one the customer needs another one. */
const SAME_METHOD_MAY_WORK: ReadonlySet<string> = new Set<FailureCode>([
  'authentication_failed',
  'authentication_required',
  'customer_canceled',
  'expired',
  'issuer_unavailable',
  'processing_error',
  'provider_unavailable',
]);

/**
 * Whether the customer may try a failed payment again on our page. One with a card that the shop collected is tried
 * with the same card; without one the customer chooses anew on the provider's page. Invoices have their own schedule.
 */
export function mayCustomerRetry(payment: Payment, at: Date): boolean {
  const { status, failure, review, attempts, sealed_method, details_only, off_session } = payment;
  if (status !== 'failed' || !failure?.retryable || review || off_session || attempts.some(isOpen)) return false;
  const isOwn = payment.return_url === null && payment.payment_link_id === null && payment.invoice_id === undefined;
  const isInTime = plus(payment.created_at, RETRY_WINDOW) > at && attempts.length < MAX_ATTEMPTS;
  const isChosenThere = sealed_method === null || details_only === true;
  return isOwn && isInTime && (isChosenThere || SAME_METHOD_MAY_WORK.has(failure.code));
}
