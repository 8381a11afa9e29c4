import { assertVerified } from '#shared/domain/accounts/organization.rules.ts';
import { assertPaymentsLeft } from '#shared/domain/accounts/plan.rules.ts';
import { isPayable } from '#shared/domain/billing/invoice.machine.ts';
import type { Invoice } from '#shared/domain/billing/invoice.model.ts';
import { hasOtherMethod, retriesSamePayment } from '#shared/domain/billing/invoice-payment.rules.ts';
import type { Subscription } from '#shared/domain/billing/subscription.model.ts';
import { needsOtherMethod } from '#shared/domain/payments/declines.catalog.ts';
import { hasMarker } from '#shared/domain/payments/idempotency-markers.rules.ts';
import type { Payment } from '#shared/domain/payments/payment.model.ts';
import { AppError, orNotFound } from '#shared/kernel/errors.ts';
import { operationId } from '#shared/kernel/operation.ts';
import { retryOnConflict } from '#shared/kernel/retry-on-conflict.ts';
import type { Caller } from '#shared/ports/caller.ts';
import type { Deps } from '#shared/ports/deps.ts';
import type { RoutingData } from '#shared/ports/organizations.port.ts';
import { assertRetryable, type CollectDeps, collectInvoice } from '#shared/services/billing/collect-invoice.service.ts';
import { collectionOperation } from '#shared/services/billing/invoice-payment.service.ts';
import { settleInvoice } from '#shared/services/billing/settle-invoice.service.ts';
import { chargePayment } from '#shared/services/payments/charge-payment.service.ts';

/** Collects an open or failed invoice now. A declined payment is no error of this call: the invoice shows it. */
export const retryInvoice = ({ id }: { readonly id: string }, caller: Caller, deps: CollectDeps): Promise<Invoice> =>
  retryOnConflict(() => retryOnce(id, caller, deps), 'This invoice is being changed by other requests. Try again.');

/** `undefined` if a concurrent write changed what was read. */
async function retryOnce(id: string, caller: Caller, deps: CollectDeps): Promise<Invoice | undefined> {
  const invoice = orNotFound(await deps.invoices.get(caller.orgId, id), 'There is no such invoice.');
  const by = operationId(caller.operation, 'request');
  const payment = orNotFound(
    await deps.payments.byId(invoice.payment_id ?? ''),
    'The payment of this invoice no longer exists.',
  );
  if (hasMarker(invoice, by))
    return invoice.trying?.by === by ? continueRetry(invoice, payment, caller, deps) : invoice;
  const subscription = orNotFound(
    await deps.subscriptions.byId(invoice.subscription_id),
    'The subscription of this invoice no longer exists.',
  );
  assertInvoiceRetryable(invoice, payment, subscription);
  const routingData = await caller.routingData();
  assertOrganizationMayCharge(payment, subscription, routingData, deps);
  const result = await collectInvoice({ invoice, subscription, payment, routingData }, by, deps);
  if (result.status === 'conflict') return undefined;
  if (result.status === 'budget_exhausted') throw budgetExhausted(result.until);
  return reload(id, deps);
}

/** An earlier run of this request started the attempt, and may have crashed before its end. */
async function continueRetry(invoice: Invoice, payment: Payment, caller: Caller, deps: CollectDeps): Promise<Invoice> {
  const operation = collectionOperation(invoice, invoice.attempts, deps.clock.now());
  const charge = { payment, operation, resumed: true, routingData: await caller.routingData() };
  await settleInvoice(await chargePayment(charge, deps), deps);
  return reload(invoice.id, deps);
}

const reload = async (id: string, { invoices }: Pick<Deps, 'invoices'>): Promise<Invoice> =>
  orNotFound(await invoices.byId(id), 'There is no such invoice.');

function assertInvoiceRetryable(invoice: Invoice, payment: Payment, subscription: Subscription): void {
  if (!isPayable(invoice)) throw new AppError('invoice_not_retryable', `A ${invoice.status} invoice can't be retried.`);
  assertRetryable(payment);
  assertMethodMayWork(invoice, payment, subscription);
}

/** After a hard decline only another payment method is tried. */
function assertMethodMayWork(invoice: Invoice, payment: Payment, subscription: Subscription): void {
  const { status, failure } = payment;
  if (status !== 'failed' || !failure || (failure.retryable && !needsOtherMethod(failure))) return;
  // A fraud policy may have changed since, and its velocity windows slide.
  if (failure.code === 'fraud_blocked' || hasOtherMethod(subscription, invoice, payment)) return;
  throw new AppError(
    'invoice_not_retryable',
    `The payment failed with ${failure.code}. Update the payment method of the subscription, then retry.`,
  );
}

/** A retry of the same payment is not a new payment, and so not limited by the organization's plan. */
function assertOrganizationMayCharge(
  payment: Payment,
  subscription: Subscription,
  routingData: RoutingData,
  { config, clock }: Pick<Deps, 'config' | 'clock'>,
): void {
  if (payment.mode === 'live') assertVerified(routingData.organization);
  if (!retriesSamePayment(payment, subscription)) assertPaymentsLeft(routingData, config.stage, clock.now());
}

function budgetExhausted(until: Date): AppError {
  const available_at = until.toISOString();
  const message = `This payment method was declined too often. Use another one, or try again after ${available_at}.`;
  return new AppError('retry_budget_exhausted', message, { details: { available_at } });
}
