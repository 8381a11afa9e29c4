import { settleInvoice } from '#functions/invoices/settle-invoice.usecase.ts';
import { settleSlot } from '#functions/payment-links/settle-slot.usecase.ts';
import { passOn } from '#functions/relay/pass-on.ts';
import { withoutEvents } from '#shared/domain/outbox.rules.ts';
import { snapshot, workflowAt } from '#shared/domain/payment.events.ts';
import type { Payment } from '#shared/domain/payment.model.ts';
import type { Deps } from '#shared/ports/deps.ts';

type Needs = Pick<Deps, 'payments' | 'paymentLinks' | 'invoices' | 'subscriptions' | 'billing' | 'retryPolicies' | 'events' | 'bus' | 'clock' | 'log'>;

/** Passes a payment's events on; its link or invoice is settled first, so that it is never forgotten. */
export async function relayPayment(payment: Payment, deps: Needs): Promise<Payment> {
  const settled = await settleInvoice(await settleSlot(payment, deps), deps);
  const relayed = await passOn(
    payment,
    (stub) => snapshot(payment, stub),
    deps,
    (stub) => workflowAt(payment, stub),
  );
  return deps.payments.change(settled, (p) => withoutEvents(p, relayed));
}
