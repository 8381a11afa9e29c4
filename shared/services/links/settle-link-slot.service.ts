import { countPayment, isCounted, releaseSlot, uncountPayment } from '#shared/domain/links/payment-link.machine.ts';
import { pendingSlotAction, recordSlotOutcome } from '#shared/domain/payments/link-hold.rules.ts';
import type { Payment } from '#shared/domain/payments/payment.model.ts';
import type { Deps } from '#shared/ports/deps.ts';

type Needs = Pick<Deps, 'payments' | 'paymentLinks' | 'clock' | 'log'>;

/**
 * Settles the slot of a payment that has ended. The link counts the payment or frees the slot, and the payment records
 * which. The link is written first and remembers the payment for a while, so that it counts once, even after a crash or
 * with concurrent runs.
 */
export async function settleLinkSlot(seen: Payment, deps: Needs): Promise<Payment> {
  if (pendingSlotAction(seen) === undefined) return seen;
  // The relay passes older images of payments. A payment that was counted since must not count again.
  const payment = (await deps.payments.byId(seen.id)) ?? seen;
  const action = pendingSlotAction(payment);
  const link = action && (await deps.paymentLinks.byId(payment.payment_link_id ?? ''));
  if (!link) return payment;
  const at = deps.clock.now();
  if (action !== 'count') {
    await deps.paymentLinks.change(link, (l) =>
      action === 'give_up' ? releaseSlot(l, payment.id) : uncountPayment(l, payment.id, at),
    );
    return deps.payments.change(payment, (p) => recordSlotOutcome(p, 'given_up', at));
  }
  const counted = await deps.paymentLinks.change(link, (l) => countPayment(l, payment.id, at));
  const became = isCounted(counted, payment.id) ? 'paid' : 'overpaid';
  if (became === 'overpaid')
    deps.log.info('payment_link_overpaid', { payment_id: payment.id, payment_link_id: link.id, org_id: link.org_id });
  return deps.payments.change(payment, (p) => recordSlotOutcome(p, became, at));
}
