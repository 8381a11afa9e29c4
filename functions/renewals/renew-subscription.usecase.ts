import { chargePayment } from '#functions/payments/charge-payment.usecase.ts';
import { relaySubscription } from '#functions/relay/relay-subscription.usecase.ts';
import { accountOf, newPayment, tryOperation } from '#functions/renewals/invoice-payment.ts';
import { mayCharge } from '#functions/renewals/may-charge.ts';
import { renewalMessage } from '#functions/renewals/renewal-message.ts';
import { parkInvoice, settleInvoice } from '#functions/renewals/settle-invoice.usecase.ts';
import { draftInvoice, openInvoice } from '#shared/domain/invoice.machine.ts';
import { beginPeriod, cancelSubscription, holdSubscription } from '#shared/domain/subscription.machine.ts';
import type { Subscription } from '#shared/domain/subscription.model.ts';
import { billsAt } from '#shared/domain/subscription.rules.ts';
import { HOUR, plus } from '#shared/kernel/clock.ts';
import type { Deps } from '#shared/ports/deps.ts';

/** How long an organization that may take no money is left alone. */
const HELD_FOR = HOUR;

/** Does what time asks of a subscription by now: charges the period that begins, or ends it with the one before; and passes its events on. */
export async function renewSubscription(id: string, deps: Deps): Promise<void> {
  const found = await deps.subscriptions.byId(id);
  if (!found) return;
  const subscription = await relaySubscription(found, deps);
  const at = deps.clock.now();
  if (!isDue(subscription, at)) return;
  const next = subscription.cancel_at_period_end ? await endWithPeriod(subscription, at, deps) : await charge(subscription, at, deps);
  // A missed period follows at once, in a message of its own: each has the whole time of an invocation.
  if (isDue(next, deps.clock.now())) await deps.queue.send('renewals', [renewalMessage(next)]);
}

function isDue(subscription: Subscription, at: Date): boolean {
  const due = billsAt(subscription);
  return due !== undefined && due <= at.toISOString();
}

/** Whoever changed it meanwhile has decided: it is looked at again. */
const endWithPeriod = (subscription: Subscription, at: Date, deps: Deps): Promise<Subscription> =>
  deps.subscriptions.change(subscription, (s) => (s.cancel_at_period_end && isDue(s, at) ? cancelSubscription(s, at) : undefined));

/**
 * Period, invoice and payment begin in one write, on the subscription as it was read: a second worker finds the period begun,
 * and who pauses or cancels comes before the charge or after it. Should this process die then, the payment's own timer goes on.
 */
async function charge(subscription: Subscription, at: Date, deps: Deps): Promise<Subscription> {
  const setup = await deps.organizations.setup(subscription.org_id);
  if (!mayCharge(subscription, setup, deps)) {
    deps.log.warn('renewal_held', { org_id: subscription.org_id, subscription_id: subscription.id });
    return deps.subscriptions.change(subscription, (s) => (isDue(s, at) ? holdSubscription(s, plus(at, HELD_FOR)) : undefined));
  }
  const draft = draftInvoice(subscription, at);
  const operation = tryOperation(draft, 1, at);
  const { payment, sent } = await newPayment(draft, subscription, setup, operation, deps);
  const invoice = openInvoice(draft, { payment_id: payment.id, method_version: subscription.method_version }, at);
  const begun = beginPeriod(subscription, invoice.id, sent && accountOf(sent), at);
  const isMine = await deps.billing.commit({
    subscription: { before: subscription, after: begun },
    invoice: { after: invoice },
    payment: { after: payment },
  });
  if (!isMine) return (await deps.subscriptions.byId(subscription.id)) ?? subscription;
  const charged = await chargePayment(payment, operation, false, setup, deps);
  await settleInvoice(charged, deps);
  await parkInvoice(invoice, charged, deps);
  return begun;
}
