import { mayCharge } from '#shared/domain/accounts/plan.rules.ts';
import { draftInvoice, openInvoice } from '#shared/domain/billing/invoice.machine.ts';
import type { Invoice } from '#shared/domain/billing/invoice.model.ts';
import {
  beginPeriod,
  closeSubscription,
  endSubscription,
  holdSubscription,
  settleLater,
} from '#shared/domain/billing/subscription.machine.ts';
import type { Subscription } from '#shared/domain/billing/subscription.model.ts';
import { asBegun, billsAt, endsNext } from '#shared/domain/billing/subscription.rules.ts';
import type { Payment } from '#shared/domain/payments/payment.model.ts';
import { HOUR, plus } from '#shared/kernel/clock.ts';
import type { Deps } from '#shared/ports/deps.ts';
import {
  accountOf,
  newPayment,
  type PlannedPayment,
  reservePlanned,
  stopPlanned,
  tryOperation,
} from '#shared/services/billing/invoice-payment.service.ts';
import { owesInvoices } from '#shared/services/billing/open-invoices.service.ts';
import { renewalMessage } from '#shared/services/billing/renewal-message.service.ts';
import { parkInvoice, settleInvoice } from '#shared/services/billing/settle-invoice.service.ts';
import { chargePayment } from '#shared/services/payments/charge-payment.service.ts';
import { keepIfBegun, NO_SLOTS } from '#shared/services/payments/retry-budget.service.ts';
import { relaySubscription } from '#shared/services/relay/relay-subscription.service.ts';

/** How long a renewal is put off while its organization may take no payments. */
const HELD_FOR = HOUR;

/**
 * Does what is due for a subscription: charges the period that begins, ends the subscription after its last period, or
 * closes an ended one; and passes its events on.
 */
export async function renewSubscription(id: string, deps: Deps): Promise<void> {
  const found = await deps.subscriptions.byId(id);
  if (!found) return;
  const subscription = await relaySubscription(found, deps);
  const at = deps.clock.now();
  if (!isDue(subscription, at)) return;
  const next = await doDue(subscription, at, deps);
  // A missed period follows at once in its own message, so that each period has a whole invocation's time.
  if (isDue(next, deps.clock.now())) await deps.queue.send('renewals', [renewalMessage(next)]);
}

function isDue(subscription: Subscription, at: Date): boolean {
  const due = billsAt(subscription);
  return due !== undefined && due <= at.toISOString();
}

function doDue(subscription: Subscription, at: Date, deps: Deps): Promise<Subscription> {
  if (subscription.status === 'canceled') return settle(subscription, at, deps);
  return endsNext(subscription) ? endWithPeriod(subscription, at, deps) : charge(subscription, at, deps);
}

/** A concurrent change or charge wins: the subscription is looked at again. */
async function endWithPeriod(subscription: Subscription, at: Date, deps: Deps): Promise<Subscription> {
  const isOwed = await owesInvoices(subscription, deps);
  const isSeen = (s: Subscription) => s.last_invoice_id === subscription.last_invoice_id && endsNext(s) && isDue(s, at);
  return deps.subscriptions.change(subscription, (s) => (isSeen(s) ? endSubscription(s, isOwed, at) : undefined));
}

/** An ended subscription keeps its payment method only while one of its invoices is open. */
async function settle(subscription: Subscription, at: Date, deps: Deps): Promise<Subscription> {
  const isOwed = await owesInvoices(subscription, deps);
  return deps.subscriptions.change(subscription, (current) => {
    if (!isDue(current, at)) return undefined;
    return isOwed ? settleLater(current, at) : closeSubscription(current);
  });
}

/**
 * Period, invoice and payment begin in one write, on the subscription as it was read: a second worker finds the period
 * begun, and a pause or cancel comes before or after the charge. After a crash the payment's own timer goes on.
 */
async function charge(subscription: Subscription, at: Date, deps: Deps): Promise<Subscription> {
  const setup = await deps.organizations.setup(subscription.org_id);
  if (!mayCharge(subscription, setup, deps.config.stage, at)) {
    deps.log.warn('renewal_held', { org_id: subscription.org_id, subscription_id: subscription.id });
    return deps.subscriptions.change(subscription, (s) =>
      isDue(s, at) ? holdSubscription(s, plus(at, HELD_FOR)) : undefined,
    );
  }
  const draft = draftInvoice(asBegun(subscription), at);
  const operation = tryOperation(draft, 1, at);
  const planned = await newPayment(draft, asBegun(subscription), setup, operation, deps);
  const invoice = openInvoice(
    draft,
    { payment_id: planned.payment.id, method_version: subscription.method_version },
    at,
  );
  const begun = await begin(subscription, invoice, planned, at, deps);
  if (!begun) return (await deps.subscriptions.byId(subscription.id)) ?? subscription;
  const charged = await chargePayment(begun.payment, operation, false, setup, deps);
  await settleInvoice(charged, deps);
  await parkInvoice(invoice, charged, deps);
  return begun.subscription;
}

type Begun = { readonly subscription: Subscription; readonly payment: Payment };

/**
 * Undefined where a concurrent write came first, and nothing was written. After a recent decline the retry budget is
 * asked first (docs/adr/0016).
 */
async function begin(
  subscription: Subscription,
  invoice: Invoice,
  planned: PlannedPayment,
  at: Date,
  deps: Deps,
): Promise<Begun | undefined> {
  const wasDeclined = subscription.wary_until !== undefined && subscription.wary_until > at.toISOString();
  const reserved = wasDeclined ? await reservePlanned(planned, deps) : NO_SLOTS;
  const { payment, sent } = reserved.how === 'full' ? stopPlanned(planned, deps.clock.now()) : planned;
  const after = beginPeriod(subscription, invoice.id, sent && accountOf(sent), at);
  const writing = deps.billing.commit({
    subscription: { before: subscription, after },
    invoice: { after: invoice },
    payment: { after: payment },
  });
  const written = await keepIfBegun(
    reserved,
    writing.then((isWritten) => (isWritten ? payment : undefined)),
    deps,
  );
  return written && { subscription: after, payment: written };
}
