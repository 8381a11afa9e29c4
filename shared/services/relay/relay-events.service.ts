import type { Invoice } from '#shared/domain/billing/invoice.model.ts';
import type { Subscription } from '#shared/domain/billing/subscription.model.ts';
import type { Dispute } from '#shared/domain/disputes/dispute.model.ts';
import type { PaymentLink } from '#shared/domain/links/payment-link.model.ts';
import { linkSnapshot, linkUrl } from '#shared/domain/links/payment-link.rules.ts';
import { withoutEvents } from '#shared/domain/payments/outbox.rules.ts';
import { snapshot, workflowAt } from '#shared/domain/payments/payment.events.ts';
import type { Payment } from '#shared/domain/payments/payment.model.ts';
import { withEventTimes } from '#shared/domain/payments/payment-history.rules.ts';
import type { Deps } from '#shared/ports/deps.ts';
import { settleInvoice } from '#shared/services/billing/settle-invoice.service.ts';
import { settleLinkSlot } from '#shared/services/links/settle-link-slot.service.ts';
import { type PublishDeps, publishOutbox } from '#shared/services/relay/publish-outbox.service.ts';

export type EventDeps = PublishDeps;
type SettleDeps = Pick<
  Deps,
  | 'payments'
  | 'paymentMails'
  | 'paymentLinks'
  | 'invoices'
  | 'subscriptions'
  | 'billing'
  | 'retryPolicies'
  | 'clock'
  | 'log'
>;

/**
 * Its payment link or invoice is settled first: while the outbox is full, the payment stays due and this is repeated.
 */
export async function relayPayment(given: Payment, deps: EventDeps & SettleDeps): Promise<Payment> {
  const payment = await deps.payments.withAllRefunds(given);
  const settled = await settleInvoice(await settleLinkSlot(payment, deps), deps);
  await deps.paymentMails.file(payment);
  const relayed = await publishOutbox(
    payment,
    (stub) => snapshot(payment, stub),
    deps,
    (stub) => ({ through: workflowAt(payment, stub), mayMail: payment.customer_email !== null }),
  );
  const changed = await deps.payments.change(settled, (p) =>
    withoutEvents(withoutMailHash(withEventTimes(p, relayed)), relayed),
  );
  // The feed may deliver an old version, whose customer was erased since: the address must not be filed again.
  if (changed.erased) await deps.paymentMails.unfile(payment);
  return changed;
}

/** Needed only until the payment is filed under it. */
const withoutMailHash = ({ mail_hash: _, ...payment }: Payment): Payment => payment;

/** Each event in the outbox holds its own snapshot of the invoice. */
export async function relayInvoice(invoice: Invoice, deps: EventDeps & Pick<Deps, 'invoices'>): Promise<Invoice> {
  if (invoice.outbox.length === 0) return invoice;
  const relayed = await publishOutbox(invoice, ({ was }) => was, deps);
  return deps.invoices.change(invoice, (i) => withoutEvents(i, relayed));
}

/** Each event in the outbox holds its own snapshot of the subscription. */
export async function relaySubscription(
  subscription: Subscription,
  deps: EventDeps & Pick<Deps, 'subscriptions'>,
): Promise<Subscription> {
  if (subscription.outbox.length === 0) return subscription;
  const relayed = await publishOutbox(subscription, ({ was }) => was, deps);
  return deps.subscriptions.change(subscription, (s) => withoutEvents(s, relayed));
}

/** Each event in the outbox holds its own snapshot of the dispute. */
export async function relayDispute(dispute: Dispute, deps: EventDeps & Pick<Deps, 'disputes'>): Promise<Dispute> {
  if (dispute.outbox.length === 0) return dispute;
  const relayed = await publishOutbox(dispute, ({ was }) => was, deps);
  return deps.disputes.change(dispute, (d) => withoutEvents(withEventTimes(d, relayed), relayed));
}

export async function relayLink(
  link: PaymentLink,
  deps: EventDeps & Pick<Deps, 'paymentLinks' | 'config'>,
): Promise<PaymentLink> {
  if (link.outbox.length === 0) return link;
  const relayed = await publishOutbox(link, (stub) => linkSnapshot(link, linkUrl(link.id, deps.config), stub), deps);
  return deps.paymentLinks.change(link, (l) => withoutEvents(l, relayed));
}
