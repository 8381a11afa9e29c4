import { settleSlot } from '#functions/payment-links/settle-slot.usecase.ts';
import { passOn } from '#functions/relay/pass-on.ts';
import { withoutEvents } from '#shared/domain/outbox.rules.ts';
import { snapshot } from '#shared/domain/payment.events.ts';
import type { Payment } from '#shared/domain/payment.model.ts';
import type { Deps } from '#shared/ports/deps.ts';

type Needs = Pick<Deps, 'payments' | 'paymentLinks' | 'events' | 'bus' | 'clock' | 'log'>;

/** Passes a payment's announcements on; the link that it was made through hears first, so that it is never forgotten. */
export async function relayPayment(payment: Payment, deps: Needs): Promise<Payment> {
  const settled = await settleSlot(payment, deps);
  const relayed = await passOn(payment, (stub) => snapshot(payment, stub), deps);
  return deps.payments.change(settled, (p) => withoutEvents(p, relayed));
}
