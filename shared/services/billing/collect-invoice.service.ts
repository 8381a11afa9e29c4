import { startCollection } from '#shared/domain/billing/invoice.machine.ts';
import type { Invoice } from '#shared/domain/billing/invoice.model.ts';
import { isRetryable, notRetryableReason, retriesSamePayment } from '#shared/domain/billing/invoice-payment.rules.ts';
import type { Subscription } from '#shared/domain/billing/subscription.model.ts';
import type { Payment } from '#shared/domain/payments/payment.model.ts';
import { AppError } from '#shared/kernel/errors.ts';
import type { Deps } from '#shared/ports/deps.ts';
import type { BillingWrites } from '#shared/ports/invoices.port.ts';
import type { RoutingData } from '#shared/ports/organizations.port.ts';
import {
  collectionOperation,
  connectionOf,
  failWithoutBudget,
  type PlannedPayment,
  planNewPayment,
  planPaymentRetry,
  reserveBudget,
} from '#shared/services/billing/invoice-payment.service.ts';
import { type SettleInvoiceDeps, settleInvoice } from '#shared/services/billing/settle-invoice.service.ts';
import { type ChargeDeps, chargePayment, readCredentials } from '#shared/services/payments/charge-payment.service.ts';
import { assertOutcomeKnown } from '#shared/services/payments/query-attempt.service.ts';
import { releaseUnlessStarted } from '#shared/services/payments/retry-budget.service.ts';

/** Everything a collection attempt is decided on, as it was read. */
export type CollectionRecords = {
  readonly invoice: Invoice;
  readonly subscription: Subscription;
  readonly payment: Payment;
  readonly routingData: RoutingData;
};

export type CollectDeps = ChargeDeps & SettleInvoiceDeps;

type Conflict = { readonly status: 'conflict' };
type BudgetExhausted = { readonly status: 'budget_exhausted'; readonly until: Date };

/**
 * `conflict`: a concurrent write changed what was read. `budget_exhausted`: the retry budget allows the next attempt at
 * `until`.
 */
export type CollectionResult = { readonly status: 'attempted' } | Conflict | BudgetExhausted;

/**
 * Collects an invoice once more: retries its payment, or makes a new one if that can't be retried. The attempt is
 * stored before the PSP is called, on the versions of invoice, subscription and payment that were read, so that only
 * one of two concurrent attempts is made. `by`: the operation of the request, none for a scheduled retry.
 */
export async function collectInvoice(
  records: CollectionRecords,
  by: string | undefined,
  deps: CollectDeps,
): Promise<CollectionResult> {
  const { invoice, subscription, payment, routingData } = records;
  const at = deps.clock.now();
  const operation = collectionOperation(invoice, invoice.attempts + 1, at);
  const planned = await (retriesSamePayment(payment, subscription)
    ? planPaymentRetry(payment, invoice, subscription, routingData, operation, deps)
    : planNewPayment(invoice, subscription, routingData, operation, deps));
  const credentials = readCredentials(planned.payment, routingData, deps);
  const started = await startAttempt(records, planned, by, at, deps);
  if (started.status !== 'started') return started;
  const charge = { payment: started.payment, operation, resumed: false, routingData, credentials };
  await settleInvoice(await chargePayment(charge, deps), deps);
  return { status: 'attempted' };
}

type Started = { readonly status: 'started'; readonly payment: Payment } | Conflict | BudgetExhausted;

/** Without retry budget a request is rejected; a scheduled retry is used up as failed, so that dunning ends. */
async function startAttempt(
  records: CollectionRecords,
  planned: PlannedPayment,
  by: string | undefined,
  at: Date,
  deps: Pick<Deps, 'billing' | 'payments' | 'retryBudget' | 'clock'>,
): Promise<Started> {
  const reserved = await reserveBudget(planned, deps);
  if (reserved.outcome === 'exhausted' && by !== undefined)
    return { status: 'budget_exhausted', until: reserved.until };
  const granted = reserved.outcome === 'exhausted' ? failWithoutBudget(planned, deps.clock.now()) : planned;
  const payment = await releaseUnlessStarted(reserved, commitCollection(records, granted, by, at, deps), deps);
  return payment ? { status: 'started', payment } : { status: 'conflict' };
}

/** The stored payment; undefined if a concurrent write came first and nothing was stored. */
async function commitCollection(
  { invoice, subscription }: CollectionRecords,
  planned: PlannedPayment,
  by: string | undefined,
  at: Date,
  { billing }: Pick<Deps, 'billing'>,
): Promise<Payment | undefined> {
  const { before, payment } = planned;
  const collection = {
    payment_id: payment.id,
    method_version: subscription.method_version,
    ...(by !== undefined && { by }),
  };
  const isWritten = await billing.commit({
    subscription: subscriptionWrite(subscription, planned),
    invoice: { before: invoice, after: startCollection(invoice, collection, at) },
    payment: before ? { before, after: payment } : { after: payment },
  });
  if (!isWritten) return undefined;
  return before ? { ...payment, version: before.version + 1 } : payment;
}

/**
 * A token without a known owner is bound to the connection of its first attempt, even if that is not the first charge.
 */
function subscriptionWrite(
  subscription: Subscription,
  { payment, attempt }: PlannedPayment,
): BillingWrites['subscription'] {
  const isOwn = subscription.sealed_method !== null && subscription.method === payment.method;
  if (!isOwn || attempt === undefined || subscription.token_of !== undefined) return { unchanged: subscription };
  return { before: subscription, after: { ...subscription, token_of: connectionOf(attempt) } };
}

export function assertRetryable(payment: Payment): void {
  assertOutcomeKnown(payment);
  if (isRetryable(payment)) return;
  throw new AppError('invoice_not_retryable', `The payment of this invoice ${notRetryableReason(payment)}.`);
}
