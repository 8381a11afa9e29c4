import { mayCharge } from '#shared/domain/accounts/plan.rules.ts';
import { draftInvoice, openInvoice } from '#shared/domain/billing/invoice.machine.ts';
import type { Invoice } from '#shared/domain/billing/invoice.model.ts';
import {
  closeSubscription,
  endSubscription,
  postponeBilling,
  scheduleInvoiceCheck,
  startPeriod,
} from '#shared/domain/billing/subscription.machine.ts';
import {
  isBilledToEnd,
  nextBillingAt,
  type Subscription,
  withTermsOfDuePeriod,
} from '#shared/domain/billing/subscription.model.ts';
import type { Payment } from '#shared/domain/payments/payment.model.ts';
import { HOUR, plus } from '#shared/kernel/clock.ts';
import type { Deps } from '#shared/ports/deps.ts';
import { hasOpenInvoice } from '#shared/services/billing/cancel-invoice.service.ts';
import type { CollectDeps } from '#shared/services/billing/collect-invoice.service.ts';
import {
  collectionOperation,
  connectionOf,
  failWithoutBudget,
  type PlannedPayment,
  planNewPayment,
  reserveBudget,
} from '#shared/services/billing/invoice-payment.service.ts';
import { renewalMessage } from '#shared/services/billing/renewal-message.schema.ts';
import { parkInvoice, settleInvoice } from '#shared/services/billing/settle-invoice.service.ts';
import { chargePayment, readCredentials } from '#shared/services/payments/charge-payment.service.ts';
import { placeFor } from '#shared/services/payments/plan-payment.service.ts';
import { NO_SLOTS, releaseUnlessStarted } from '#shared/services/payments/retry-budget.service.ts';
import { type EventDeps, relaySubscription } from '#shared/services/relay/relay-events.service.ts';

export type RenewDeps = CollectDeps & EventDeps & Pick<Deps, 'organizations' | 'queue'>;

/** How long a renewal is postponed while its organization may not take payments. */
const BLOCKED_DELAY = HOUR;

/**
 * Publishes the subscription's events and does what is due: charges the next period, ends the subscription after its
 * last one, or closes an ended one.
 */
export async function renewSubscription(id: string, deps: RenewDeps): Promise<void> {
  const found = await deps.subscriptions.byId(id);
  if (!found) return;
  const subscription = await relaySubscription(found, deps);
  const at = deps.clock.now();
  if (!isDue(subscription, at)) return;
  const next = await processDue(subscription, at, deps);
  // After an outage several periods may be due. Each gets its own message, and so a whole invocation's time.
  if (isDue(next, deps.clock.now())) await deps.queue.send('renewals', [renewalMessage(next)]);
}

function isDue(subscription: Subscription, at: Date): boolean {
  const due = nextBillingAt(subscription);
  return due !== undefined && due <= at.toISOString();
}

function processDue(subscription: Subscription, at: Date, deps: RenewDeps): Promise<Subscription> {
  if (subscription.status === 'canceled') return closeIfSettled(subscription, at, deps);
  return isBilledToEnd(subscription)
    ? endAfterLastPeriod(subscription, at, deps)
    : chargePeriod(subscription, at, deps);
}

/** A concurrent change or charge wins: the subscription is then still due, and the next sweep finds it. */
async function endAfterLastPeriod(
  subscription: Subscription,
  at: Date,
  deps: Pick<Deps, 'subscriptions' | 'invoices'>,
): Promise<Subscription> {
  const hasOpen = await hasOpenInvoice(subscription, deps);
  return deps.subscriptions.change(subscription, (current) => {
    const isSame = current.last_invoice_id === subscription.last_invoice_id;
    return isSame && isBilledToEnd(current) && isDue(current, at) ? endSubscription(current, hasOpen, at) : undefined;
  });
}

/** An ended subscription keeps its payment method only while an invoice is open. */
async function closeIfSettled(
  subscription: Subscription,
  at: Date,
  deps: Pick<Deps, 'subscriptions' | 'invoices'>,
): Promise<Subscription> {
  const hasOpen = await hasOpenInvoice(subscription, deps);
  return deps.subscriptions.change(subscription, (current) => {
    if (!isDue(current, at)) return undefined;
    return hasOpen ? scheduleInvoiceCheck(current, at) : closeSubscription(current);
  });
}

/**
 * Period, invoice and payment are stored in one write, on the version of the subscription that was read: a second
 * worker finds the period billed, and a pause or cancel comes before or after the charge, never in between. After a
 * crash the payment's own due time continues it.
 */
async function chargePeriod(subscription: Subscription, at: Date, deps: RenewDeps): Promise<Subscription> {
  const routingData = await deps.organizations.routingData(subscription.org_id);
  if (!mayCharge(subscription, routingData, deps.config.stage, at)) {
    deps.log.warn('renewal_held', { org_id: subscription.org_id, subscription_id: subscription.id });
    return deps.subscriptions.change(subscription, (s) =>
      isDue(s, at) ? postponeBilling(s, plus(at, BLOCKED_DELAY)) : undefined,
    );
  }
  const terms = withTermsOfDuePeriod(subscription);
  const draft = { ...draftInvoice(terms, at), ...placeFor(routingData.organization, at) };
  const operation = collectionOperation(draft, 1, at);
  const planned = await planNewPayment(draft, terms, routingData, operation, deps);
  const { method_version } = subscription;
  const invoice = openInvoice(draft, { payment_id: planned.payment.id, method_version }, at);
  const credentials = readCredentials(planned.payment, routingData, deps);
  const started = await commitPeriod(subscription, invoice, planned, at, deps);
  if (!started) return (await deps.subscriptions.byId(subscription.id)) ?? subscription;
  const charge = { payment: started.payment, operation, resumed: false, routingData, credentials };
  const charged = await chargePayment(charge, deps);
  await settleInvoice(charged, deps);
  await parkInvoice(invoice, charged, deps);
  return started.subscription;
}

type StartedPeriod = { readonly subscription: Subscription; readonly payment: Payment };

/**
 * Undefined if a concurrent write came first and nothing was stored. After a recent decline the charge needs retry
 * budget (docs/adr/0016).
 */
async function commitPeriod(
  subscription: Subscription,
  invoice: Invoice,
  planned: PlannedPayment,
  at: Date,
  deps: Pick<Deps, 'billing' | 'payments' | 'retryBudget' | 'clock'>,
): Promise<StartedPeriod | undefined> {
  const wasDeclined = subscription.wary_until !== undefined && subscription.wary_until > at.toISOString();
  const reserved = wasDeclined ? await reserveBudget(planned, deps) : NO_SLOTS;
  const { payment, attempt } =
    reserved.outcome === 'exhausted' ? failWithoutBudget(planned, deps.clock.now()) : planned;
  const after = startPeriod(subscription, invoice.id, attempt && connectionOf(attempt), at);
  const writing = deps.billing.commit({
    subscription: { before: subscription, after },
    invoice: { after: invoice },
    payment: { after: payment },
  });
  const written = await releaseUnlessStarted(
    reserved,
    writing.then((isWritten) => (isWritten ? payment : undefined)),
    deps,
  );
  return written && { subscription: after, payment: written };
}
