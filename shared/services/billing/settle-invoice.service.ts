import {
  type FailedCollection,
  failCollection,
  isPayable,
  markCanceled,
  markPaid,
  parkCollection,
} from '#shared/domain/billing/invoice.machine.ts';
import type { Invoice } from '#shared/domain/billing/invoice.model.ts';
import { endsDunning, invoiceOutcome, refundUnwanted } from '#shared/domain/billing/invoice-payment.rules.ts';
import { DEFAULT_RETRY_POLICY } from '#shared/domain/billing/retry-policy.rules.ts';
import { pauseSubscription, recordDecline } from '#shared/domain/billing/subscription.machine.ts';
import { isClosed, type Subscription } from '#shared/domain/billing/subscription.model.ts';
import { addMarker } from '#shared/domain/payments/idempotency-markers.rules.ts';
import type { Payment } from '#shared/domain/payments/payment.model.ts';
import { wasDeclinedBefore } from '#shared/domain/payments/retry-budget.rules.ts';
import { retryOnConflict } from '#shared/kernel/retry-on-conflict.ts';
import type { Deps } from '#shared/ports/deps.ts';
import type { BillingWrites } from '#shared/ports/invoices.port.ts';

export type SettleInvoiceDeps = Pick<
  Deps,
  'invoices' | 'subscriptions' | 'billing' | 'payments' | 'retryPolicies' | 'clock' | 'log'
>;

/**
 * Applies a payment's outcome to its invoice: paid, or one attempt failed. Safe to repeat, by the worker, the relay or
 * both at once. Money that the invoice no longer needs is refunded.
 */
export async function settleInvoice(payment: Payment, deps: SettleInvoiceDeps): Promise<Payment> {
  const outcome = invoiceOutcome(payment);
  if (outcome === undefined || !payment.invoice_id) return payment;
  const invoice = await deps.invoices.byId(payment.invoice_id);
  if (!invoice) return payment;
  if (outcome === 'paid') return applyPaid(invoice, payment, deps);
  await applyFailed(invoice, payment, deps);
  return payment;
}

/**
 * Marks a new invoice whose payment has no outcome yet, so that the relay publishes its events now. Without the mark
 * the relay leaves them to the worker of the first attempt, who publishes them with the outcome.
 */
export async function parkInvoice(
  invoice: Invoice,
  payment: Payment,
  { invoices }: Pick<Deps, 'invoices'>,
): Promise<void> {
  if (invoiceOutcome(payment) !== undefined) return;
  await invoices.change(invoice, (i) => (i.trying?.number === invoice.trying?.number ? parkCollection(i) : undefined));
}

async function applyPaid(invoice: Invoice, payment: Payment, deps: SettleInvoiceDeps): Promise<Payment> {
  const isPaid = ({ status, payment_id }: Invoice) => status === 'paid' && payment_id === payment.id;
  if (isPaid(invoice)) return payment;
  const subscription =
    invoice.renews && isPayable(invoice) ? await deps.subscriptions.byId(invoice.subscription_id) : undefined;
  const paid = await deps.invoices.change(invoice, (i) =>
    isPaid(i) ? undefined : markPaid(i, payment.id, subscription, deps.clock.now()),
  );
  if (isPaid(paid)) return payment;
  deps.log.warn('invoice_payment_unwanted', { payment_id: payment.id, invoice_id: invoice.id, org_id: invoice.org_id });
  const reason = paid.status === 'paid' ? 'duplicate_charge' : 'after_cancel';
  return deps.payments.change(payment, (p) => refundUnwanted(p, reason, deps.clock.now()));
}

/** Only the running attempt can fail, and only once: the payment carries the number of its attempt. */
const isFailing = (invoice: Invoice, payment: Payment): boolean =>
  invoice.trying !== undefined && invoice.trying.number === payment.invoice_try && invoice.payment_id === payment.id;

async function applyFailed(invoice: Invoice, payment: Payment, deps: SettleInvoiceDeps): Promise<void> {
  if (!isFailing(invoice, payment)) return;
  const policy = await policyFor(invoice, deps);
  let current: Invoice | undefined = invoice;
  await retryOnConflict(async () => {
    current ??= await deps.invoices.byId(invoice.id);
    if (!current || !isFailing(current, payment)) return true;
    const subscription = await deps.subscriptions.byId(current.subscription_id);
    const failure = { final: endsDunning(payment), policy, declined: wasDeclinedBefore(payment) };
    const isWritten = await deps.billing.commit(failureWrites(current, subscription, failure, deps.clock.now()));
    current = undefined;
    return isWritten || undefined;
  }, 'This invoice is being changed by other requests. Try again.');
}

/**
 * Ends dunning for an invoice whose payment method was found invalid outside of an attempt. False if a concurrent write
 * came first.
 */
export const exhaustRetries = (
  invoice: Invoice,
  subscription: Subscription,
  { billing, clock }: Pick<Deps, 'billing' | 'clock'>,
): Promise<boolean> =>
  billing.commit(
    failureWrites(invoice, subscription, { final: true, policy: DEFAULT_RETRY_POLICY, declined: true }, clock.now()),
  );

type FailedAttempt = FailedCollection & { readonly declined: boolean };

/** Pausing the subscription and noting the decline happen in the same write; a canceled subscription stays as it is. */
function failureWrites(
  invoice: Invoice,
  subscription: Subscription | undefined,
  failed: FailedAttempt,
  at: Date,
): BillingWrites {
  const after = invoiceAfterFailure(invoice, subscription, failed, at);
  const writes: BillingWrites = { invoice: { before: invoice, after } };
  if (subscription === undefined || subscription.status === 'canceled') return writes;
  const exhausted = invoice.status === 'open' && after.status === 'failed';
  const changed = subscriptionAfterFailure(subscription, { exhausted, declined: failed.declined }, at);
  return changed === subscription ? writes : { ...writes, subscription: { before: subscription, after: changed } };
}

/**
 * Canceled if that was requested or the subscription is closed; otherwise the retry policy plans the next attempt.
 */
function invoiceAfterFailure(
  invoice: Invoice,
  subscription: Subscription | undefined,
  failed: FailedAttempt,
  at: Date,
): Invoice {
  const isCollected = invoice.status !== 'open' || (subscription !== undefined && !isClosed(subscription));
  if (isCollected && invoice.ending === undefined) return failCollection(invoice, failed, at);
  const canceled = markCanceled(invoice, at);
  if (!canceled) return failCollection(invoice, failed, at);
  return invoice.ending === undefined ? canceled : addMarker(canceled, invoice.ending);
}

/** Exhausted dunning pauses the subscription. After any decline the next period's first charge needs retry budget. */
function subscriptionAfterFailure(
  subscription: Subscription,
  { exhausted, declined }: { readonly exhausted: boolean; readonly declined: boolean },
  at: Date,
): Subscription {
  const recorded = declined ? recordDecline(subscription, at) : subscription;
  return (exhausted ? pauseSubscription(recorded, at) : undefined) ?? recorded;
}

/**
 * Read when the attempt fails, so that policy changes count at once: the plan's, the organization's, or the default.
 */
async function policyFor(
  { org_id, plan_id }: Invoice,
  { retryPolicies }: SettleInvoiceDeps,
): Promise<FailedCollection['policy']> {
  return (await retryPolicies.get(org_id, plan_id)) ?? (await retryPolicies.get(org_id, '')) ?? DEFAULT_RETRY_POLICY;
}
