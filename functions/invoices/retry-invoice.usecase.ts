import { refuseUnverified } from '#shared/domain/accounts/kyc.rules.ts';
import { refusePaymentBeyond } from '#shared/domain/accounts/plan.rules.ts';
import { mayBePaid } from '#shared/domain/billing/invoice.machine.ts';
import type { Invoice } from '#shared/domain/billing/invoice.model.ts';
import type { Subscription } from '#shared/domain/billing/subscription.model.ts';
import { hasDone } from '#shared/domain/payments/acts.rules.ts';
import type { Payment } from '#shared/domain/payments/payment.model.ts';
import { AppError, need } from '#shared/kernel/errors.ts';
import { operationId } from '#shared/kernel/operation.ts';
import { inRounds } from '#shared/kernel/rounds.ts';
import type { Caller } from '#shared/ports/caller.ts';
import type { Deps } from '#shared/ports/deps.ts';
import { tryOperation } from '#shared/services/billing/invoice-payment.service.ts';
import { settleInvoice } from '#shared/services/billing/settle-invoice.service.ts';
import { hasOtherMethod, isTriedAgain, refuseTry, tryInvoice } from '#shared/services/billing/try-invoice.service.ts';
import { chargePayment } from '#shared/services/payments/charge-payment.service.ts';

/**
 * Tries at once to collect an open or failed invoice. A failed payment is no error of this call: the invoice shows it.
 */
export const retryInvoice = ({ id }: { readonly id: string }, caller: Caller, deps: Deps): Promise<Invoice> =>
  inRounds(() => retryAsSeen(id, caller, deps), 'Others are changing this invoice right now. Please try again.');

/** `undefined` where a concurrent write has changed what was read. */
async function retryAsSeen(id: string, caller: Caller, deps: Deps): Promise<Invoice | undefined> {
  const invoice = need(await deps.invoices.get(caller.orgId, id), 'There is no such invoice.');
  const by = operationId(caller.operation, 'request');
  const payment = need(await deps.payments.byId(invoice.payment_id ?? ''), 'The payment of this invoice is gone.');
  if (hasDone(invoice, by)) return invoice.trying?.by === by ? goOn(invoice, payment, caller, deps) : invoice;
  if (!mayBePaid(invoice)) throw new AppError('invoice_not_retryable', `A ${invoice.status} invoice can't be retried.`);
  refuseTry(payment);
  const subscription = need(
    await deps.subscriptions.byId(invoice.subscription_id),
    'The subscription of this invoice is gone.',
  );
  refuseHopeless(invoice, payment, subscription);
  const setup = await caller.setup();
  if (payment.mode === 'live') refuseUnverified(setup.organization);
  if (!isTriedAgain(payment, subscription)) refusePaymentBeyond(setup, deps.config.stage, deps.clock.now());
  const tried = await tryInvoice({ invoice, subscription, payment, setup }, by, deps);
  if (tried.how === 'lost') return undefined;
  if (tried.how === 'refused') throw spent(tried.until);
  return need(await deps.invoices.byId(id), 'There is no such invoice.');
}

/** An earlier run of this very request has begun the try, and may have died before its end. */
async function goOn(invoice: Invoice, payment: Payment, caller: Caller, deps: Deps): Promise<Invoice> {
  const operation = tryOperation(invoice, invoice.attempts, deps.clock.now());
  await settleInvoice(await chargePayment(payment, operation, true, await caller.setup(), deps), deps);
  return need(await deps.invoices.byId(invoice.id), 'There is no such invoice.');
}

/** After a hard decline only another payment method is tried. */
function refuseHopeless(invoice: Invoice, payment: Payment, subscription: Subscription): void {
  if (
    payment.status !== 'failed' ||
    payment.failure?.retryable !== false ||
    hasOtherMethod(subscription, invoice, payment)
  )
    return;
  // A fraud policy may change, and its windows slide.
  if (payment.failure.code === 'fraud_blocked') return;
  const message = `Its payment failed with ${payment.failure.code}. Give the subscription another payment method first.`;
  throw new AppError('invoice_not_retryable', message);
}

function spent(until: Date): AppError {
  const available_at = until.toISOString();
  const message = `The payment method was declined too often to be tried again now. Use another one, or try again after ${available_at}.`;
  return new AppError('retry_budget_exhausted', message, { details: { available_at } });
}
