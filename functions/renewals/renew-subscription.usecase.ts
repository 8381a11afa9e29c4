import { beginOrStop, Lost } from '#functions/invoices/begin-or-stop.ts';
import { accountOf, newPayment, type PlannedPayment, tryOperation } from '#functions/invoices/invoice-payment.ts';
import { owesInvoices } from '#functions/invoices/open-invoices.ts';
import { parkInvoice, settleInvoice } from '#functions/invoices/settle-invoice.usecase.ts';
import { chargePayment } from '#functions/payments/charge-payment.usecase.ts';
import { relaySubscription } from '#functions/relay/relay-subscription.usecase.ts';
import { renewalMessage } from '#functions/renewals/renewal-message.ts';
import { draftInvoice, openInvoice } from '#shared/domain/invoice.machine.ts';
import type { Invoice } from '#shared/domain/invoice.model.ts';
import type { Attempt, Payment } from '#shared/domain/payment.model.ts';
import { mayCharge } from '#shared/domain/plan.rules.ts';
import { beginPeriod, closeSubscription, endSubscription, holdSubscription, settleLater } from '#shared/domain/subscription.machine.ts';
import type { Subscription } from '#shared/domain/subscription.model.ts';
import { asBegun, billsAt, endsNext } from '#shared/domain/subscription.rules.ts';
import { HOUR, plus } from '#shared/kernel/clock.ts';
import type { Deps } from '#shared/ports/deps.ts';

/** How long an organization that may take no money is left alone. */
const HELD_FOR = HOUR;

/**
 * Does what time asks of a subscription by now: charges the period that begins, or ends it with the one before, or closes what
 * had ended so; and passes its events on.
 */
export async function renewSubscription(id: string, deps: Deps): Promise<void> {
  const found = await deps.subscriptions.byId(id);
  if (!found) return;
  const subscription = await relaySubscription(found, deps);
  const at = deps.clock.now();
  if (!isDue(subscription, at)) return;
  const next = await doDue(subscription, at, deps);
  // A missed period follows at once, in a message of its own: each has the whole time of an invocation.
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

/** Whoever changed it meanwhile, or charged it, has decided: it is looked at again. */
async function endWithPeriod(subscription: Subscription, at: Date, deps: Deps): Promise<Subscription> {
  const isOwed = await owesInvoices(subscription, deps);
  const isSeen = (s: Subscription) => s.last_invoice_id === subscription.last_invoice_id && endsNext(s) && isDue(s, at);
  return deps.subscriptions.change(subscription, (s) => (isSeen(s) ? endSubscription(s, isOwed, at) : undefined));
}

/** The payment method of one that has ended is kept no longer than an invoice of it is open. */
async function settle(subscription: Subscription, at: Date, deps: Deps): Promise<Subscription> {
  const isOwed = await owesInvoices(subscription, deps);
  return deps.subscriptions.change(subscription, (current) => {
    if (!isDue(current, at)) return undefined;
    return isOwed ? settleLater(current, at) : closeSubscription(current);
  });
}

/**
 * Period, invoice and payment begin in one write, on the subscription as it was read: a second worker finds the period begun,
 * and who pauses or cancels comes before the charge or after it. Should this process die then, the payment's own timer goes on.
 */
async function charge(subscription: Subscription, at: Date, deps: Deps): Promise<Subscription> {
  const setup = await deps.organizations.setup(subscription.org_id);
  if (!mayCharge(subscription, setup, deps.config.stage, at)) {
    deps.log.warn('renewal_held', { org_id: subscription.org_id, subscription_id: subscription.id });
    return deps.subscriptions.change(subscription, (s) => (isDue(s, at) ? holdSubscription(s, plus(at, HELD_FOR)) : undefined));
  }
  const draft = draftInvoice(asBegun(subscription), at);
  const operation = tryOperation(draft, 1, at);
  const planned = await newPayment(draft, asBegun(subscription), setup, operation, deps);
  const invoice = openInvoice(draft, { payment_id: planned.payment.id, method_version: subscription.method_version }, at);
  const begun = await begin(subscription, invoice, planned, at, deps);
  if (!begun) return (await deps.subscriptions.byId(subscription.id)) ?? subscription;
  const charged = await chargePayment(begun.payment, operation, false, setup, deps);
  await settleInvoice(charged, deps);
  await parkInvoice(invoice, charged, deps);
  return begun.subscription;
}

type Begun = { readonly subscription: Subscription; readonly payment: Payment };

/** Undefined, and nothing, where somebody else has changed what was read. After a decline the scheme budget is asked first (docs/adr/0016). */
async function begin(subscription: Subscription, invoice: Invoice, planned: PlannedPayment, at: Date, deps: Deps): Promise<Begun | undefined> {
  let after = subscription;
  const commit = async (payment: Payment, sent: Attempt | undefined): Promise<Payment> => {
    after = beginPeriod(subscription, invoice.id, sent && accountOf(sent), at);
    if (await deps.billing.commit({ subscription: { before: subscription, after }, invoice: { after: invoice }, payment: { after: payment } })) return payment;
    throw new Lost();
  };
  try {
    const isWary = subscription.wary_until !== undefined && subscription.wary_until > at.toISOString();
    const payment = await (isWary ? beginOrStop(planned, commit, undefined, deps) : commit(planned.payment, planned.sent));
    return { subscription: after, payment };
  } catch (error) {
    if (error instanceof Lost) return undefined;
    throw error;
  }
}
