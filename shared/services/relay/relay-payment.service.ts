import { withoutEvents } from '#shared/domain/payments/outbox.rules.ts';
import { snapshot, workflowAt } from '#shared/domain/payments/payment.events.ts';
import type { Payment } from '#shared/domain/payments/payment.model.ts';
import type { Deps } from '#shared/ports/deps.ts';
import { settleInvoice } from '#shared/services/billing/settle-invoice.service.ts';
import { settleLinkSlot } from '#shared/services/links/settle-link-slot.service.ts';
import { publishOutbox } from '#shared/services/relay/publish-outbox.service.ts';

type Needs = Pick<
  Deps,
  | 'payments'
  | 'paymentLinks'
  | 'invoices'
  | 'subscriptions'
  | 'billing'
  | 'retryPolicies'
  | 'events'
  | 'bus'
  | 'clock'
  | 'log'
>;

/** Passes a payment's events on; its link or invoice is settled first, so that it is never forgotten. */
export async function relayPayment(payment: Payment, deps: Needs): Promise<Payment> {
  const settled = await settleInvoice(await settleLinkSlot(payment, deps), deps);
  const relayed = await publishOutbox(
    payment,
    (stub) => snapshot(payment, stub),
    deps,
    (stub) => workflowAt(payment, stub),
  );
  return deps.payments.change(settled, (p) => withoutEvents(p, relayed));
}
